import type { Cancellable, Clock } from '@lanescope/core'
import type { AppStores } from '../store/AppStores.js'

/** Waits for a pause in the edits, so that a drag is analysed once. */
const PAUSE_MS = 60

/** Has every change of the project analysed in the worker; results land in the findings store. */
export function keepAnalysing(stores: AppStores, clock: Clock): void {
  let planned: Cancellable | null = null
  stores.project.subscribe((state, before) => {
    if (state.workspace === before.workspace || state.projectId === null) return
    stores.findings.getState().markStale()
    planned?.cancel()
    planned = clock.after(PAUSE_MS, () => undefined)
  })
}
