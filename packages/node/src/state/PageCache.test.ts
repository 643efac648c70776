import { describe, expect, it } from 'vitest'
import { PAGE_BYTES, PageCache, type PageOwner } from './PageCache.js'

/** Pages that are filled with their own number. */
class Pages implements PageOwner {
  readonly frames = new Int32Array(2_000).fill(-1)
  readonly read: number[] = []

  constructor(private readonly length = 100) {}

  lengthOf(): number {
    return this.length
  }

  fill(page: number, bytes: Uint8Array, at: number): number {
    this.read.push(page)
    bytes.fill(page & 255, at, at + this.length - 4)
    return this.length - 4
  }
}

function found(cache: PageCache, owner: PageOwner, page: number): readonly [length: number, fill: number] {
  cache.find(owner, page)
  const bytes = cache.bytes.subarray(cache.start, cache.end)
  expect(new Set(bytes).size).toBe(1)
  return [bytes.length, bytes[0] as number]
}

describe('the cache of pages', () => {
  it('reads a page once while it is there, and gives what was read', () => {
    const cache = new PageCache(10 * PAGE_BYTES)
    const pages = new Pages()
    for (let round = 0; round < 3; round++) {
      for (let page = 0; page < 10; page++) expect(found(cache, pages, page)).toEqual([96, page])
    }
    expect([pages.read.length, cache.pages]).toEqual([10, 10])
  })

  it('takes no more than its budget, and keeps what is used again and again', () => {
    const cache = new PageCache(11 * PAGE_BYTES - 1)
    const pages = new Pages()
    for (let page = 1; page < 2_000; page++) {
      expect(found(cache, pages, 0)).toEqual([96, 0])
      expect(found(cache, pages, page)).toEqual([96, page & 255])
      expect(cache.pages).toBeLessThanOrEqual(10)
    }
    expect(pages.read.filter((page) => page === 0)).toHaveLength(1)
    found(cache, pages, 1_999)
    expect(pages.read).toHaveLength(2_000)
    expect(found(cache, pages, 1)).toEqual([96, 1])
    expect(pages.read).toHaveLength(2_001)
  })

  it('tells the pages of several owners apart, and forgets those of one that is gone', () => {
    const cache = new PageCache(4 * PAGE_BYTES)
    const [one, other] = [new Pages(100), new Pages(200)]
    for (const page of [0, 1]) {
      expect(found(cache, one, page)).toEqual([96, page])
      expect(found(cache, other, page)).toEqual([196, page])
    }
    cache.forget(one)
    expect(cache.pages).toBe(2)
    expect(found(cache, other, 1)).toEqual([196, 1])
    expect(found(cache, one, 1)).toEqual([96, 1])
    expect([one.read, other.read]).toEqual([
      [0, 1, 1],
      [0, 1],
    ])
  })

  it('keeps a page of just its frame’s length, and none that is longer', () => {
    const cache = new PageCache(4 * PAGE_BYTES)
    const [fitting, longer] = [new Pages(PAGE_BYTES), new Pages(PAGE_BYTES + 1)]
    for (const owner of [fitting, longer, fitting, longer]) {
      expect(found(cache, owner, 7)).toEqual([owner.lengthOf() - 4, 7])
    }
    expect([fitting.read, longer.read, cache.pages]).toEqual([[7], [7, 7], 1])
  })

  it('keeps nothing where there is no room for a page', () => {
    const cache = new PageCache(PAGE_BYTES - 1)
    const pages = new Pages()
    expect([found(cache, pages, 1), found(cache, pages, 1)]).toEqual([
      [96, 1],
      [96, 1],
    ])
    expect([pages.read, cache.pages]).toEqual([[1, 1], 0])
  })

  it('has a page that could not be read nowhere', () => {
    const cache = new PageCache(2 * PAGE_BYTES)
    const pages = new Pages()
    const broken: PageOwner = {
      frames: new Int32Array(9).fill(-1),
      lengthOf: () => 100,
      fill: () => {
        throw new Error('no')
      },
    }
    for (let i = 0; i < 5; i++) expect(() => cache.find(broken, i)).toThrow('no')
    for (const page of [1, 2, 1, 2]) expect(found(cache, pages, page)).toEqual([96, page])
    expect(pages.read).toEqual([1, 2])
  })
})
