import type { LaneFigures } from '../../live/figures.js'
import type { RareOf } from '../../live/journal.js'
import { BUSY_LIMIT, causeOf } from '../../live/pressure.js'

export type Split = RareOf<'split'>

/** How one column of the board is drawn. */
export interface LaneCell {
  readonly figures: LaneFigures
  /** 0 … 1 of the queue's capacity. */
  readonly fill: number
  readonly cause: boolean
  /** The key that presses the lane; null when no key stands out or nothing presses. */
  readonly hotKey: string | null
  /** The lane's part in the split that is shown. */
  readonly part: 'records' | 'timers' | null
}

/** Half of a pressed lane's records: from here on a key is called hot. */
const HOT_SHARE = 0.5
const HOT_BUSY = 0.8

export function toLaneCells(lanes: readonly LaneFigures[], split: Split | null): readonly LaneCell[] {
  return lanes.map((figures) => ({
    figures,
    fill: figures.capacity > 0 ? Math.min(1, figures.queued / figures.capacity) : 0,
    cause: causeOf(figures) !== null || (figures.busy ?? 0) >= BUSY_LIMIT,
    hotKey: hotKeyOf(figures),
    part: partOf(figures.lane, split),
  }))
}

/** Sub-topologies that have lanes, in order. */
export function subTopologiesOf(lanes: readonly LaneFigures[]): readonly number[] {
  return [...new Set(lanes.map((lane) => lane.subTopology))].sort((a, b) => a - b)
}

/** How many splits of the run put their key on the same two lanes as this one. */
export function sameTrack(splits: readonly Split[], split: Split): number {
  return splits.filter((one) => one.recordLane === split.recordLane && one.timerLane === split.timerLane).length
}

/** From this many lanes on the columns lose their words. */
export const CROWDED_FROM = 17

function hotKeyOf({ topKey, busy, queued, capacity }: LaneFigures): string | null {
  if (topKey === null || topKey.share < HOT_SHARE) return null
  const pressed = (busy ?? 0) >= HOT_BUSY || (capacity > 0 && queued >= capacity / 2)
  return pressed ? topKey.key : null
}

function partOf(lane: number, split: Split | null): LaneCell['part'] {
  if (split === null) return null
  if (lane === split.recordLane) return 'records'
  return lane === split.timerLane ? 'timers' : null
}
