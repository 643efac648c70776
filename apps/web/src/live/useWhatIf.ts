import { useCallback, useEffect, useState } from 'react'
import { useServices } from '../app/services.js'
import { RequestError } from '../client/AgentClient.js'
import { useStores, useView } from '../store/context.js'
import type { WhatIf } from './whatIf.js'

/** While the marker is dragged the engine is asked at most this often. */
const ASK_AFTER_MS = 150

/**
 * The what-if: its time is part of the page's link; the answer comes from the running engine, and is asked for again
 * when `changes` is another text: when a clock has moved past something, or when time has passed.
 */
export function useWhatIf(
  source: string | null,
  changes: string,
): {
  readonly whatIf: WhatIf | null
  readonly setTimestamp: (timestamp: number | null) => void
} {
  const { view } = useStores()
  const { clock, run } = useServices()
  const text = useView((state) => state.params['what-if'])
  const [answer, setAnswer] = useState<WhatIf['answer']>({ state: 'asking' })
  const timestamp = text === undefined ? null : Number(text)
  const setTimestamp = useCallback(
    (at: number | null) =>
      view.getState().setParam('what-if', at === null ? null : String(Math.max(0, Math.round(at)))),
    [view],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` asks again.
  useEffect(() => {
    if (timestamp === null || source === null) return undefined
    let current = true
    const ask = async () => {
      try {
        const preview = await run.previewFuture(source, timestamp)
        if (current) setAnswer({ state: 'answered', timestamp, preview })
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        if (current) setAnswer({ state: 'refused', error: error.error })
      }
    }
    const planned = clock.after(ASK_AFTER_MS, () => void ask())
    return () => {
      current = false
      planned.cancel()
    }
  }, [clock, run, source, timestamp, changes])
  const whatIf = timestamp === null || source === null ? null : { source, timestamp, answer }
  return { whatIf, setTimestamp }
}
