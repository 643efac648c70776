import { compareBytes, toHex } from '@lanescope/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from './inOrder.js'

type Entry = readonly [key: Uint8Array, value: number]
const keys = (entries: readonly Entry[]) => entries.map(([key, value]) => [toHex(key), value])
const expected = (entries: readonly Entry[]) => keys([...entries].sort(([a], [b]) => compareBytes(a, b)))

describe('Sorting what a commit writes', () => {
  it('is the order of the keys’ bytes, and of one key the order given', () => {
    const key = fc
      .tuple(fc.constantFrom('', 'ab', 'abcdef'), fc.uint8Array({ maxLength: 7, max: 3 }))
      .map(([text, rest]) => Uint8Array.from([...Buffer.from(text), ...rest]))
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (given) => {
        const entries = given.map((each, i): Entry => [each, i])
        expect(keys(inOrder(entries))).toEqual(expected(entries))
      }),
      { numRuns: 300 },
    )
  })

  it('tells keys apart of which one goes on with zeros, and high bytes from low ones', () => {
    const given = [[1, 0], [1], [255, 1], [1, 0, 0, 0, 0], [128], [1, 0, 0, 0]].map(
      (key, i): Entry => [Uint8Array.from(key), i],
    )
    expect(keys(inOrder(given))).toEqual(expected(given))
    expect(inOrder([])).toEqual([])
  })

  it('takes as many entries as numbers have room for, and more', () => {
    const given = Array.from({ length: 9 }, (_, i): Entry => [Uint8Array.of(255 - (i % 3), i % 2), i])
    for (const length of [7, 8, 9]) {
      const entries = given.slice(0, length)
      expect(keys(inOrder(entries, 8))).toEqual(expected(entries))
    }
    // The greatest number that four bytes and an index make is still whole.
    const last = Array.from({ length: 40 }, (_, i): Entry => [Uint8Array.of(255, 255, 255, 255, 40 - i), i])
    const low: Entry = [Uint8Array.of(0), 40]
    expect(keys(inOrder([...last, low]))).toEqual(expected([...last, low]))
  })
})
