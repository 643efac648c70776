import { describe, expect, it } from 'vitest'
import { orderedByteStoreContract } from '../../test/orderedByteStoreContract.js'
import { MemoryByteStore } from './MemoryByteStore.js'

orderedByteStoreContract('MemoryByteStore', () => new MemoryByteStore())

const key = (i: number) => new TextEncoder().encode(`key-${String(i).padStart(6, '0')}`)
const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte)

describe('MemoryByteStore', () => {
  it('hands out copies: what a reader does with one does not reach the store', () => {
    const store = new MemoryByteStore()
    store.put(key(1), filled(3, 7))
    const read = store.get(key(1)) as Uint8Array
    store.put(key(1), filled(3, 8))
    expect([...read]).toEqual([7, 7, 7])
    read.fill(0)
    expect([...(store.get(key(1)) as Uint8Array)]).toEqual([8, 8, 8])
  })

  it.each([0, 1, 3, 4, 5, 63, 64, 65, 1_000, 1 << 20, (1 << 20) + 1])(
    'keeps a value of %d bytes among others',
    (length) => {
      const store = new MemoryByteStore()
      store.put(key(1), filled(5, 1))
      store.put(key(2), filled(length, 2))
      store.put(key(3), filled(5, 3))
      store.put(key(1), filled(length, 4))
      expect([1, 2, 3].map((i) => store.get(key(i))?.length)).toEqual([length, length, 5])
      expect(store.get(key(2))?.every((byte) => byte === 2)).toBe(true)
      expect(store.get(key(1))?.every((byte) => byte === 4)).toBe(true)
      expect([...store.range()].map(([, value]) => value.length)).toEqual([length, length, 5])
    },
  )

  it('replaces a value by a longer and by a shorter one, and counts its bytes', () => {
    const store = new MemoryByteStore()
    for (const length of [4, 9, 2, 0, 100, 99]) {
      store.set(key(1), filled(length, length))
      expect([store.size, store.bytes]).toEqual([1, key(1).length + length])
      expect(store.get(key(1))).toEqual(filled(length, length))
    }
  })

  // Far more comes and goes than stays, so that the arena is rewritten several times, with and without an order.
  it.each([false, true])('loses nothing when most of what it held is gone, ranges read meanwhile: %s', (ranges) => {
    const store = new MemoryByteStore()
    const left = new Map<number, number>()
    for (let i = 0; i < 60_000; i++) {
      store.set(key(i), filled(40, i))
      left.set(i, i & 255)
      if (i < 500) continue
      store.remove(key(i - 500))
      left.delete(i - 500)
      if (i % 250 === 0) {
        // One that stays, grows byte by byte, and moves between those that are still to be moved.
        store.set(key(7), filled(41 + ((i / 250) % 90), i))
        left.set(7, i & 255)
      }
      if (ranges && i % 1_000 === 0) expect([...store.range()]).toHaveLength(left.size)
    }
    expect(store.size).toBe(left.size)
    const read = [...store.range()].map(([bytes, value]) => [new TextDecoder().decode(bytes), value[0]])
    const expected = [...left].sort(([a], [b]) => a - b)
    expect(read).toEqual(expected.map(([i, byte]) => [new TextDecoder().decode(key(i)), byte]))
    for (const [i, byte] of expected) expect(store.get(key(i))?.[0]).toBe(byte)
  })

  it('goes on with a range while the arena is rewritten', () => {
    const store = new MemoryByteStore()
    for (let i = 0; i < 40_000; i++) store.set(key(i), filled(40, i))
    let expected = 0
    for (const [bytes] of store.range()) {
      expect(bytes).toEqual(key(expected))
      if (expected % 4 !== 0) store.remove(key(expected))
      expected++
    }
    expect(expected).toBe(40_000)
    expect(store.size).toBe(10_000)
  })
})
