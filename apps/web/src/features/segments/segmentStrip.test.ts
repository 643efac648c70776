import type { StoreInspection } from '@lanescope/core'
import type { RareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { addRareEvents, emptyJournal, keptOf } from '../../live/journal.js'
import { toClockMoves } from './clockMoves.js'
import { segmentLabel } from './segmentLabel.js'
import { toSegmentStrips } from './segmentStrip.js'
import { toPendingRows } from './useStripModel.js'

const DAY = 86_400_000
const INTERVAL = 15 * DAY
const segment = (id: number, entries = 10) => ({
  store: 's',
  segment: id,
  from: id * INTERVAL,
  to: (id + 1) * INTERVAL,
  entries,
  bytes: 1,
})
const store = (ids: readonly number[], observed: number): StoreInspection => ({
  name: 's',
  kind: 'window',
  entries: 0,
  bytes: 0,
  windowed: {
    retentionMs: 30 * DAY,
    segmentIntervalMs: INTERVAL,
    observed,
    movedBy: null,
    readableAbove: observed - 30 * DAY,
    segments: ids.map((id) => segment(id)),
  },
})
const cause = { topic: 't', partition: 0, offset: 7, timestamp: 500 * INTERVAL }
const expired = (n: number, id: number, entries = 10): RareEvent => ({
  n,
  at: n,
  type: 'segment-expired',
  ...segment(id, entries),
  clockBefore: 12 * INTERVAL,
  clockAfter: cause.timestamp,
  causedBy: cause,
})
const states = (strip: ReturnType<typeof toSegmentStrips>[number] | undefined) =>
  strip?.boxes.map((box) => [box.segment, box.state])

describe('toSegmentStrips', () => {
  it('[S1] calls the oldest of several next to expire and the one with the observed time filling', () => {
    const [strip] = toSegmentStrips([store([11, 10, 12], 12 * INTERVAL)], emptyJournal, null)
    expect(states(strip)).toEqual([
      [10, 'next'],
      [11, 'live'],
      [12, 'filling'],
    ])
  })
  it('takes a segment as [from, to): its end belongs to the next one', () => {
    const [strip] = toSegmentStrips([store([11, 12], 12 * INTERVAL - 1)], emptyJournal, null)
    expect(states(strip)).toEqual([
      [11, 'filling'],
      [12, 'live'],
    ])
  })
  it('does not call a lone segment next to expire', () => {
    expect(states(toSegmentStrips([store([3], 9 * INTERVAL)], emptyJournal, null)[0])).toEqual([[3, 'live']])
  })
  it('[S5] keeps expired segments with what they held and who did it', () => {
    const journal = addRareEvents(emptyJournal, [expired(1, 10, 118)])
    const [strip] = toSegmentStrips([store([500], cause.timestamp)], journal, null)
    expect(states(strip)).toEqual([
      [10, 'expired'],
      [500, 'filling'],
    ])
    expect(segmentLabel('s', strip!.boxes[0]!)).toBe(
      's segment 1970-05-31 to 1970-06-15, expired, held 118 entries, expired by t-0 @ 7',
    )
  })
  it('shows a segment that lives again as alive', () => {
    const journal = addRareEvents(emptyJournal, [expired(1, 12)])
    expect(states(toSegmentStrips([store([12], 12 * INTERVAL)], journal, null)[0])).toEqual([[12, 'filling']])
  })
  it('[F5] marks what the previewed record would take, of this store alone', () => {
    const blast = { segments: [segment(10), { ...segment(11), store: 'other' }], windows: [], timers: [], refuses: [] }
    const [strip] = toSegmentStrips([store([10, 11], 11 * INTERVAL)], emptyJournal, blast)
    expect(strip?.boxes.map((box) => box.taken)).toEqual([true, false])
    expect(segmentLabel('s', strip!.boxes[0]!)).toContain('would expire')
  })
  it('[S3] counts refused puts of this store with the time they were for', () => {
    const refused = (n: number, name: string, reason: string): RareEvent => ({
      n,
      at: n,
      type: 'dropped',
      reason,
      node: 'a',
      store: name,
      coordinates: { ...cause, timestamp: 5 },
      detail: '',
      count: 4,
    })
    const journal = addRareEvents(emptyJournal, [
      refused(1, 's', 'expired_segment'),
      refused(2, 'other', 'expired_segment'),
      refused(3, 's', 'late_window'),
    ])
    const [strip] = toSegmentStrips([store([1], 0)], journal, null)
    expect(strip?.refusedCount).toBe(4)
    expect(strip?.refused[0]?.at).toBe(5)
  })
  it('has no strip for a store without windows', () => {
    expect(toSegmentStrips([{ name: 'kv', kind: 'key-value', entries: 1, bytes: 1 }], emptyJournal, null)).toEqual([])
  })
})

it('gathers what one record expired, and adds up what it held', () => {
  const journal = addRareEvents(emptyJournal, [expired(1, 10, 5), expired(2, 11, 6)])
  const moves = toClockMoves(keptOf(journal, 'segment-expired').items)
  expect(moves).toHaveLength(1)
  expect(moves[0]).toMatchObject({
    entries: 11,
    causedBy: cause,
    clockBefore: 12 * INTERVAL,
    clockAfter: cause.timestamp,
  })
})

it('lists pending event-time timers by node, none of the wall clock', () => {
  const timer = (node: string, domain: 'event-time' | 'processing-time') => ({
    node,
    domain,
    lane: 0,
    at: 1,
    key: 'k',
    keyBytes: '',
  })
  const rows = toPendingRows([
    timer('a', 'event-time'),
    timer('b', 'event-time'),
    timer('a', 'event-time'),
    timer('a', 'processing-time'),
  ])
  expect(rows.map((row) => [row.node, row.timers.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
})
