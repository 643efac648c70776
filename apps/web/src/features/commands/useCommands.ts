import { useMemo } from 'react'
import { useServices } from '../../app/services.js'
import { useStores } from '../../store/context.js'
import type { Command, CommandContext } from './Command.js'
import { EDIT_COMMANDS } from './editCommands.js'
import { keyText } from './keys.js'
import { PROJECT_COMMANDS } from './projectCommands.js'
import { viewCommands } from './viewCommands.js'

/** The one table of commands. */
export const allCommands = (): readonly Command[] => [...PROJECT_COMMANDS, ...EDIT_COMMANDS, ...viewCommands()]

export interface Commands {
  readonly list: readonly Command[]
  readonly context: CommandContext
  find(id: string): Command | undefined
  enabled(id: string): boolean
  /** Runs a command if it is enabled; what it refuses is said at the foot of the canvas. */
  run(id: string): void
  keyText(command: Command): string
  readonly isMac: boolean
}

export function useCommands(): Commands {
  const stores = useStores()
  const services = useServices()
  return useMemo(() => {
    const list = allCommands()
    const context: CommandContext = { stores, services }
    const find = (id: string) => list.find((command) => command.id === id)
    const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
    return {
      list,
      context,
      find,
      enabled: (id) => find(id)?.enabled(context) ?? false,
      run: (id) => {
        const command = find(id)
        if (!command?.enabled(context)) return
        Promise.resolve(command.run(context)).catch((error: unknown) =>
          services.notify(error instanceof Error ? error.message : String(error), 'danger'),
        )
      },
      isMac,
      keyText: (command) => (command.keys[0] === undefined ? '' : keyText(command.keys[0], isMac)),
    }
  }, [stores, services])
}
