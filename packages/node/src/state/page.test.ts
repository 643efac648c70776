import { compareBytes, SeededRandom, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { entriesOf, findInPage, mergePage, type PageChange } from './page.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const EMPTY = bytes()
const pageOf = (...changes: PageChange[]) => mergePage(EMPTY, changes).pages[0]?.bytes ?? EMPTY
const listed = (page: Uint8Array) => entriesOf(page).map(([key, value]) => [toHex(key), toHex(value)])

describe('a page', () => {
  it('finds a key, and neither what it begins nor what lies between two', () => {
    const page = pageOf([bytes(1), bytes(10)], [bytes(1, 0), EMPTY], [bytes(3), bytes(30, 31)])
    expect(findInPage(page, bytes(1))).toEqual(bytes(10))
    expect(findInPage(page, bytes(1, 0))).toEqual(EMPTY)
    expect(findInPage(page, bytes(3))).toEqual(bytes(30, 31))
    for (const absent of [EMPTY, bytes(0), bytes(1, 1), bytes(2), bytes(3, 0), bytes(4)]) {
      expect(findInPage(page, absent)).toBeUndefined()
    }
  })

  it.each([0, 1, 127, 128, 129, 16_383, 16_384, 2_097_152])('keeps keys and values of %d bytes', (length) => {
    const long = new Uint8Array(length).fill(7)
    const key = Uint8Array.of(5, ...long.subarray(0, Math.min(length, 20_000)))
    const { pages } = mergePage(EMPTY, [
      [bytes(1), bytes(1)],
      [key, long],
      [bytes(9), bytes(9)],
    ])
    const all = pages.flatMap(({ bytes: page }) => entriesOf(page))
    expect(all.map(([k]) => k.length)).toEqual([1, key.length, 1])
    expect(Buffer.compare(all[1]?.[1] ?? EMPTY, long)).toBe(0)
    const found = pages.map(({ bytes: page }) => [findInPage(page, key), findInPage(page, bytes(9))])
    expect(found.some(([value]) => value !== undefined && Buffer.compare(value, long) === 0)).toBe(true)
    expect(found.some(([, behind]) => behind?.[0] === 9)).toBe(true)
  })

  it('puts before, between and behind, replaces, deletes, and counts what it did', () => {
    const page = pageOf([bytes(2), bytes(2)], [bytes(4), bytes(4)], [bytes(6), bytes(6)])
    const merged = mergePage(page, [
      [bytes(1), bytes(1)],
      [bytes(2), undefined],
      [bytes(3), bytes(3, 3)],
      [bytes(4), bytes(4, 4, 4)],
      [bytes(5), undefined],
      [bytes(7), bytes(7)],
    ])
    expect(listed(merged.pages[0]?.bytes ?? EMPTY)).toEqual([
      ['01', '01'],
      ['03', '0303'],
      ['04', '040404'],
      ['06', '06'],
      ['07', '07'],
    ])
    expect([merged.entries, merged.bytes]).toEqual([2, 7])
  })

  it('is none when nothing is left', () => {
    expect(mergePage(pageOf([bytes(1), bytes(1)]), [[bytes(1), undefined]])).toEqual({
      pages: [],
      entries: -1,
      bytes: -2,
    })
  })

  it('is one as long as it is not too long, and is cut then', () => {
    const entry = (i: number): PageChange => [bytes(i >> 8, i), new Uint8Array(28)]
    const of = (count: number) =>
      mergePage(
        EMPTY,
        Array.from({ length: count }, (_, i) => entry(i)),
      ).pages
    expect(of(64).map((page) => page.bytes.length)).toEqual([2048])
    expect(of(65).map((page) => page.bytes.length)).toEqual([1024, 1056])
    expect(of(65).map((page) => toHex(page.first))).toEqual(['0000', '0020'])
    expect(of(200).flatMap((page) => entriesOf(page.bytes))).toHaveLength(200)
  })

  it.each([1, 2, 3])('agrees with a sorted list under random merges, seed %d', (seed) => {
    const random = new SeededRandom(seed)
    const below = (n: number) => Math.floor(random.next() * n)
    let page: Uint8Array = EMPTY
    let model = new Map<string, PageChange>()
    for (let round = 0; round < 200; round++) {
      const changes = new Map<string, PageChange>()
      for (let i = below(6); i >= 0; i--) {
        const key = Uint8Array.from({ length: below(3) }, () => [0, 1, 127, 128, 255][below(5)] as number)
        changes.set(toHex(key), [key, below(3) === 0 ? undefined : new Uint8Array(below(9)).fill(round)])
      }
      const sorted = [...changes.values()].sort(([a], [b]) => compareBytes(a, b))
      const before = [...model.values()]
      model = new Map([...new Map([...model, ...changes])].filter(([, [, value]]) => value !== undefined))
      const merged = mergePage(page, sorted)
      page = merged.pages[0]?.bytes ?? EMPTY
      const after = [...model.values()].sort(([a], [b]) => compareBytes(a, b))
      expect(entriesOf(page)).toEqual(after)
      const size = (entries: readonly PageChange[]) =>
        entries.reduce((sum, [k, v]) => sum + k.length + (v?.length ?? 0), 0)
      expect([merged.entries, merged.bytes]).toEqual([after.length - before.length, size(after) - size(before)])
    }
  })
})
