import type { Cancellable, Clock } from '@lanescope/core'
import type { AnalysisPort } from '../simulation/analysisClient.js'
import { createAnalysisClient } from '../simulation/analysisClient.js'
import type { AppStores } from '../store/AppStores.js'

/** Waits for a pause in the edits, so that a drag is analysed once. */
const PAUSE_MS = 40

/** Has every change of the project analysed in a worker; results land in the findings store. */
export function keepAnalysing(stores: AppStores, clock: Clock): void {
  const { project, findings } = stores
  const client = createAnalysisClient({
    clock,
    createWorker: () =>
      new Worker(new URL('../simulation/analysis-worker.ts', import.meta.url), {
        type: 'module',
        name: 'analysis',
      }) as AnalysisPort,
    onResult: (result) => {
      if (project.getState().projectId !== null) findings.getState().take(result)
    },
  })
  let planned: Cancellable | null = null
  project.subscribe((state, before) => {
    if (state.workspace === before.workspace) return
    planned?.cancel()
    const isSame = state.projectId === before.projectId
    if (isSame) findings.getState().markStale()
    else findings.getState().clear()
    if (state.projectId === null) return
    // A project just opened has no findings to look at meanwhile.
    planned = clock.after(isSame ? PAUSE_MS : 0, () => client.analyse(project.getState().workspace))
  })
}
