import type { WireError } from '@lanescope/shared'
import { keptOf } from '../../live/journal.js'
import { useLive } from '../../live/LiveProvider.js'

/** The error that ended the run, from its summary or, sooner, from its events; null while there is none. */
export function useFatal(): WireError | null {
  const summary = useLive((state) => state.run?.error)
  const event = useLive(
    (state) => state.view && keptOf(state.view.journal, 'error').items.findLast((one) => one.fatal)?.error,
  )
  return summary ?? event ?? null
}
