import { describe, expect, it } from 'vitest'
import { Headers } from '../model/Headers.js'
import { type ByteTarget, directWriterOf } from './DirectWriter.js'
import { json } from './json.js'
import { long } from './long.js'
import { string } from './string.js'
import { sessionWindowed, windowed } from './windowed.js'

/** Bytes that move to a larger array at each call. */
class Moving implements ByteTarget {
  bytes = new Uint8Array(0)
  /** How many have been written for good. */
  end = 3

  reserve(at: number, length: number): number {
    const grown = new Uint8Array(Math.max(this.bytes.length, this.end + at + length))
    grown.set(this.bytes)
    this.bytes = grown
    return this.end + at
  }
}

const window = { start: 60_000, end: 120_000 }
const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

describe('What a serde writes where it is to lie', () => {
  it.each([
    ['string', string, ['', 'k0', 'x'.repeat(64), '\u007f']],
    ['long', long, [0, -1, 2 ** 53 - 1, 1 - 2 ** 53, -0]],
    ['json', json<unknown>(), [0, 'é€😀', '\ud800', [], { a: [1, null, 'b'] }, false, 'y'.repeat(65_534)]],
    [
      'windowed',
      windowed(string, 60_000),
      [
        { key: 'k', window },
        { key: '', window: { start: 0, end: 1 } },
      ],
    ],
    ['windowed long', windowed(long, 60_000), [{ key: 7, window }]],
    ['sessions', sessionWindowed(string), [{ key: 'k', window: { start: 5, end: 5 } }]],
    ['windows of windows', windowed(windowed(string, 5), 60_000), [{ key: { key: 'k', window }, window }]],
  ] as const)('is what it writes into an array of its own: %s', (_, serde, values) => {
    const direct = directWriterOf(serde)
    for (const value of values) {
      const target = new Moving()
      const length = direct?.write('t', value, target, 2) ?? -1
      const expected = serde.serialize('t', Headers.empty, value as never)
      expect(target.bytes.slice(5, 5 + length)).toEqual(expected)
      expect(target.bytes.subarray(0, 5).every((byte) => byte === 0)).toBe(true)
    }
  })

  it.each([
    ['string', string, ['x'.repeat(65), 'é', '\u0080', 5, undefined]],
    ['long', long, [2 ** 53, 0.5, '1', 1n, Number.NaN]],
    ['json', json<unknown>(), [null, undefined, () => 1, 5n, cyclic, Number.NaN, 'y'.repeat(65_535)]],
    [
      'windowed',
      windowed(string, 60_000),
      [
        undefined,
        'k',
        { key: 'k' },
        { window },
        { key: null, window },
        { key: 'é', window },
        { key: 'k', window: { start: -1, end: 1 } },
        { key: 'k', window: { start: 0.5, end: 1 } },
      ],
    ],
    ['sessions', sessionWindowed(string), [{ key: 'k', window: { start: 5, end: -1 } }]],
  ] as const)('leaves to it what is long, not ASCII, or refused: %s', (_, serde, values) => {
    for (const value of values) expect(directWriterOf(serde)?.write('t', value, new Moving(), 0)).toBe(-1)
  })

  it('is nothing that a serde made from a built-in one has to do with', () => {
    expect(directWriterOf({ ...string, id: 'mine' })).toBeUndefined()
    expect(directWriterOf(Object.create(string))).toBeUndefined()
    expect(directWriterOf(windowed({ ...string, id: 'mine' }, 5))).toBeUndefined()
    expect(directWriterOf(undefined)).toBeUndefined()
  })
})
