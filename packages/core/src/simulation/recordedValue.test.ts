import { describe, expect, it } from 'vitest'
import { type RecordedValue, readValue, writeValue } from './recordedValue.js'

const through = (value: unknown) => readValue(JSON.parse(JSON.stringify(writeValue(value))) as RecordedValue)

describe('recorded values', () => {
  it.each([
    [null],
    [undefined],
    [true],
    [0],
    [-1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY],
    ['text'],
    [12345678901234567890n],
    [Uint8Array.of(0, 255)],
    [new Date(5)],
    [[1, undefined, [2n]]],
    [{ a: 1, b: { c: undefined } }],
    [{}],
    [
      new Map<unknown, unknown>([
        ['a', 1n],
        [2, new Set(['x'])],
      ]),
    ],
    [{ $bytes: 'not bytes' }],
    [{ $object: { $number: 1 } }],
    [{ $a: 1, $b: 2 }],
  ])('[D3] come through JSON as they were: %o', (value) => {
    expect(through(value)).toEqual(value)
  })

  it('[D3] keep the sign of zero', () => {
    expect(Object.is(through(-0), -0)).toBe(true)
    expect(Object.is(through(0), 0)).toBe(true)
  })

  it('[D3] take an object that stands twice for two, and none that holds itself', () => {
    const shared = { a: 1 }
    expect(through([shared, shared])).toEqual([shared, shared])
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect(writeValue(ring)).toBeUndefined()
  })

  it('[D3] are data alone', () => {
    expect(writeValue(() => undefined)).toBeUndefined()
    expect(writeValue({ deep: [Symbol('s')] })).toBeUndefined()
    expect(writeValue(new (class Account {})())).toBeUndefined()
    expect(writeValue(Object.create(null))).toEqual({})
  })

  it('[D3] of a newer version are refused', () => {
    expect(() => readValue({ $later: 1 })).toThrow(/newer version.*\$later/)
  })
})
