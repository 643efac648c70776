import { describe, expect, it } from 'vitest'
import { SeededRandom } from '../time/Random.js'
import { OrderedReferences, ReferenceCursor } from './OrderedReferences.js'

/** References whose keys are numbers, in two bytes. */
function numbers() {
  const keys: number[] = []
  const gone = new Set<number>()
  const order = new OrderedReferences({
    compare: (a, b) => (keys[a] as number) - (keys[b] as number),
    compareKey: (reference, key) => (keys[reference] as number) - numberOf(key),
    isGone: (reference) => gone.has(reference),
  })
  const add = (key: number) => {
    keys.push(key)
    order.add(keys.length - 1)
    return keys.length - 1
  }
  const keyOf = (reference: number) => (reference < 0 ? undefined : keys[reference])
  const up = (from?: number, behind = false) => {
    const cursor = new ReferenceCursor()
    const found: number[] = []
    for (let at = keyOf(order.ascend(cursor, bytes(from), behind)); at !== undefined; ) {
      found.push(at)
      at = keyOf(order.ascend(cursor, bytes(at), true))
    }
    return found
  }
  const down = (below?: number) => {
    const cursor = new ReferenceCursor()
    const found: number[] = []
    for (let at = keyOf(order.descend(cursor, bytes(below))); at !== undefined; ) {
      found.push(at)
      at = keyOf(order.descend(cursor, bytes(at)))
    }
    return found
  }
  return { order, gone, add, up, down, keyOf }
}

const bytes = (key: number | undefined) => (key === undefined ? undefined : Uint8Array.of(key >> 8, key))
const numberOf = (key: Uint8Array) => ((key[0] as number) << 8) | (key[1] as number)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('OrderedReferences', () => {
  it('gives what was added in order, from a key on, behind it, and below it', () => {
    const { add, up, down } = numbers()
    for (const key of [5, 1, 3]) add(key)
    expect([up(), up(3), up(3, true), up(4), up(6)]).toEqual([[1, 3, 5], [3, 5], [5], [5], []])
    expect([down(), down(5), down(4), down(1)]).toEqual([[5, 3, 1], [3, 1], [3, 1], []])
  })

  it('sees what is added ahead of a cursor, and passes over what is gone', () => {
    const { order, gone, add, keyOf } = numbers()
    const [, two] = [add(1), add(2), add(9)]
    const cursor = new ReferenceCursor()
    expect(keyOf(order.ascend(cursor, undefined, false))).toBe(1)
    gone.add(two as number)
    add(4)
    expect(keyOf(order.ascend(cursor, bytes(1), true))).toBe(4)
    expect(keyOf(order.ascend(cursor, bytes(4), true))).toBe(9)
    expect(order.ascend(cursor, bytes(9), true)).toBe(-1)
  })

  it.each([
    ['in order', (i: number) => i],
    ['backwards', (i: number) => 4_999 - i],
    ['from both ends', (i: number) => (i % 2 === 0 ? i / 2 : 4_999 - (i - 1) / 2)],
    ['scattered', (i: number) => (i * 2_477) % 5_000],
  ])('keeps chunks of thousands that come %s', (_, keyOf) => {
    for (const readEvery of [1, 700, 10_000]) {
      const { add, up, down } = numbers()
      for (let i = 0; i < 5_000; i++) {
        add(keyOf(i))
        if (i % readEvery === 0) up(4_998)
      }
      expect(up()).toEqual(upTo(5_000))
      expect(down(2_500)).toEqual(upTo(2_500).reverse())
    }
  })

  it('changes its version only when a reference has come or moved', () => {
    const { order, add } = numbers()
    const first = order.version
    expect(order.version).toBe(first)
    add(1)
    const second = order.version
    expect(second).not.toBe(first)
    order.clear()
    expect(order.version).not.toBe(second)
    expect([...order.all()]).toEqual([])
  })

  it.each([1, 2, 3])('agrees with a sorted list under random operations, seed %d', (seed) => {
    const random = new SeededRandom(seed)
    const below = (n: number) => Math.floor(random.next() * n)
    const { order, gone, add, up, down, keyOf } = numbers()
    const living = new Map<number, number>()
    for (let round = 0; round < 120; round++) {
      for (let i = below(round % 7 === 0 ? 1_500 : 6); i > 0; i--) {
        const key = below(3_000)
        if (living.has(key)) {
          gone.add(living.get(key) as number)
          living.delete(key)
        } else living.set(key, add(key))
      }
      const expected = [...living.keys()].sort((a, b) => a - b)
      const from = below(3_000)
      expect(up(from)).toEqual(expected.filter((key) => key >= from))
      expect(down(from)).toEqual(expected.filter((key) => key < from).reverse())
      expect([...order.all()].map(keyOf)).toEqual(expected)
    }
  })
})
