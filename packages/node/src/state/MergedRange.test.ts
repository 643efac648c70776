import { describe, expect, it } from 'vitest'
import { packEntries } from '../../test/packEntries.js'
import { EntrySource, type Place } from './EntrySource.js'
import { type Change, isBefore } from './entry.js'
import { MergedRange, type Sources } from './MergedRange.js'

const bytes = (...values: number[]) => Uint8Array.from(values)

class ListSource extends EntrySource {
  readonly #left: Change[]

  constructor(
    changes: readonly Change[],
    { from, reverse }: Place,
    private readonly steps: { count: number },
  ) {
    super()
    this.#left = changes.filter(([key]) => from === undefined || isBefore(key, from) === reverse)
    if (reverse) this.#left.reverse()
  }

  next(): boolean {
    this.steps.count++
    const next = this.#left.shift()
    if (next === undefined) return false
    this.set(packEntries([next]).bytes, 0)
    return true
  }
}

/** Lists of changes in the order of their keys, the newest first. */
class Lists implements Sources {
  version = 1
  emptyBelow: Uint8Array | undefined
  readonly steps = { count: 0 }

  constructor(public lists: readonly (readonly Change[])[]) {}

  sources(place: Place): EntrySource[] {
    return this.lists.map((list) => new ListSource(list, place, this.steps))
  }

  failed(error: unknown): Error {
    return error as Error
  }
}

const put = (key: number, value = key): Change => [bytes(key), bytes(value)]
const del = (key: number): Change => [bytes(key), undefined]

function read(range: MergedRange, most = 99): number[][] {
  const found: number[][] = []
  for (let next = range.next(); !next.done; next = range.next()) {
    found.push([next.value[0][0] as number, next.value[1][0] as number])
    if (found.length === most) break
  }
  return found
}

describe('a range over several sources', () => {
  const lists = [
    [put(2, 20), del(4), put(9, 90)],
    [put(1), put(2), del(3), put(4), put(6)],
    [put(3), put(4), put(5), put(9)],
  ]

  it('gives each key once, as the newest has it, and none that the newest has deleted', () => {
    const all = [
      [1, 1],
      [2, 20],
      [5, 5],
      [6, 6],
      [9, 90],
    ]
    expect(read(new MergedRange(new Lists(lists), {}))).toEqual(all)
    expect(read(new MergedRange(new Lists(lists), { reverse: true }))).toEqual(all.reverse())
  })

  it('begins at its first key and ends before its last', () => {
    const keys = (from: number, to: number, reverse = false) =>
      read(new MergedRange(new Lists(lists), { from: bytes(from), to: bytes(to), reverse })).map(([key]) => key)
    expect(keys(2, 6)).toEqual([2, 5])
    expect(keys(3, 9)).toEqual([5, 6])
    expect(keys(2, 6, true)).toEqual([5, 2])
    expect(keys(3, 10, true)).toEqual([9, 6, 5])
    expect(keys(7, 9)).toEqual([])
    expect(keys(6, 2)).toEqual([])
  })

  it('finds its place again when its sources change, by the last key it gave', () => {
    for (const reverse of [false, true]) {
      const store = new Lists([[put(2), put(4), put(6), put(8)]])
      const range = new MergedRange(store, { reverse })
      expect(read(range, 2)).toEqual(
        reverse
          ? [
              [8, 8],
              [6, 6],
            ]
          : [
              [2, 2],
              [4, 4],
            ],
      )
      store.lists = [
        [del(8), put(4, 40), put(5, 50), put(6, 60)].sort(([a], [b]) => (isBefore(a, b) ? -1 : 1)),
        ...store.lists,
      ]
      store.version++
      expect(read(range)).toEqual(
        reverse
          ? [
              [5, 50],
              [4, 40],
              [2, 2],
            ]
          : [
              [5, 50],
              [6, 60],
            ],
      )
      expect(range.next().done).toBe(true)
    }
  })

  it('does not pass by what is deleted at the beginning a second time', () => {
    const gone = Array.from({ length: 100 }, (_, i) => i)
    const store = new Lists([gone.map(del), [...gone.map((key) => put(key)), put(100), put(101)]])
    const first = () => read(new MergedRange(store, {}), 1)
    expect(first()).toEqual([[100, 100]])
    expect(store.steps.count).toBeGreaterThan(200)
    store.steps.count = 0
    expect(first()).toEqual([[100, 100]])
    expect(read(new MergedRange(store, { from: bytes(7) }), 1)).toEqual([[100, 100]])
    expect(read(new MergedRange(store, { from: bytes(100) }), 1)).toEqual([[100, 100]])
    expect(store.steps.count).toBeLessThan(20)
    expect(read(new MergedRange(store, { to: bytes(100) }))).toEqual([])
    expect(read(new MergedRange(store, { from: bytes(101) }))).toEqual([[101, 101]])
    expect(store.emptyBelow).toEqual(bytes(100))
    expect(read(new MergedRange(store, { reverse: true }))).toEqual([
      [101, 101],
      [100, 100],
    ])
  })

  it('knows nothing of what lies before a range that begins in the middle', () => {
    const store = new Lists([[put(1), del(5), put(7)]])
    expect(read(new MergedRange(store, { from: bytes(3) }))).toEqual([[7, 7]])
    expect(store.emptyBelow).toBeUndefined()
    expect(read(new MergedRange(store, {}))).toEqual([
      [1, 1],
      [7, 7],
    ])
    expect(store.emptyBelow).toEqual(bytes(1))
    const reversed = new Lists([[put(1), del(5)]])
    read(new MergedRange(reversed, { reverse: true }))
    expect(reversed.emptyBelow).toBeUndefined()
  })

  it('asks its store what a read that failed means', () => {
    const store = new Lists([])
    store.sources = () => {
      throw new Error('of the disk')
    }
    store.failed = (error) => new Error(`translated: ${(error as Error).message}`)
    expect(() => new MergedRange(store, {}).next()).toThrow('translated: of the disk')
  })
})
