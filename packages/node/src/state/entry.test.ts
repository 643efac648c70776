import { compareBytes } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { packEntries } from '../../test/packEntries.js'
import { type Change, compareSpans, copyOf, EntryView, findEntry } from './entry.js'

const bytes = (...values: number[]) => Uint8Array.from(values)

function written(...changes: Change[]): Uint8Array {
  return packEntries(changes).bytes
}

function listed(entries: Uint8Array): Change[] {
  const view = new EntryView()
  const all: Change[] = []
  for (let at = 0; at < entries.length; at = view.end) {
    view.set(entries, at)
    expect(view.start).toBe(at)
    all.push([view.key, view.isDeleted ? undefined : view.value])
  }
  return all
}

describe('entries side by side', () => {
  it('finds a key, and neither what it begins nor what lies between two', () => {
    const entries = written([bytes(1), bytes(10)], [bytes(1, 0), bytes()], [bytes(3), bytes(30, 31)])
    const find = (key: Uint8Array) => findEntry(entries, 0, entries.length, key)
    expect([find(bytes(1)), find(bytes(1, 0)), find(bytes(3))]).toEqual([bytes(10), bytes(), bytes(30, 31)])
    for (const absent of [bytes(), bytes(0), bytes(1, 1), bytes(2), bytes(3, 0), bytes(4)]) {
      expect(find(absent)).toBeUndefined()
    }
  })

  it('looks no further than it is told to', () => {
    const entries = written([bytes(1), bytes(10)], [bytes(2), bytes(20)], [bytes(3), bytes(30)])
    expect(findEntry(entries, 4, 8, bytes(2))).toEqual(bytes(20))
    expect([findEntry(entries, 4, 8, bytes(1)), findEntry(entries, 4, 8, bytes(3))]).toEqual([undefined, undefined])
  })

  it('tells a deletion from an empty value', () => {
    const entries = written([bytes(1), undefined], [bytes(2), bytes()])
    expect(findEntry(entries, 0, entries.length, bytes(1))).toBeNull()
    expect(findEntry(entries, 0, entries.length, bytes(2))).toEqual(bytes())
    expect(listed(entries)).toEqual([
      [bytes(1), undefined],
      [bytes(2), bytes()],
    ])
  })

  it.each([0, 1, 63, 64, 65, 126, 127, 128, 129, 16_382, 16_383, 16_384, 2_097_152])(
    'keeps keys and values of %d bytes',
    (length) => {
      const long = Uint8Array.from({ length }, (_, i) => i & 255)
      const key = Uint8Array.of(5, ...long.subarray(0, Math.min(length, 20_000)))
      const entries = written([bytes(1), bytes(1)], [key, long], [key, undefined], [bytes(9), bytes(9)])
      const all = listed(entries)
      expect(all.map(([k, v]) => [k.length, v?.length])).toEqual([
        [1, 1],
        [key.length, length],
        [key.length, undefined],
        [1, 1],
      ])
      expect([Buffer.compare(all[1]?.[0] ?? bytes(), key), Buffer.compare(all[1]?.[1] ?? bytes(9), long)]).toEqual([
        0, 0,
      ])
      const found = findEntry(entries, 0, entries.length, key)
      expect(Buffer.compare(found ?? bytes(9, 9), long)).toBe(0)
      expect(findEntry(entries, 0, entries.length, bytes(9))).toEqual(bytes(9))
    },
  )

  it('gives copies, which keep nothing else in memory', () => {
    const entries = written([bytes(1), bytes(10)])
    const view = new EntryView()
    view.set(entries, 0)
    expect([view.key.buffer.byteLength, view.value.buffer.byteLength]).toEqual([1, 1])
    expect(copyOf(new Uint8Array(200), 10, 110).buffer.byteLength).toBe(100)
  })

  it('compares as the bytes of the keys do', () => {
    const keys = [bytes(), bytes(0), bytes(0, 0), bytes(1), bytes(1, 255), bytes(127), bytes(128), bytes(255)]
    const [left, right] = [new EntryView(), new EntryView()]
    for (const a of keys) {
      for (const b of keys) {
        left.set(written([bytes(9), bytes(9)], [a, bytes(7)]), 4)
        right.set(written([b, bytes(8, 8)]), 0)
        const order = Math.sign(compareBytes(a, b))
        expect([Math.sign(left.compare(right)), Math.sign(left.compareKey(b))]).toEqual([order, order])
        expect(Math.sign(compareSpans(bytes(5, ...a, 5), 1, 1 + a.length, bytes(...b, 6), 0, b.length))).toBe(order)
      }
    }
  })
})
