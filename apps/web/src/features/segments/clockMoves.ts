import type { WireCoordinates } from '@lanescope/shared'
import type { RareOf } from '../../live/journal.js'

/** A record that moved a clock and thereby expired segments: what they held, store by store. */
export interface ClockMove {
  readonly n: number
  readonly causedBy: WireCoordinates | null
  readonly clockBefore: number
  readonly clockAfter: number
  readonly segments: readonly RareOf<'segment-expired'>[]
  readonly entries: number
}

/** Whether a clock that went on in its own time let old segments go, as retention asks: no more than its own length on. */
export function isOrdinary({ clockBefore, clockAfter, segments }: ClockMove): boolean {
  const [first] = segments
  return first !== undefined && clockBefore >= 0 && clockAfter - clockBefore <= first.to - first.from
}

/** Expiries by the record that caused them, the newest first. */
export function toClockMoves(expired: readonly RareOf<'segment-expired'>[]): readonly ClockMove[] {
  const moves = new Map<string, RareOf<'segment-expired'>[]>()
  for (const event of expired) {
    const by = event.causedBy
    const key = by ? `${by.topic} ${by.partition} ${by.offset}` : `clock ${event.clockAfter}`
    const list = moves.get(key)
    if (list) list.push(event)
    else moves.set(key, [event])
  }
  return [...moves.values()].flatMap(toMove).reverse()
}

function toMove(segments: readonly RareOf<'segment-expired'>[]): readonly ClockMove[] {
  const first = segments[0]
  const last = segments.at(-1)
  if (!first || !last) return []
  return [
    {
      n: first.n,
      causedBy: first.causedBy,
      clockBefore: Math.min(...segments.map((event) => event.clockBefore)),
      clockAfter: Math.max(...segments.map((event) => event.clockAfter)),
      segments,
      entries: segments.reduce((sum, event) => sum + event.entries, 0),
    },
  ]
}
