import { useMemo } from 'react'
import { lanesOf } from '../../live/figures.js'
import { useLive } from '../../live/LiveProvider.js'
import type { TimerCounts } from './TimerLegend.js'
import {
  type Clocks,
  type GroupBy,
  type TimerMark,
  type TimerRow,
  toTimerMarks,
  toTimerRows,
  withinView,
} from './timerMarks.js'

export interface TimerModel {
  /** Nodes that use keyed timers. */
  readonly nodes: readonly string[]
  readonly node: string
  readonly marks: readonly TimerMark[]
  readonly rows: readonly TimerRow[]
  readonly clocks: Clocks
  readonly counts: TimerCounts
}

/** The timers of one node as far as frames show them; null while no node with timers was measured. */
export function useTimerModel(chosen: string | undefined, by: GroupBy): TimerModel | null {
  const view = useLive((state) => state.view)
  return useMemo(() => {
    if (!view?.frame) return null
    const withTimers = [...view.figures.nodes.values()].filter((node) => node.timers !== null)
    const figures = withTimers.find((node) => node.node === chosen) ?? withTimers[0]
    if (!figures?.timers) return null
    const clocks: Clocks = { event: figures.eventClock, wall: view.frame.snapshot.clocks.wall }
    const all = toTimerMarks(figures.node, view.timerEvents, view.frame.pendingTimers, clocks)
    const marks = withinView(all, clocks)
    const lanes = lanesOf(view.figures, figures.subTopology).map((lane) => lane.lane)
    const { pending, fired, replaced, deleted } = figures.timers
    const due = marks.filter((mark) => mark.state === 'due').length
    return {
      nodes: withTimers.map((node) => node.node),
      node: figures.node,
      marks,
      rows: toTimerRows(marks, lanes, by),
      clocks,
      counts: { pending, fired, replaced, deleted, due },
    }
  }, [view, chosen, by])
}
