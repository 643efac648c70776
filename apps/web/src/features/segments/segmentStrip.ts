import type { StoreInspection } from '@lanescope/core'
import type { WireBlast, WireCoordinates, WireSegment } from '@lanescope/shared'
import { type Journal, keptOf, type RareOf } from '../../live/journal.js'
import type { Span } from '../../live/timeAxis.js'

export type SegmentState = 'filling' | 'live' | 'next' | 'expired'

/** One segment as the strip draws it: [from, to) of event time. */
export interface SegmentBox extends Span {
  readonly segment: number
  readonly state: SegmentState
  readonly entries: number
  readonly bytes: number
  /** For an expired one: the record that moved the clock past it, and the clock before and after. */
  readonly expiry: RareOf<'segment-expired'> | null
  /** Whether the record of the what-if would take it. */
  readonly taken: boolean
}

/** Puts that were refused because their segment had expired. */
export interface RefusedPut {
  readonly n: number
  readonly at: number
  readonly count: number
  readonly coordinates: WireCoordinates | null
  readonly detail: string
}

export interface SegmentStrip {
  readonly store: string
  readonly retentionMs: number
  readonly segmentIntervalMs: number
  /** −1 before the first put. */
  readonly observed: number
  readonly movedBy: WireCoordinates | null
  readonly readableAbove: number
  readonly boxes: readonly SegmentBox[]
  readonly refused: readonly RefusedPut[]
  readonly refusedCount: number
}

/** How many expired segments of a store stay drawn; older ones are in the log. */
const EXPIRED_DRAWN = 12

/** The strips of all windowed stores, in the order of the engine. */
export function toSegmentStrips(
  stores: readonly StoreInspection[],
  journal: Journal,
  blast: WireBlast | null,
): readonly SegmentStrip[] {
  return stores.flatMap((store) => (store.windowed ? [toStrip(store.name, store.windowed, journal, blast)] : []))
}

function toStrip(
  store: string,
  windowed: NonNullable<StoreInspection['windowed']>,
  journal: Journal,
  blast: WireBlast | null,
): SegmentStrip {
  const { retentionMs, segmentIntervalMs, observed, movedBy, readableAbove } = windowed
  const taken = new Set((blast?.segments ?? []).filter((one) => one.store === store).map((one) => one.segment))
  const alive = [...windowed.segments].sort((a, b) => a.segment - b.segment)
  const live = alive.map((segment) => ({
    ...boxOf(segment),
    state: stateOf(segment, alive, observed),
    expiry: null,
    taken: taken.has(segment.segment),
  }))
  const aliveIds = new Set(alive.map((segment) => segment.segment))
  const expired = keptOf(journal, 'segment-expired')
    .items.filter((event) => event.store === store && !aliveIds.has(event.segment))
    .slice(-EXPIRED_DRAWN)
    .map((event) => ({ ...boxOf(event), state: 'expired' as const, expiry: event, taken: false }))
  const refused = refusedOf(store, journal)
  return {
    store,
    retentionMs,
    segmentIntervalMs,
    observed,
    movedBy,
    readableAbove,
    boxes: [...newestOfEach(expired), ...live].sort((a, b) => a.from - b.from),
    refused,
    refusedCount: refused.reduce((sum, put) => sum + put.count, 0),
  }
}

/** A segment that expired twice (made again by a later run of the clock) is drawn as it expired last. */
function newestOfEach(boxes: readonly SegmentBox[]): readonly SegmentBox[] {
  return [...new Map(boxes.map((box) => [box.segment, box])).values()]
}

function boxOf(segment: WireSegment) {
  const { from, to, entries, bytes } = segment
  return { segment: segment.segment, from, to, entries, bytes }
}

/** The oldest of several is the next to go; the one that the observed time stands in is being filled. */
function stateOf(segment: WireSegment, alive: readonly WireSegment[], observed: number): SegmentState {
  if (observed >= segment.from && observed < segment.to) return 'filling'
  return alive.length > 1 && segment.segment === alive[0]?.segment ? 'next' : 'live'
}

function refusedOf(store: string, journal: Journal): readonly RefusedPut[] {
  return keptOf(journal, 'dropped')
    .items.filter((event) => event.reason === 'expired_segment' && event.store === store)
    .map(({ n, coordinates, count, detail }) => ({ n, at: coordinates?.timestamp ?? -1, count, coordinates, detail }))
}

export interface AxisMarks {
  readonly wall: number
  readonly whatIf: number | null
}

/** What the shared axis has to show: every box, both clocks, refused puts, and room to drag the what-if ahead. */
export function stripSpans(strips: readonly SegmentStrip[], marks: AxisMarks): readonly Span[] {
  const moment = (at: number): Span => ({ from: at, to: at })
  const interval = longestInterval(strips)
  return [
    ...strips.flatMap((strip) => [
      ...strip.boxes,
      ...(strip.observed < 0 ? [] : [moment(strip.observed)]),
      ...strip.refused.filter((put) => put.at >= 0).map((put) => moment(put.at)),
    ]),
    { from: marks.wall, to: marks.wall + interval },
    ...(marks.whatIf === null
      ? []
      : [{ from: Math.max(0, marks.whatIf - interval / 2), to: marks.whatIf + interval / 2 }]),
  ]
}

export function longestInterval(strips: readonly SegmentStrip[]): number {
  return Math.max(60_000, ...strips.map((strip) => strip.segmentIntervalMs))
}

/** The strip whose observed time is furthest; null when nothing was put yet. */
export function observedOf(strips: readonly SegmentStrip[]): SegmentStrip | null {
  return strips.reduce<SegmentStrip | null>(
    (best, strip) => (strip.observed > (best?.observed ?? -1) ? strip : best),
    null,
  )
}
