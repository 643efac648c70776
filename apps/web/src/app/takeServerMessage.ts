import type { Clock } from '@lanescope/core'
import type { ServerMessage } from '@lanescope/shared'
import { withRun } from '../live/livingRuns.js'
import type { AppStores } from '../store/AppStores.js'

/**
 * Puts what the agent pushes where it belongs. Frames of a run that is not the open project's are left out: one may
 * still be on its way when the page has turned to another project.
 */
export function takeServerMessage(
  message: Exclude<ServerMessage, { readonly type: 'reply' | 'project-changed' | 'projects-changed' | 'project-gone' }>,
  stores: AppStores,
  clock: Pick<Clock, 'now'>,
): void {
  const { connection, project, run } = stores
  switch (message.type) {
    case 'hello':
      connection.getState().set({ hello: message })
      return
    case 'frame':
      if (message.frame.runId === run.getState().run?.runId) run.getState().takeFrame(message.frame, clock.now())
      return
    case 'run-state':
      connection.getState().set({ runs: withRun(connection.getState().runs, message.run) })
      if (message.run.projectId === project.getState().projectId) run.getState().setRun(message.run)
  }
}
