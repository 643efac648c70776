import { defaultFilter } from 'cmdk'
import { expect, it } from 'vitest'
import type { CommandContext } from './Command.js'
import { PROJECT_COMMANDS } from './projectCommands.js'

function run(id: string, projectId: string | null = 'mine') {
  const done: string[] = []
  const context = {
    stores: {
      project: { getState: () => ({ projectId }) },
      view: { getState: () => ({ set: ({ overlay }: { overlay: string }) => done.push(overlay) }) },
    },
    services: { folders: { duplicate: async (copied: string) => done.push(`duplicate ${copied}`) } },
  } as unknown as CommandContext
  const command = PROJECT_COMMANDS.find((one) => one.id === id)
  if (command?.enabled(context)) void command.run(context)
  return done
}

it.each([
  ['rename-project', 'rename-project'],
  ['delete-project', 'delete-project'],
  ['duplicate-project', 'duplicate mine'],
])('%s is a command of the open project, and of none', (id, does) => {
  expect(run(id)).toEqual([does])
  expect(run(id, null)).toEqual([])
})

it.each(['paste', 'describe', 'TopologyDescription', 'import', 'topology.json'])('import is found by %s', (typed) => {
  const { label, words = [] } = PROJECT_COMMANDS.find(({ id }) => id === 'import')!
  expect(defaultFilter?.(label, typed, [...words])).toBeGreaterThan(0.1)
})
