import { describe, expect, it } from 'vitest'
import { MemoryStateBackend } from '../MemoryStateBackend.js'
import { EpochState } from './EpochState.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const numbers = (entries: Iterable<readonly [Uint8Array, Uint8Array | undefined]>) =>
  [...entries].map(([key, value]) => [key[0], value?.[0]])

describe('EpochState', () => {
  it('[E2] writes nothing of an epoch to the backend before its commit is known', async () => {
    const backend = new MemoryStateBackend()
    const state = new EpochState(backend, 1)
    state.store('a').put(bytes(1), bytes(10))
    expect(backend.open('a').size).toBe(0)
    const cut = state.cut()
    state.store('a').put(bytes(1), bytes(11))
    expect(backend.open('a').size).toBe(0)
    await state.commit(cut)
    expect(numbers(backend.open('a').range())).toEqual([[1, 10]])
    expect(state.store('a').get(bytes(1))?.[0]).toBe(11)
  })

  it('[E2] commits over all stores at once, the final value of each key', async () => {
    const backend = new MemoryStateBackend()
    const state = new EpochState(backend, 1)
    state.store('b').put(bytes(1), bytes(1))
    state.store('a').put(bytes(2), bytes(2))
    state.store('a').put(bytes(2), bytes(3))
    state.store('a').delete(bytes(9))
    const cut = state.cut()
    expect(state.changes(cut).map(({ store, entries }) => [store, numbers(entries)])).toEqual([
      ['a', [[2, 3]]],
      ['b', [[1, 1]]],
    ])
    await state.commit(cut)
    expect(numbers(backend.open('a').range())).toEqual([[2, 3]])
    expect(numbers(backend.open('b').range())).toEqual([[1, 1]])
  })

  it('[E2] commits keys and values of any lengths, each as it was written', async () => {
    const backend = new MemoryStateBackend()
    const state = new EpochState(backend, 1)
    const store = state.store('a')
    const lengths = [3, 3, 0, 5, 64, 65, 65, 300, 2, 2]
    const entry = (i: number, length: number) =>
      [
        new Uint8Array(length + 1).fill(i),
        new Uint8Array(lengths[lengths.length - 1 - i] as number).fill(i + 100),
      ] as const
    const entries = lengths.map((length, i) => entry(i, length))
    for (const [key, value] of entries) store.set(key, value)
    await state.commit(state.cut())
    expect([...backend.open('a').range()]).toEqual(entries)
    const [first, second] = entries
    store.remove(first?.[0] ?? bytes())
    store.set(second?.[0] ?? bytes(), bytes(1, 2))
    await state.commit(state.cut())
    expect([...backend.open('a').range()]).toEqual([[second?.[0], bytes(1, 2)], ...entries.slice(2)])
  })

  it('[E2] lets no third epoch live', async () => {
    const state = new EpochState(new MemoryStateBackend(), 5)
    expect(state.cut()).toBe(5)
    expect(() => state.cut()).toThrow(/5 is still committing/)
    await state.commit(5)
    expect(state.cut()).toBe(6)
    await expect(state.commit(5)).rejects.toThrow(/not the one/)
  })

  it('[E2] [E7] after an abort a new incarnation over the same backend sees what was committed, and only that', async () => {
    const backend = new MemoryStateBackend()
    const first = new EpochState(backend, 1)
    first.store('a').put(bytes(1), bytes(10))
    await first.commit(first.cut())
    first.store('a').put(bytes(1), bytes(11))
    first.cut()
    first.store('a').delete(bytes(1))
    first.store('new').put(bytes(1), bytes(1))
    first.abort()
    const second = new EpochState(backend, 2)
    expect(second.store('a').get(bytes(1))?.[0]).toBe(10)
    expect(second.names('')).toEqual(['a'])
  })

  it('[S8] a cleared store is hidden at once and gone once committed; aborted, it is back', async () => {
    const backend = new MemoryStateBackend()
    const first = new EpochState(backend, 1)
    first.store('s.0').put(bytes(1), bytes(10))
    await first.commit(first.cut())
    first.store('s.0').clear()
    expect(first.names('s.')).toEqual([])
    expect(backend.names('s.')).toEqual(['s.0'])
    first.abort()
    expect(new EpochState(backend, 2).names('s.')).toEqual(['s.0'])
    const second = new EpochState(backend, 2)
    second.store('s.0').clear()
    await second.commit(second.cut())
    expect(backend.names('s.')).toEqual([])
  })

  it('names hold by prefix and order, live writes included', () => {
    const state = new EpochState(new MemoryStateBackend(), 1)
    for (const name of ['s.2', 's.10', 't.1']) state.store(name).put(bytes(1), bytes(1))
    state.store('s.empty')
    expect(state.names('s.')).toEqual(['s.10', 's.2'])
  })

  it('[E3] knows the bytes that its live epochs have written, each key once with its final value', async () => {
    const state = new EpochState(new MemoryStateBackend(), 1)
    const [a, b] = [state.store('a'), state.store('b')]
    const after = (write: () => void) => {
      write()
      return state.liveBytes
    }
    expect(state.liveBytes).toBe(0)
    expect(after(() => a.put(bytes(1), bytes(1, 2, 3)))).toBe(4)
    expect(after(() => a.put(bytes(1), bytes(1, 2, 3, 4, 5)))).toBe(6)
    expect(after(() => b.put(bytes(1, 2), bytes(1)))).toBe(9)
    expect(after(() => a.delete(bytes(1)))).toBe(4)
    expect(after(() => a.put(bytes(1), bytes(7)))).toBe(5)
    const cut = state.cut()
    expect(after(() => a.put(bytes(1), bytes(8, 8)))).toBe(8)
    await state.commit(cut)
    expect(state.liveBytes).toBe(3)
    expect(after(() => a.clear())).toBe(0)
    expect(after(() => b.put(bytes(9), bytes(9)))).toBe(2)
    state.cut()
    b.put(bytes(9), bytes(9))
    expect(after(() => state.abort())).toBe(0)
  })

  it('[E2] counts no write twice while it is in the backend and its layer is still here', async () => {
    const backend = new MemoryStateBackend()
    const state = new EpochState(backend, 1)
    const store = state.store('a')
    store.put(bytes(1), bytes(1))
    await state.commit(state.cut())
    for (const key of [2, 3]) store.set(bytes(key), bytes(key, key))
    store.remove(bytes(1))
    const cut = state.cut()
    store.set(bytes(4), bytes(4))
    store.set(bytes(3), bytes(3))
    const sizes = [[store.size, store.bytes]]
    const committed = state.commit(cut)
    expect(backend.committedEpoch).toBe(cut)
    sizes.push([store.size, store.bytes])
    await committed
    sizes.push([store.size, store.bytes])
    expect(sizes).toEqual([
      [3, 7],
      [3, 7],
      [3, 7],
    ])
  })

  it('counts what was written over and taken back, whenever it is asked', () => {
    const state = new EpochState(new MemoryStateBackend(), 1)
    const store = state.store('a')
    const sizes = [
      () => store.set(bytes(1), bytes(1)),
      () => store.set(bytes(1), bytes(1, 2)),
      () => store.remove(bytes(1)),
    ]
      .flatMap((write) => [write, write])
      .map((write) => {
        write()
        return [store.size, store.bytes]
      })
    expect(sizes).toEqual([
      [1, 2],
      [1, 2],
      [1, 3],
      [1, 3],
      [0, 0],
      [0, 0],
    ])
  })
})
