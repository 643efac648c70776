import { incompleteness, type TopologyDocument } from '@lanescope/shared'
import type { Services } from '../app/services.js'
import type { AppStores } from '../store/AppStores.js'
import type { RunChoice } from './runActions.js'

/** Why a drawing cannot run yet, as far as the page knows without starting it; null when nothing is in the way. */
export function cannotRun(document: TopologyDocument): string | null {
  if (document.nodes.length === 0) return 'There is nothing to run yet: add a source.'
  const [first, ...more] = incompleteness(document)
  if (first === undefined) return null
  return more.length === 0 ? first.message : `${first.message} ${more.length} more in Problems.`
}

/** Starts a run, or says why that cannot be. */
export async function startOrSay(
  { project }: Pick<AppStores, 'project'>,
  { run, notify }: Pick<Services, 'run' | 'notify'>,
  choice?: Pick<RunChoice, 'overrides' | 'fromBeginning'>,
): Promise<void> {
  const reason = cannotRun(project.getState().workspace.document)
  if (reason !== null) notify(reason, 'caution')
  else await run.start(choice?.overrides, choice?.fromBeginning)
}

/** A refusal is about the project as it was; with the next edit it is about another one. */
export function forgetRefusals({ project, run }: Pick<AppStores, 'project' | 'run'>): void {
  project.subscribe((state, before) => {
    if (state.workspace !== before.workspace && run.getState().refusal !== null) run.getState().setRefusal(null)
  })
}
