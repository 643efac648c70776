import { expect, it } from 'vitest'
import type { CommandContext } from './Command.js'
import { PROJECT_COMMANDS } from './projectCommands.js'

function tell(hello: { readonly projectsFolder: string } | null): string {
  let told = ''
  const context = {
    stores: { connection: { getState: () => ({ hello }) }, project: { getState: () => ({ projectId: 'mine' }) } },
    services: {
      notify: (message: string) => {
        told = message
      },
    },
  } as unknown as CommandContext
  const command = PROJECT_COMMANDS.find(({ label }) => label.startsWith('Delete'))
  expect(command?.enabled(context)).toBe(true)
  void command?.run(context)
  return told
}

it('says where a project lies for whoever wants to delete it', () => {
  expect(tell({ projectsFolder: '/home/ada/projects' })).toContain('the folder mine in /home/ada/projects.')
  expect(tell(null)).toContain('the folder mine.')
})
