import type { WireError, WireSplit } from '@lanescope/shared'
import { useMemo } from 'react'
import { keptOf } from '../../live/journal.js'
import { useLive } from '../../live/LiveProvider.js'

/** The error that ended the run, from its summary or, sooner, from its events; null while there is none. */
export function useFatal(): WireError | null {
  const summary = useLive((state) => state.run?.error)
  const event = useLive(
    (state) => state.view && keptOf(state.view.journal, 'error').items.findLast((one) => one.fatal)?.error,
  )
  const lastSplit = useLive((state) => state.view && keptOf(state.view.journal, 'split').items.at(-1))
  const error = summary ?? event ?? null
  return useMemo(() => withSplit(error, lastSplit ?? null), [error, lastSplit])
}

/** The error of a split names it by its code alone; what was proven is the run's last split, at the same node. */
export function withSplit(
  error: WireError | null,
  split: (WireSplit & { readonly proven: boolean }) | null,
): WireError | null {
  if (error === null || error.split || split === null || error.code !== 'TIMER_LANE_AFFINITY') return error
  const { node, key, recordBytes, timerBytes, recordLane, timerLane, laneCount } = split
  if (error.context.node !== undefined && error.context.node !== node) return error
  return { ...error, split: { node, key, recordBytes, timerBytes, recordLane, timerLane, laneCount } }
}
