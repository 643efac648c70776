import { useEffect, useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import type { Preview } from '../../live/whatIf.js'
import { useRun } from '../../store/context.js'

/** While a time is typed the engine is asked at most this often. */
const ASK_AFTER_MS = 200

/** What the running engine says a record of that time would do; null while it is asked, and where nothing runs. */
export function usePreview(source: string | null, timestamp: number | null): Preview | null {
  const { clock, run } = useServices()
  const living = useRun((state) => (state.run?.state === 'running' ? state.run.runId : null))
  const [preview, setPreview] = useState<Preview | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer about another source or run is none; about the time before it stands until the next comes.
  useEffect(() => setPreview(null), [source, living, timestamp === null])
  useEffect(() => {
    if (living === null || source === null || timestamp === null) return undefined
    let current = true
    const ask = async () => {
      try {
        const answer = await run.previewFuture(source, timestamp)
        if (current) setPreview(answer)
      } catch (error) {
        // No engine, or no such source in its topology: nothing is known, and nothing is said.
        if (!(error instanceof RequestError)) throw error
        if (current) setPreview(null)
      }
    }
    const planned = clock.after(ASK_AFTER_MS, () => void ask())
    return () => {
      current = false
      planned.cancel()
    }
  }, [clock, run, living, source, timestamp])
  return preview
}
