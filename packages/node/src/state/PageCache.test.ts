import { describe, expect, it } from 'vitest'
import { PageCache } from './PageCache.js'

const page = (fill: number) => new Uint8Array(850).fill(fill)

describe('the cache of pages', () => {
  it('keeps what is used again and again, whatever else passes through', () => {
    const cache = new PageCache(10_000)
    cache.put(0, page(0))
    for (let id = 1; id < 1_000; id++) {
      cache.put(id, page(id))
      expect(cache.get(0)?.[0]).toBe(0)
      expect(cache.pages).toBeLessThanOrEqual(11)
    }
    expect(cache.get(1)).toBeUndefined()
    expect(cache.get(999)).toBeDefined()
  })

  it('gives the newest page of a number, also when an older one is about to go', () => {
    const cache = new PageCache(10_000)
    cache.put(1, page(1))
    for (let id = 2; id < 8; id++) cache.put(id, page(id))
    cache.put(1, page(9))
    expect(cache.get(1)?.[0]).toBe(9)
    cache.delete(1)
    expect(cache.get(1)).toBeUndefined()
  })

  it('gives back the room of what is deleted or replaced', () => {
    const cache = new PageCache(10_000)
    for (let i = 0; i < 100; i++) cache.put(1, page(i))
    for (let i = 0; i < 100; i++) {
      cache.put(2, page(i))
      cache.delete(2)
    }
    expect([cache.pages, cache.get(1)?.[0]]).toEqual([1, 99])
    cache.clear()
    expect([cache.pages, cache.get(1)]).toEqual([0, undefined])
  })

  it('keeps the last page even where the budget is less than it', () => {
    const cache = new PageCache(0)
    cache.put(1, page(1))
    expect(cache.get(1)?.[0]).toBe(1)
    cache.put(2, page(2))
    expect(cache.get(1)).toBeUndefined()
  })
})
