import { useCallback, useMemo } from 'react'
import { type Journal, keptOf } from '../../live/journal.js'
import { useStores, useView } from '../../store/context.js'
import type { Split } from './laneBoard.js'

/** The split that is shown, and the way through all of them. Without a choice it is the newest. */
export interface ShownSplit {
  readonly split: Split | null
  /** From 1. */
  readonly position: number
  readonly total: number
  /** Shows the one so many further on; stays at both ends. */
  step(by: number): void
}

export function useShownSplit(journal: Journal | undefined): ShownSplit {
  const { view } = useStores()
  const chosen = useView((state) => state.params.split)
  const kept = journal ? keptOf(journal, 'split') : undefined
  const items = kept?.items ?? []
  const found = chosen === undefined ? -1 : items.findIndex((split) => String(split.n) === chosen)
  const index = found >= 0 ? found : items.length - 1
  const step = useCallback(
    (by: number) => {
      const next = items[Math.max(0, Math.min(items.length - 1, index + by))]
      if (!next) return
      const newest = next === items.at(-1)
      view.getState().setParam('split', newest ? null : String(next.n))
    },
    [view, items, index],
  )
  const forgotten = (kept?.total ?? 0) - items.length
  return useMemo(
    () => ({
      split: items[index] ?? null,
      position: forgotten + index + 1,
      total: kept?.total ?? 0,
      step,
    }),
    [items, index, forgotten, kept?.total, step],
  )
}
