import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderedByteStoreContract } from '../../../test/orderedByteStoreContract.js'
import { MemoryByteStore } from '../MemoryByteStore.js'
import { EpochByteStore } from './EpochByteStore.js'
import { NO_VALUE, NOT_LOOKED_UP, newChangeView } from './PackedChanges.js'

/** As a backend does it: the epoch's final values into the base, then the layer goes. */
function commit(store: EpochByteStore, base: MemoryByteStore, epoch: number): void {
  const layer = store.layerOf(epoch)
  if (layer?.cleared) base.clear()
  for (const [key, value] of layer ?? []) {
    if (value === undefined) base.delete(key)
    else base.put(key, value)
  }
  store.settle(epoch)
}

const bytes = (...values: number[]) => Uint8Array.from(values)

orderedByteStoreContract('EpochByteStore', () => new EpochByteStore('s', new MemoryByteStore(), () => 1))

function at(epoch: number, base = new MemoryByteStore()) {
  let open = epoch
  const store = new EpochByteStore('s', base, () => open)
  return { base, store, cut: () => open++, list: () => [...store.range()].map(([key, value]) => [key[0], value[0]]) }
}

describe('EpochByteStore', () => {
  it('[E2] reads through the open epoch, the committing one, then what is committed', () => {
    const base = new MemoryByteStore()
    base.put(bytes(1), bytes(10))
    const { store, cut } = at(1, base)
    store.put(bytes(2), bytes(20))
    cut()
    store.put(bytes(3), bytes(30))
    store.put(bytes(2), bytes(21))
    expect([1, 2, 3].map((key) => store.get(bytes(key))?.[0])).toEqual([10, 21, 30])
    expect(base.size).toBe(1)
  })

  it('[E2] a commit moves the older layer alone into what is committed', () => {
    const { base, store, cut, list } = at(1)
    store.put(bytes(1), bytes(10))
    cut()
    store.put(bytes(1), bytes(11))
    store.put(bytes(2), bytes(20))
    commit(store, base, 1)
    expect(base.get(bytes(1))?.[0]).toBe(10)
    expect(base.size).toBe(1)
    expect(list()).toEqual([
      [1, 11],
      [2, 20],
    ])
    commit(store, base, 2)
    expect(base.get(bytes(1))?.[0]).toBe(11)
    expect(base.size).toBe(2)
  })

  it('[E2] an abort throws both live epochs away', () => {
    const base = new MemoryByteStore()
    base.put(bytes(1), bytes(10))
    const { store, cut, list } = at(1, base)
    store.delete(bytes(1))
    cut()
    store.put(bytes(2), bytes(20))
    store.abort()
    expect(list()).toEqual([[1, 10]])
    expect(store.size).toBe(1)
    expect(store.bytes).toBe(2)
  })

  it('[E2] a range that is open over an abort gives what is committed from there on', () => {
    const base = new MemoryByteStore()
    for (const key of [1, 2, 4]) base.put(bytes(key), bytes(10 * key))
    const { store, cut } = at(1, base)
    store.put(bytes(2), bytes(21))
    cut()
    store.put(bytes(3), bytes(30))
    store.delete(bytes(4))
    const range = store.range()[Symbol.iterator]()
    expect(range.next().value).toEqual([bytes(1), bytes(10)])
    store.abort()
    expect([range.next().value, range.next().value, range.next().done]).toEqual([
      [bytes(2), bytes(20)],
      [bytes(4), bytes(40)],
      true,
    ])
  })

  it('[E2] [S8] a cleared store hides what is committed at once, and gives it back on abort', () => {
    const base = new MemoryByteStore()
    base.put(bytes(1), bytes(10))
    const store = new EpochByteStore('s', base, () => 1)
    store.clear()
    store.put(bytes(2), bytes(20))
    expect([...store.range()].map(([key]) => key[0])).toEqual([2])
    expect(store.get(bytes(1))).toBeUndefined()
    expect(store.size).toBe(1)
    expect(base.size).toBe(1)
    store.abort()
    expect([...store.range()].map(([key]) => key[0])).toEqual([1])
    expect(store.size).toBe(1)
  })

  it('[E8] within an epoch only the final value per key is left to log', () => {
    const { store, cut } = at(1)
    store.put(bytes(1), bytes(10))
    store.put(bytes(1), bytes(11))
    store.put(bytes(2), bytes(20))
    store.delete(bytes(2))
    cut()
    store.put(bytes(3), bytes(30))
    const logged = [...(store.layerOf(1) ?? [])].map(([key, value]) => [key[0], value?.[0]])
    expect(logged).toEqual([
      [1, 11],
      [2, undefined],
    ])
    expect(store.layerOf(3)).toBeUndefined()
  })

  describe('tells with a change how long the value is that it takes the place of', () => {
    const long = (length: number) => new Uint8Array(length).fill(5)
    /** What the changes of an epoch say, by the first byte of their keys. */
    function befores(store: EpochByteStore, epoch: number): { [key: number]: number } {
      const layer = store.layerOf(epoch)
      const view = newChangeView()
      const found: { [key: number]: number } = {}
      for (let i = 0; i < (layer?.size ?? 0); i++) {
        layer?.look(i, view)
        found[view.key[view.keyFrom] as number] = view.before
      }
      return found
    }

    function filled() {
      const base = new MemoryByteStore()
      for (const key of [1, 2, 3]) base.put(bytes(key), long(key))
      return at(1, base)
    }

    it('where the key was read right before, or with the write', () => {
      const { store } = filled()
      store.get(bytes(1))
      store.set(bytes(1), long(9))
      store.put(bytes(2), long(9))
      store.delete(bytes(3))
      store.get(bytes(4))
      store.set(bytes(4), long(9))
      store.put(bytes(5), long(9))
      store.delete(bytes(6))
      expect(befores(store, 1)).toEqual({ 1: 1, 2: 2, 3: 3, 4: NO_VALUE, 5: NO_VALUE })
      store.set(bytes(1), long(7))
      store.get(bytes(1))
      store.set(bytes(1), long(6))
      store.put(bytes(3), long(5))
      expect(befores(store, 1)).toEqual({ 1: 1, 2: 2, 3: 3, 4: NO_VALUE, 5: NO_VALUE })
    })

    it('not where it was not read, or another one since', () => {
      const { store } = filled()
      store.set(bytes(1), long(9))
      store.remove(bytes(2))
      store.get(bytes(3))
      store.get(bytes(4))
      store.set(bytes(3), long(9))
      expect(befores(store, 1)).toEqual({ 1: NOT_LOOKED_UP, 2: NOT_LOOKED_UP, 3: NOT_LOOKED_UP })
    })

    it.each([
      [64, 1],
      [65, NOT_LOOKED_UP],
    ])('of a key of %d bytes: %d', (length, before) => {
      const { base, store } = filled()
      base.put(long(length), long(1))
      store.get(long(length))
      store.set(long(length), long(2))
      expect([befores(store, 1), store.get(long(length))]).toEqual([{ 5: before }, long(2)])
    })

    it('is what the epoch before it has written, though it was read before the cut', () => {
      const { base, store, cut } = filled()
      store.put(bytes(1), long(10))
      store.put(bytes(2), long(20))
      store.delete(bytes(3))
      store.get(bytes(2))
      cut()
      store.set(bytes(2), long(21))
      store.put(bytes(1), long(11))
      store.put(bytes(3), long(31))
      store.set(bytes(3), long(32))
      expect(befores(store, 2)).toEqual({ 1: 10, 2: 20, 3: NO_VALUE })
      expect([2, 3].map((key) => store.get(bytes(key))?.length)).toEqual([21, 32])
      commit(store, base, 1)
      store.set(bytes(3), long(33))
      commit(store, base, 2)
      expect([1, 2, 3].map((key) => base.get(bytes(key))?.length)).toEqual([11, 21, 33])
    })

    it('with where the committed store said that it lies, if it was asked', () => {
      class Placed extends MemoryByteStore {
        place = 0

        override get(key: Uint8Array): Uint8Array | undefined {
          this.place = 100 + (key[0] as number)
          return super.get(key)
        }
      }
      const { store, cut } = at(1, new Placed())
      const places = (epoch: number) => {
        const layer = store.layerOf(epoch)
        const view = newChangeView()
        return Array.from({ length: layer?.size ?? 0 }, (_, i) => {
          layer?.look(i, view)
          return [view.key[view.keyFrom], view.place]
        })
      }
      store.set(bytes(1), bytes(1))
      store.put(bytes(2), bytes(1))
      store.get(bytes(3))
      store.get(bytes(2))
      store.set(bytes(3), bytes(1))
      cut()
      store.put(bytes(2), bytes(2))
      store.put(bytes(4), bytes(2))
      expect(places(1).concat([[]], places(2))).toEqual([[1, 0], [2, 102], [3, 0], [], [2, 0], [4, 104]])
      store.clear()
      store.put(bytes(5), bytes(2))
      expect(places(2)).toEqual([[5, 0]])
    })

    it('is none where the epoch has cleared the store, and nothing that was read before it or an abort', () => {
      const { store } = filled()
      store.get(bytes(1))
      store.clear()
      store.set(bytes(1), long(9))
      store.set(bytes(2), long(9))
      expect(befores(store, 1)).toEqual({ 1: NO_VALUE, 2: NO_VALUE })
      store.put(bytes(2), long(8))
      store.clear()
      store.set(bytes(2), long(7))
      expect([befores(store, 1), store.get(bytes(2)), store.size]).toEqual([{ 2: NO_VALUE }, long(7), 1])
      store.get(bytes(2))
      store.abort()
      store.set(bytes(2), long(9))
      expect(befores(store, 1)).toEqual({ 2: NOT_LOOKED_UP })
    })
  })

  it('agrees with a plain map whatever is written, cut, committed and aborted', () => {
    const step = fc.oneof(
      fc.record({
        what: fc.constant('put' as const),
        key: fc.integer({ min: 0, max: 6 }),
        value: fc.integer({ min: 0, max: 255 }),
      }),
      fc.record({ what: fc.constantFrom('delete' as const, 'get' as const), key: fc.integer({ min: 0, max: 6 }) }),
      fc.record({
        what: fc.constant('set' as const),
        key: fc.integer({ min: 0, max: 6 }),
        value: fc.integer({ min: 0, max: 255 }),
      }),
      fc.record({ what: fc.constantFrom('cut' as const, 'abort' as const, 'clear' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const base = new MemoryByteStore()
        let open = 1
        const store = new EpochByteStore('s', base, () => open)
        let model = new Map<number, number>()
        let committed = new Map<number, number>()
        let cutModel: Map<number, number> | undefined
        for (const s of steps) {
          if (s.what === 'put') {
            store.put(bytes(s.key), bytes(s.value))
            model.set(s.key, s.value)
          } else if (s.what === 'set') {
            store.set(bytes(s.key), bytes(s.value))
            model.set(s.key, s.value)
          } else if (s.what === 'get') {
            expect(store.get(bytes(s.key))?.[0]).toBe(model.get(s.key))
          } else if (s.what === 'delete') {
            store.delete(bytes(s.key))
            model.delete(s.key)
          } else if (s.what === 'clear') {
            store.clear()
            model.clear()
          } else if (s.what === 'cut') {
            // At most two epochs live: the older one commits before the next cut.
            if (cutModel !== undefined) {
              commit(store, base, open - 1)
              committed = cutModel
            }
            cutModel = new Map(model)
            open++
          } else {
            store.abort()
            model = new Map(committed)
            cutModel = undefined
            open++
          }
          const expected = [...model].sort(([a], [b]) => a - b)
          expect([...store.range()].map(([key, value]) => [key[0], value[0]])).toEqual(expected)
          expect([...store.range({ reverse: true })].map(([key]) => key[0])).toEqual(
            expected.map(([key]) => key).reverse(),
          )
          expect(store.size).toBe(model.size)
          expect(store.bytes).toBe(2 * model.size)
          expect([...base.range()].map(([key, value]) => [key[0], value[0]])).toEqual(
            [...committed].sort(([a], [b]) => a - b),
          )
        }
      }),
    )
  })
})
