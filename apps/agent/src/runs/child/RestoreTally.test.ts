import type { RestoreFacts } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { RestoreTally } from './RestoreTally.js'

const facts = (
  owner: string,
  [records, left, leftMs]: readonly [number, number, number?],
  [totalLeft, elapsedMs, storesLeft]: readonly [number, number, number],
): RestoreFacts => ({
  owner,
  topic: `app-${owner}-changelog`,
  records,
  bytes: 10 * records,
  left,
  elapsedMs,
  leftMs,
  total: { records, bytes: 10 * records, left: totalLeft, elapsedMs, leftMs, stores: 2, storesLeft },
})

describe('RestoreTally', () => {
  it('knows how much there was from the first word of each store, and no time before something came', () => {
    const tally = new RestoreTally()
    const first = tally.take(facts('a', [0, 100], [150, 0, 2]), 7)
    expect(first).toEqual({
      ...{ at: 7, elapsedMs: 0, records: 0, bytes: 0, offsets: 150, left: 150, stores: 2, storesLeft: 2 },
      parts: [{ store: 'a', records: 0, bytes: 0, offsets: 100, left: 100 }],
    })
    const next = tally.take(facts('a', [30, 60, 90], [110, 5, 2]), 8)
    expect(next).toMatchObject({ offsets: 150, left: 110, leftMs: 90 })
    expect(next.parts).toEqual([{ store: 'a', records: 30, bytes: 300, offsets: 100, left: 60, leftMs: 90 }])
  })

  it('keeps stores in the order of their turns', () => {
    const tally = new RestoreTally()
    tally.take(facts('b', [5, 0, 0], [50, 1, 1]), 1)
    const { parts } = tally.take(facts('a', [0, 50], [50, 2, 1]), 2)
    expect(parts.map(({ store, left }) => [store, left])).toEqual([
      ['b', 0],
      ['a', 50],
    ])
  })

  it('begins anew with a restart in place', () => {
    const tally = new RestoreTally()
    tally.take(facts('a', [0, 100], [150, 0, 2]), 1)
    tally.take(facts('a', [100, 0, 0], [50, 9, 1]), 2)
    expect(tally.take(facts('b', [0, 20], [20, 9, 1]), 3)).toMatchObject({ offsets: 150 })
    const again = tally.take(facts('b', [0, 20], [20, 8, 1]), 4)
    expect(again).toMatchObject({ offsets: 20, left: 20 })
    expect(again.parts.map(({ store }) => store)).toEqual(['b'])
  })
})
