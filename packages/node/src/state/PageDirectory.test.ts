import { compareBytes, SeededRandom, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { PageDirectory } from './PageDirectory.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const hex = (key: Uint8Array | undefined) => (key === undefined ? undefined : toHex(key))
const directoryOf = (...keys: Uint8Array[]) => {
  const directory = new PageDirectory()
  for (const [number, key] of keys.entries()) directory.set(key, number)
  return directory
}

describe('the directory of a store’s pages', () => {
  it('knows the page that a key is in: the last one that does not begin behind it', () => {
    const directory = directoryOf(bytes(2), bytes(4), bytes(4, 0))
    expect(
      [bytes(1), bytes(2), bytes(3), bytes(4), bytes(4, 0), bytes(9)].map((key) => directory.numberAt(key)),
    ).toEqual([-1, 0, 0, 1, 2, 2])
    expect(hex(directory.floor(bytes(3)))).toBe('02')
    expect(directory.floor(bytes(1))).toBeUndefined()
  })

  it('knows the pages next to a key, on both sides of it', () => {
    const directory = directoryOf(bytes(2), bytes(4))
    expect(hex(directory.behind(bytes(1)))).toBe('02')
    expect(hex(directory.behind(bytes(2)))).toBe('04')
    expect(directory.behind(bytes(4))).toBeUndefined()
    expect(hex(directory.below(bytes(4)))).toBe('02')
    expect(directory.below(bytes(2))).toBeUndefined()
    expect(hex(directory.below(undefined))).toBe('04')
  })

  it('is empty at first and when it is cleared', () => {
    const directory = directoryOf(bytes(1))
    directory.clear()
    for (const each of [new PageDirectory(), directory]) {
      expect([each.size, each.numberAt(bytes(1)), each.numberOf(bytes(1))]).toEqual([0, -1, -1])
      expect([each.below(undefined), each.behind(bytes()), each.floor(bytes(1))]).toEqual(Array(3).fill(undefined))
    }
  })

  it('gives a page another number, and keeps its own copy of the key', () => {
    const key = bytes(7)
    const directory = directoryOf(key)
    key[0] = 8
    directory.set(bytes(7), 5)
    expect([directory.size, directory.numberOf(bytes(7)), directory.numberOf(bytes(8))]).toEqual([1, 5, -1])
  })

  it('is what a sorted list would be, whatever comes and goes', () => {
    const random = new SeededRandom(11)
    const anyBelow = (most: number) => Math.floor(random.next() * most)
    const directory = new PageDirectory()
    const model = new Map<string, { key: Uint8Array; number: number }>()
    const anyKey = () => Uint8Array.from({ length: anyBelow(4) }, () => anyBelow(9))
    for (let step = 0; step < 6_000; step++) {
      const key = anyKey()
      // First it grows beyond several groups, and then it shrinks to nothing.
      if (anyBelow(10) < (step < 3_000 ? 8 : 1)) {
        directory.set(key, step)
        model.set(toHex(key), { key, number: step })
      } else {
        directory.remove(key)
        model.delete(toHex(key))
      }
      if (step % 20 > 0) continue
      const all = [...model.values()].sort((a, b) => compareBytes(a.key, b.key))
      const probe = anyKey()
      const upTo = all.filter((page) => compareBytes(page.key, probe) <= 0)
      const below = all.filter((page) => compareBytes(page.key, probe) < 0)
      expect(directory.size).toBe(all.length)
      expect([...directory.numbers()]).toEqual(all.map(({ number }) => number))
      expect(directory.numberAt(probe)).toBe(upTo.at(-1)?.number ?? -1)
      expect(directory.numberOf(probe)).toBe(model.get(toHex(probe))?.number ?? -1)
      expect(hex(directory.floor(probe))).toBe(hex(upTo.at(-1)?.key))
      expect(hex(directory.below(probe))).toBe(hex(below.at(-1)?.key))
      expect(hex(directory.behind(probe))).toBe(hex(all[upTo.length]?.key))
      expect(hex(directory.below(undefined))).toBe(hex(all.at(-1)?.key))
    }
  })
})
