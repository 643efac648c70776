import { describe, expect, it } from 'vitest'
import { hashKey, KeyFilter } from './KeyFilter.js'

const hashOf = (i: number, store = 1) => {
  const key = new TextEncoder().encode(`key-${i}`)
  return hashKey(store, key, 0, key.length)
}

describe('a filter of keys', () => {
  it.each([1, 51, 52, 10_000])('has all of %d keys, and takes few others for one of them', (count) => {
    const filter = KeyFilter.for(count)
    for (let i = 0; i < count; i++) filter.add(hashOf(i))
    for (let i = 0; i < count; i++) expect(filter.mayHave(hashOf(i))).toBe(true)
    const wrong = Array.from({ length: 20_000 }, (_, i) => filter.mayHave(hashOf(count + i))).filter(Boolean).length
    expect(wrong / 20_000).toBeLessThan(0.03)
  })

  it('takes ten bits a key', () => {
    expect(KeyFilter.for(0).bytes.length).toBe(64)
    expect(KeyFilter.for(51).bytes.length).toBe(64)
    expect(KeyFilter.for(52).bytes.length).toBe(128)
    expect(KeyFilter.for(1_000_000).bytes.length).toBe(1_250_048)
  })

  it('has nothing at first', () => {
    const filter = KeyFilter.for(10)
    expect(Array.from({ length: 100 }, (_, i) => filter.mayHave(hashOf(i))).some(Boolean)).toBe(false)
  })

  it('is the same when its bytes are read again', () => {
    const filter = KeyFilter.for(1_000)
    for (let i = 0; i < 1_000; i++) filter.add(hashOf(i))
    const again = new KeyFilter(filter.bytes.slice())
    for (let i = 0; i < 2_000; i++) expect(again.mayHave(hashOf(i))).toBe(filter.mayHave(hashOf(i)))
  })
})

describe('the hash of a key', () => {
  it('tells stores, lengths and single bits apart', () => {
    const key = (...values: number[]) => Uint8Array.from(values)
    const hash = (store: number, bytes: Uint8Array) => hashKey(store, bytes, 0, bytes.length)
    const keys = [
      key(),
      key(0),
      key(0, 0),
      key(0, 0, 0, 0),
      key(0, 0, 0, 0, 0),
      key(1),
      key(0, 0, 0, 1),
      key(0, 0, 0, 0, 1),
    ]
    const hashes = [1, 2].flatMap((store) => keys.map((bytes) => hash(store, bytes)))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('is of the bytes between two offsets, wherever they lie', () => {
    const key = Uint8Array.from([9, 9, 1, 2, 3, 4, 5, 9])
    expect(hashKey(3, key, 2, 7)).toBe(hashKey(3, Uint8Array.from([1, 2, 3, 4, 5]), 0, 5))
  })

  it('is what it has always been: filters on disk depend on it', () => {
    expect([hashOf(0), hashOf(1), hashOf(123_456, 77)]).toEqual([637_672_921, -1_881_646_778, 556_373_562])
  })
})
