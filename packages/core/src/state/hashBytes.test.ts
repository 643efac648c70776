import { describe, expect, it } from 'vitest'
import { hashBytes } from './hashBytes.js'

const text = (value: string) => new TextEncoder().encode(value)

describe('hashBytes', () => {
  it('tells keys apart that differ in one byte, anywhere, or in length', () => {
    const keys = ['', '\0', '\0\0', 'a', 'b', 'abcd', 'abce', 'bbcd', 'abcdefg', 'abcdefh', 'abcdefgh', 'Abcdefgh']
    expect(new Set(keys.map((key) => hashBytes(text(key)))).size).toBe(keys.length)
  })

  it('is an int32, and does not depend on where in a buffer the bytes are', () => {
    const hash = hashBytes(text('key-0000042'))
    expect(hash).toBe(hash | 0)
    expect(hashBytes(text('xxkey-0000042y').subarray(2, 13))).toBe(hash)
  })

  it.each([
    ['numbered keys', (i: number) => text(`key-${String(i).padStart(7, '0')}`)],
    ['times, big-endian', (i: number) => Uint8Array.of(0, 0, 1, 155, i >> 16, i >> 8, i, 0)],
  ])('spreads %s over the low bits about evenly', (_, keyOf) => {
    const buckets = new Array<number>(256).fill(0)
    for (let i = 0; i < 25_600; i++) (buckets[hashBytes(keyOf(i)) & 255] as number)++
    expect(Math.max(...buckets)).toBeLessThan(160)
    expect(Math.min(...buckets)).toBeGreaterThan(50)
  })
})
