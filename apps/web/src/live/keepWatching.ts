import { type AgentClient, RequestError } from '../client/AgentClient.js'
import type { AppStores } from '../store/AppStores.js'

/**
 * Asks for the frames of the project's run: when there is another run, and again after each lost connection. Frames of
 * another run end with that; where there is no other, they are declined.
 */
export function keepWatching(
  client: Pick<AgentClient, 'request'>,
  stores: Pick<AppStores, 'run' | 'connection'>,
): () => void {
  const { run, connection } = stores
  let watched: string | undefined
  const watch = async () => {
    const runId = run.getState().run?.runId
    if (connection.getState().status !== 'open') return
    const before = watched
    watched = runId
    try {
      if (runId !== undefined) {
        const { run: summary } = await client.request('watch-run', { runId })
        if (run.getState().run?.runId === runId) run.getState().setRun(summary)
      } else if (before !== undefined) await client.request('unwatch-run', { runId: before })
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      // Lost in between: it is asked again when the connection is back. Anything else the user has to know.
      if (error.error.code !== 'CONNECTION_LOST') run.getState().setRefusal(error.error)
    }
  }
  const ends = [
    run.subscribe((state, before) => {
      if (state.run?.runId !== before.run?.runId) void watch()
    }),
    connection.subscribe((state, before) => {
      if (state.status !== 'open' || before.status === 'open') return
      watched = undefined
      void watch()
    }),
  ]
  void watch()
  return () => {
    for (const end of ends) end()
  }
}
