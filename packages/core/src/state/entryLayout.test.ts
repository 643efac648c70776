import { describe, expect, it } from 'vitest'
import { compareBytes, fromHex, toHex } from '../model/bytes.js'
import { SeededRandom } from '../time/Random.js'
import { ByTimeLayout, type EntryLayout, KeyFirstLayout, sequence } from './entryLayout.js'
import { MemoryByteStore } from './MemoryByteStore.js'

const keyFirst = new KeyFirstLayout(sequence)
const byTime = new ByTimeLayout(sequence)

const layouts = [
  ['keyFirst', keyFirst],
  ['byTime', byTime],
] as const

function segmentOf(layout: EntryLayout, windows: readonly (readonly [string, number])[]): MemoryByteStore {
  const segment = new MemoryByteStore()
  for (const [key, start] of windows) layout.put(segment, layout.stored(fromHex(key), start, 0), fromHex('00'))
  return segment
}

const shown = (layout: EntryLayout, entries: Iterable<readonly [Uint8Array, Uint8Array]>) =>
  Array.from(entries, ([stored]) => `${toHex(layout.keyOf(stored))}@${layout.timeOf(stored)}`)

describe('stored keys', () => {
  it('[F.2] are key, start and sequence in a persistent store', () => {
    expect(toHex(keyFirst.stored(fromHex('6b'), 1000, 0))).toBe('6b00000000000003e800000000')
  })

  it('[A.3] stand by start and key beside it where they are listed by time, as long as they are there', () => {
    const segment = segmentOf(byTime, [['6b', 1000]])
    const rows = () => Array.from(segment.range(), ([row]) => toHex(row))
    expect(rows()).toEqual(['0000000000000003e86b00000000', '016b00000000000003e800000000'])
    byTime.put(segment, byTime.stored(fromHex('6b'), 1000, 0), fromHex('01'))
    expect(rows()).toHaveLength(byTime.rows)
    byTime.delete(segment, byTime.stored(fromHex('6b'), 1000, 0))
    expect(rows()).toEqual([])
  })

  it.each(layouts)('are taken apart again: %s', (_name, layout) => {
    const stored = layout.stored(fromHex('0102'), Number.MAX_SAFE_INTEGER, 7)
    expect(layout.timeOf(stored)).toBe(Number.MAX_SAFE_INTEGER)
    expect(toHex(layout.keyOf(stored))).toBe('0102')
    expect(layout.tailOf(stored)).toBe(7)
  })
})

describe('windows of one key', () => {
  const windows = [
    ['6b', 10],
    ['6b', 11],
    ['6b', 20],
    ['6b', 21],
    ['6b00', 11],
    ['6b00000000000000000f00000000', 5],
    ['6a', 15],
    ['6c', 15],
    ['', 15],
  ] as const

  it.each(layouts)('[F.2] include both ends and no key that only begins alike: %s', (_name, layout) => {
    const segment = segmentOf(layout, windows)
    const read = (from: number, to: number, reverse = false) =>
      shown(layout, layout.ofKey(segment, fromHex('6b'), { from, to, reverse }))
    expect(read(11, 20)).toEqual(['6b@11', '6b@20'])
    expect(read(11, 20, true)).toEqual(['6b@20', '6b@11'])
    expect(read(12, 19)).toEqual([])
    expect(read(0, Number.MAX_SAFE_INTEGER)).toEqual(['6b@10', '6b@11', '6b@20', '6b@21'])
    expect(read(21, 21)).toEqual(['6b@21'])
    expect(read(21, 20)).toEqual([])
  })

  it.each(layouts)('reach the greatest time there is: %s', (_name, layout) => {
    const last = Number.MAX_SAFE_INTEGER
    const segment = segmentOf(layout, [['6b', last]])
    for (const reverse of [false, true]) {
      expect(shown(layout, layout.ofKey(segment, fromHex('6b'), { from: 0, to: last, reverse }))).toEqual([
        `6b@${last}`,
      ])
    }
  })
})

describe('windows of several keys', () => {
  it('[A.1] come by stored bytes in a persistent store', () => {
    const segment = segmentOf(keyFirst, [
      ['6b', 10],
      ['6b00', 11],
      ['6b61', 12],
      ['', 13],
    ])
    const all = { from: undefined, to: undefined }
    const starts = { from: 0, to: 100, reverse: false }
    expect(shown(keyFirst, keyFirst.ofKeys(segment, all, starts))).toEqual(['@13', '6b00@11', '6b@10', '6b61@12'])
  })

  it('[A.3] come by start, then key, in memory', () => {
    const segment = segmentOf(byTime, [
      ['62', 30],
      ['61', 30],
      ['63', 10],
    ])
    const all = { from: undefined, to: undefined }
    expect(shown(byTime, byTime.ofKeys(segment, all, { from: 0, to: 100, reverse: false }))).toEqual([
      '63@10',
      '61@30',
      '62@30',
    ])
  })

  it('[F.2] include a short key whose start sorts above a longer bound', () => {
    const segment = segmentOf(keyFirst, [['00', 2 ** 52]])
    const keys = { from: undefined, to: fromHex('000001') }
    expect(shown(keyFirst, keyFirst.ofKeys(segment, keys, { from: 0, to: 2 ** 53 - 1, reverse: false }))).toEqual([
      `00@${2 ** 52}`,
    ])
  })

  it.each(layouts)('are exactly those within both spans, whatever the keys: %s', (_name, layout) => {
    const random = new SeededRandom(7)
    const below = (n: number) => Math.floor(random.next() * n)
    const someKey = () => toHex(Uint8Array.from({ length: below(4) }, () => [0, 1, 16, 255][below(4)] as number))
    const someStart = () => [0, 1, 255, 256, 2 ** 32, 2 ** 52, 2 ** 53 - 1][below(7)] as number
    const windows = Array.from({ length: 400 }, () => [someKey(), someStart()] as const)
    const segment = segmentOf(layout, windows)
    for (let i = 0; i < 300; i++) {
      const [from, to] = [someStart(), someStart()]
      const keys = { from: below(4) ? fromHex(someKey()) : undefined, to: below(4) ? fromHex(someKey()) : undefined }
      const expected = new Set(
        windows
          .filter(([, start]) => start >= from && start <= to)
          .filter(([key]) => keys.from === undefined || compareBytes(fromHex(key), keys.from) >= 0)
          .filter(([key]) => keys.to === undefined || compareBytes(fromHex(key), keys.to) <= 0)
          .map(([key, start]) => `${key}@${start}`),
      )
      const forward = shown(layout, layout.ofKeys(segment, keys, { from, to, reverse: false }))
      expect(new Set(forward)).toEqual(expected)
      expect(forward).toHaveLength(expected.size)
      expect(shown(layout, layout.ofKeys(segment, keys, { from, to, reverse: true }))).toEqual(forward.reverse())
    }
  })
})
