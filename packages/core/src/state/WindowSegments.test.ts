import { describe, expect, it } from 'vitest'
import { fromHex } from '../model/bytes.js'
import { MemoryByteStores } from './MemoryByteStores.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import { WindowSegments } from './WindowSegments.js'

function segmentsWith(...ids: number[]): WindowSegments {
  const segments = new WindowSegments('s', 60_000, new MemoryByteStores())
  for (const id of ids) segments.create(id)
  return segments
}

const idsOf = (segments: Iterable<{ readonly id: number }>) => Array.from(segments, ({ id }) => id)

/** A store with a great many entries that nobody may look at. */
class Unvisitable implements OrderedByteStore {
  size = 100_000
  bytes = 10_000_000
  get = () => this.#visited()
  put = () => this.#visited()
  set = () => this.#visited()
  delete = () => this.#visited()
  remove = () => this.#visited()
  range = () => this.#visited()
  deleteRange = () => this.#visited()

  clear(): void {
    this.size = 0
    this.bytes = 0
  }

  #visited(): never {
    throw new Error('an entry was visited')
  }
}

describe('WindowSegments', () => {
  it('finds only segments that were made, in any order', () => {
    const segments = segmentsWith(5, 1, 3)
    expect(idsOf(segments.all())).toEqual([1, 3, 5])
    expect([0, 1, 2, 3, 4, 5, 6].map((id) => segments.get(id)?.id)).toEqual([
      undefined,
      1,
      undefined,
      3,
      undefined,
      5,
      undefined,
    ])
  })

  it.each([
    [1, []],
    [2, [1]],
    [3, [1]],
    [4, [1, 3]],
    [6, [1, 3, 5]],
  ])('[S1] drops the segments below %d and keeps it', (leastLive, below) => {
    const segments = segmentsWith(1, 3, 5)
    expect(idsOf(segments.below(leastLive))).toEqual(below)
    segments.drop(leastLive)
    expect(idsOf(segments.all())).toEqual([1, 3, 5].filter((id) => !below.includes(id)))
  })

  it('[S4] drops and describes a segment without visiting its entries', () => {
    const entries = new Unvisitable()
    const segments = new WindowSegments('s', 60_000, { store: () => entries, names: () => [] })
    const segment = segments.create(2)
    expect(segments.facts(segment)).toEqual({
      store: 's',
      segment: 2,
      from: 120_000,
      to: 180_000,
      entries: 100_000,
      bytes: 10_000_000,
    })
    segments.drop(3)
    expect(segments.all()).toEqual([])
    expect(entries.size).toBe(0)
  })

  it('[S4] an iteration over a dropped segment ends', () => {
    const segments = segmentsWith(1)
    const { entries } = segments.get(1) as { entries: OrderedByteStore }
    for (const key of ['01', '02', '03']) entries.put(fromHex(key), fromHex(''))
    const iterator = entries.range()[Symbol.iterator]()
    iterator.next()
    segments.drop(2)
    expect(iterator.next().done).toBe(true)
  })

  it.each([
    [60_000, 359_999, [1, 3, 5]],
    [119_999, 300_000, [1, 3, 5]],
    [120_000, 299_999, [3]],
    [0, 59_999, []],
    [360_000, 900_000, []],
    [180_000, 180_000, [3]],
    [300_000, 60_000, []],
  ])('[S1] gives those that overlap %d to %d, in both directions', (from, to, ids) => {
    const segments = segmentsWith(1, 3, 5)
    expect(idsOf(segments.overlapping(from, to, false))).toEqual(ids)
    expect(idsOf(segments.overlapping(from, to, true))).toEqual([...ids].reverse())
  })

  it.each([false, true])('steps to what is there by then, reverse %s', (reverse) => {
    const segments = segmentsWith(3, 5, 7)
    const iterator = segments.overlapping(0, 600_000, reverse)
    expect(iterator.next().value?.id).toBe(reverse ? 7 : 3)
    segments.create(1)
    segments.create(4)
    segments.create(6)
    segments.create(8)
    expect(idsOf(iterator)).toEqual(reverse ? [6, 5, 4, 3, 1] : [4, 5, 6, 7, 8])
  })
})
