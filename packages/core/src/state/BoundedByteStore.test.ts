import { describe, expect, it } from 'vitest'
import { BoundedByteStore } from './BoundedByteStore.js'
import { MemoryByteStores } from './MemoryByteStores.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found)

function bounded(maxEntries: number, byteStores = new MemoryByteStores(), usedByReads = true) {
  const store = new BoundedByteStore('s', maxEntries, byteStores, usedByReads)
  return {
    store,
    byteStores,
    put: (key: string, value = key) => text(store.put(bytes(key), bytes(value))),
    get: (key: string) => text(store.get(bytes(key))),
    keys: (reverse = false) => [...store.range({ reverse })].map(([key]) => text(key)).join(''),
  }
}

describe('a bounded byte store', () => {
  it('keeps so many entries, by key, and forgets the one that was used longest ago', () => {
    const { put, keys, store } = bounded(3)
    for (const key of ['c', 'a', 'b']) put(key)
    expect(keys()).toBe('abc')
    put('d')
    expect([keys(), keys(true), store.size]).toEqual(['abd', 'dba', 3])
  })

  it('counts a read and an overwriting as uses, and a read of nothing as none', () => {
    const { put, get, keys } = bounded(2)
    put('a')
    put('b')
    expect([get('a'), get('x')]).toEqual(['a', undefined])
    put('c')
    expect(keys()).toBe('ac')
    expect(put('a', 'new')).toBe('a')
    put('d')
    expect([keys(), get('a')]).toEqual(['ad', 'new'])
  })

  it('counts no read of one who may only read, and sees what the other writes', () => {
    const { put, keys, byteStores } = bounded(2)
    const reader = bounded(2, byteStores, false)
    put('a')
    put('b')
    expect(reader.get('a')).toBe('a')
    put('c')
    expect([keys(), reader.keys()]).toEqual(['bc', 'bc'])
  })

  it('goes on after a restart with what was used when', () => {
    const { put, get, byteStores } = bounded(2)
    put('a')
    put('b')
    get('a')
    const again = bounded(2, byteStores)
    again.put('c')
    expect(again.keys()).toBe('ac')
  })

  it('counts its own entries and bytes, without what it keeps of their uses', () => {
    const { put, store } = bounded(2)
    put('a', 'xyz')
    expect([store.size, store.bytes]).toEqual([1, 4])
    store.set(bytes('b'), bytes('1'))
    store.remove(bytes('a'))
    expect([store.size, store.bytes, text(store.delete(bytes('b'))), store.size]).toEqual([1, 2, '1', 0])
    expect(store.delete(bytes('b'))).toBeUndefined()
  })

  it('takes out a range, or everything, and the uses with it', () => {
    const { put, store, byteStores } = bounded(9)
    for (const key of ['a', 'b', 'c', 'd']) put(key)
    expect(store.deleteRange(bytes('b'), bytes('d'))).toBe(2)
    expect(byteStores.store('s/uses').size).toBe(2)
    store.clear()
    expect([store.size, byteStores.store('s/uses').size]).toEqual([0, 0])
  })

  it('keeps nothing where nothing is to be kept', () => {
    const { put, store } = bounded(0)
    put('a')
    expect(store.size).toBe(0)
  })
})
