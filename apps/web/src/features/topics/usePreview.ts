import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import { useNow } from '../../live/useNow.js'
import type { Preview } from '../../live/whatIf.js'
import { useRun } from '../../store/context.js'

/** While a time is typed the engine is asked at most this often. */
const ASK_AFTER_MS = 200
/** A time that stands, or goes with a clock, is asked about again after this. */
const AGAIN_AFTER_MS = 3_000

/**
 * What the running engine says a record of that time would do; null until it has said, and where nothing runs.
 *
 * @param of which time that is: with another one the answer before is none
 */
export function usePreview(source: string | null, timestamp: number | null, of: string): Preview | null {
  const { clock, run } = useServices()
  const living = useRun((state) => (state.run?.state === 'running' ? state.run.runId : null))
  const round = Math.floor(useNow() / AGAIN_AFTER_MS)
  const [preview, setPreview] = useState<Preview | null>(null)
  const latest = useRef(timestamp)
  latest.current = timestamp
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer about anything else is none.
  useEffect(() => setPreview(null), [source, living, of])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` and `round` ask again.
  useEffect(() => {
    if (living === null || source === null) return undefined
    let current = true
    const ask = async () => {
      if (latest.current === null) return
      try {
        const answer = await run.previewFuture(source, latest.current)
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
  }, [clock, run, living, source, of, round])
  return preview
}
