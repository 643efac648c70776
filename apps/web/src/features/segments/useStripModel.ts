import type { WireTimer } from '@lanescope/shared'
import { useMemo } from 'react'
import { formatDateTime, formatNear } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { type FlagWish, type PlacedFlag, placeFlags } from '../../live/placeFlags.js'
import { buildTimeAxis, type TimeAxis } from '../../live/timeAxis.js'
import type { WhatIf } from '../../live/whatIf.js'
import { longestInterval, observedOf, type SegmentStrip, stripSpans, toSegmentStrips } from './segmentStrip.js'
import { FLAG_ROW, flagWidth } from './TimeAxisMarks.js'
import { whatIfWords } from './WhatIfMarker.js'

export interface StripModel {
  readonly strips: readonly SegmentStrip[]
  readonly axis: TimeAxis
  readonly wall: number
  /** The strip with the furthest observed time. */
  readonly leader: SegmentStrip | null
  /** Pending event-time timers by node, on the same axis. */
  readonly timers: readonly PendingRow[]
  readonly flags: ReadonlyMap<string, PlacedFlag>
  /** Where the strips begin: below as many rows of flags as were needed. */
  readonly top: number
}

export interface PendingRow {
  readonly node: string
  readonly timers: readonly WireTimer[]
}

export function observedWords({ leader }: Pick<StripModel, 'leader'>): string {
  return `observed ${formatDateTime(leader?.observed ?? -1)}`
}

export function wallWords({ leader, wall }: Pick<StripModel, 'leader' | 'wall'>): string {
  return `wall ${formatNear(wall, leader?.observed ?? wall, 'minute')}`
}

/** Flags begin below the tick labels. */
const FLAGS_AT = 44
/** The wall clock moves the axis in steps of this, so that it stands still while one reads it. */
const WALL_STEP_MS = 60_000

/**
 * Strips and the axis they share; null while no windowed store was measured. While the marker is dragged the axis
 * stays as it was for `held`, so that the marker stays under the pointer.
 */
export function useStripModel(width: number, whatIf: WhatIf | null, held: number | null): StripModel | null {
  const stores = useLive((state) => state.view?.frame?.snapshot.stores)
  const wall = useLive((state) => state.view?.frame?.snapshot.clocks.wall)
  const journal = useLive((state) => state.view?.journal)
  const pending = useLive((state) => state.view?.frame?.pendingTimers)
  const timers = useMemo(() => toPendingRows(pending ?? []), [pending])
  const blast = whatIf?.answer.state === 'answered' ? whatIf.answer.preview.blast : null
  const strips = useMemo(
    () => (stores && journal ? toSegmentStrips(stores, journal, blast) : []),
    [stores, journal, blast],
  )
  const steadyWall = wall === undefined ? 0 : Math.floor(wall / WALL_STEP_MS) * WALL_STEP_MS
  const at = held ?? whatIf?.timestamp ?? null
  const axis = useMemo(
    () =>
      buildTimeAxis({
        spans: stripSpans(strips, { wall: steadyWall, whatIf: at }),
        width: Math.max(200, width),
        breakWidth: 64,
        leastPiece: 150,
        leastSpanMs: longestInterval(strips),
      }),
    [strips, steadyWall, at, width],
  )
  if (strips.length === 0 || wall === undefined) return null
  const leader = observedOf(strips)
  const flags = flagsOf(axis, leader, wall, whatIf?.timestamp ?? null)
  const rows = Math.max(1, ...[...flags.values()].map((flag) => flag.row + 1))
  return { strips, axis, wall, leader, timers, flags, top: FLAGS_AT + rows * FLAG_ROW }
}

function flagsOf(axis: TimeAxis, leader: SegmentStrip | null, wall: number, whatIf: number | null) {
  const wish = (id: string, at: number, words: string, side: FlagWish['side']): FlagWish => ({
    id,
    x: Math.max(0, Math.min(axis.width, axis.x(at))),
    width: flagWidth(words),
    side,
  })
  // The what-if is drawn last: lines of flags in the rows above then pass behind its words.
  const wishes = [
    ...(whatIf === null ? [] : [wish('what-if', whatIf, whatIfWords(whatIf), 'centre')]),
    ...(leader ? [wish('observed', leader.observed, observedWords({ leader }), 'left')] : []),
    wish('wall', wall, wallWords({ leader, wall }), 'right'),
  ]
  return placeFlags(wishes, axis.width)
}

/** Timers of one node a row, so that the what-if is seen to take them too. */
export function toPendingRows(pending: readonly WireTimer[]): readonly PendingRow[] {
  const byNode = new Map<string, WireTimer[]>()
  for (const timer of pending) {
    if (timer.domain !== 'event-time') continue
    const ofNode = byNode.get(timer.node)
    if (ofNode) ofNode.push(timer)
    else byNode.set(timer.node, [timer])
  }
  return [...byNode].map(([node, timers]) => ({ node, timers }))
}
