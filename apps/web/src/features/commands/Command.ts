import type { Services } from '../../app/services.js'
import type { AppStores } from '../../store/AppStores.js'

/** What a command works with. */
export interface CommandContext {
  readonly stores: AppStores
  readonly services: Services
}

export type CommandGroup = 'Run' | 'Edit' | 'Add' | 'Walk' | 'View' | 'Findings' | 'Project'

/** One thing a person can do; menu, key, palette and the list of keys are made from it. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly group: CommandGroup
  /** Further words by which a person may look for it. */
  readonly words?: readonly string[]
  /** As `Mod+Shift+Z`; `Mod` is Ctrl, or Cmd on a Mac. The first is shown. */
  readonly keys: readonly string[]
  /** Keys are listed, and the host's own event (copy, cut, paste) calls it. */
  readonly byHost?: true
  /** Whether it is offered in the palette; walking with arrows is not. */
  readonly hidden?: true
  enabled(context: CommandContext): boolean
  run(context: CommandContext): void | Promise<void>
}

export const isOpen = ({ stores }: CommandContext): boolean => stores.project.getState().projectId !== null
export const hasSelection = ({ stores }: CommandContext): boolean => stores.view.getState().selection.length > 0
