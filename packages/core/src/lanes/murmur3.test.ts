import { describe, expect, it } from 'vitest'
import { fromHex } from '../model/bytes.js'
import { laneOf, murmur3 } from './murmur3.js'

const text = (value: string) => new TextEncoder().encode(value)

describe('murmur3', () => {
  // The reference implementation's well-known results for seed 0.
  it.each([
    ['', 0],
    ['test', 0xba6bd213],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
    ['hello', 0x248bfa47],
    ['hello, world', 0x149bbb7f],
  ])('[L2] hashes %j as the reference does', (key, hash) => {
    expect(murmur3(text(key))).toBe(hash)
  })

  it.each([
    ['ffffffff', 0x76293b50],
    ['21436587', 0xf55b516b],
    ['214365', 0x7e4a8634],
    ['2143', 0xa0f7b07a],
    ['21', 0x72661cf4],
    ['00000000', 0x2362f9de],
    ['000000', 0x85f0b427],
    ['0000', 0x30f4c306],
    ['00', 0x514e28b7],
  ])('[L2] takes the bytes %s as unsigned and every tail length', (hex, hash) => {
    expect(murmur3(fromHex(hex))).toBe(hash)
  })

  it('[L2] does not depend on where in a buffer the bytes are', () => {
    expect(murmur3(text('xxtestyy').subarray(2, 6))).toBe(0xba6bd213)
  })
})

describe('laneOf', () => {
  it('[L2] puts "k0" with its quotes on lane 0 of 8 and k0 without on lane 6', () => {
    expect(laneOf(fromHex('22 6b 30 22'), 8)).toBe(0)
    expect(laneOf(fromHex('6b 30'), 8)).toBe(6)
  })

  it('[L2] masks the top bit before the modulo', () => {
    expect(laneOf(text('test'), 1000)).toBe((0xba6bd213 & 0x7fffffff) % 1000)
    expect(laneOf(text('test'), 1000)).not.toBe(0xba6bd213 % 1000)
  })

  it('[L3] hashes an empty key, to lane 0', () => {
    expect(laneOf(text(''), 8)).toBe(0)
  })

  it('[L2] spreads keys over all lanes', () => {
    const counts = new Array<number>(16).fill(0)
    for (let i = 0; i < 16_000; i++) {
      const lane = laneOf(text(`user-${i}`), 16)
      counts[lane] = (counts[lane] as number) + 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1150)
  })
})
