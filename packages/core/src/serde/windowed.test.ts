import { describe, expect, it } from 'vitest'
import { StreamError } from '../errors/index.js'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { long } from './long.js'
import type { Serde } from './Serde.js'
import { string } from './string.js'
import { sessionWindowed, windowed } from './windowed.js'

const key = <K>(key: K, start: number, end: number) => ({ key, window: { start, end } })
const write = (serde: Serde<any>, value: unknown) => toHex(serde.serialize('in', Headers.empty, value))
const read = (serde: Serde<any>, hex: string) => serde.deserialize('in', Headers.empty, fromHex(hex))

describe('windowed', () => {
  it.each([
    [key('k', 1000, 2000), '6b00000000000003e8'],
    [key('k', 0, 1000), '6b0000000000000000'],
    [key('', 5, 1005), '0000000000000005'],
  ])('[F.2] writes %j as the key and the start, and reads it back', (value, hex) => {
    expect(write(windowed(string, 1000), value)).toBe(hex)
    expect(read(windowed(string, 1000), hex)).toEqual(value)
  })

  it('[F.2] takes the end from its size, not from the bytes', () => {
    expect(write(windowed(string, 1000), key('k', 1000, 99999))).toBe('6b00000000000003e8')
    expect(read(windowed(long, 10), '000000000000002a0000000000000014')).toEqual(key(42, 20, 30))
  })

  it('[F.2] cuts an end that no number can hold', () => {
    const last = Number.MAX_SAFE_INTEGER
    expect(write(windowed(long, 10), key(-1, last, last))).toBe('ffffffffffffffff001fffffffffffff')
    expect(read(windowed(long, 10), 'ffffffffffffffff001fffffffffffff')).toEqual(key(-1, last, last))
    expect(read(windowed(string, 10), '001ffffffffffff4')).toEqual(key('', last - 11, last - 1))
  })

  it('[T3] lanes by the bytes of the inner key', () => {
    expect(toHex(windowed(string, 1000).laneBytes?.(fromHex('6b6b00000000000003e8')) ?? fromHex(''))).toBe('6b6b')
    expect(windowed(string, 1000).laneBytes?.(fromHex('01020304050607'))).toHaveLength(0)
  })

  it('[B2] has an id that names the inner serde and the size', () => {
    expect(windowed(string, 1000).id).toBe('windowed(string,1000)')
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('[A.7] refuses the size %d', (sizeMs) => {
    expect(() => windowed(string, sizeMs)).toThrow('Window size (sizeMs) must be larger than zero')
  })

  it('[F.2] takes the size 1', () => {
    expect(read(windowed(string, 1), '6b0000000000000000')).toEqual(key('k', 0, 1))
  })

  it.each(['', '00000000000003', '6b7fffffffffffff00', '6bffffffffffffffff'])('[W1] refuses the bytes "%s"', (hex) => {
    expect(() => read(windowed(string, 1000), hex)).toThrow("must hold the window's times")
  })

  it.each([undefined, 'k', { key: 'k' }, key('k', -1, 5), key('k', 0.5, 5)])('refuses to write %j', (value) => {
    try {
      write(windowed(string, 10), value)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(StreamError)
      expect((error as StreamError).code).toBe('SERIALIZATION_FAILED')
    }
  })

  it('prepares by the bytes of the inner key, when the inner serde prepares', async () => {
    const seen: string[] = []
    const prepare = async (bytes: Uint8Array) => void seen.push(toHex(bytes))
    await windowed({ ...string, prepare }, 10).prepare?.(fromHex('6b0000000000000001'), Headers.empty)
    expect(seen).toEqual(['6b'])
    expect('prepare' in windowed(string, 10)).toBe(false)
  })
})

describe('sessionWindowed', () => {
  it.each([
    [key('k', 1000, 2000), '6b00000000000007d000000000000003e8'],
    [key('k', 5, 5), '6b00000000000000050000000000000005'],
    [key('', 0, 0), '00000000000000000000000000000000'],
  ])('[F.2] writes %j as the key, the end and the start, and reads it back', (value, hex) => {
    expect(write(sessionWindowed(string), value)).toBe(hex)
    expect(read(sessionWindowed(string), hex)).toEqual(value)
  })

  it('[T3] lanes by the bytes of the inner key', () => {
    const bytes = fromHex('6b00000000000007d000000000000003e8')
    expect(toHex(sessionWindowed(string).laneBytes?.(bytes) ?? fromHex(''))).toBe('6b')
  })

  it('[F.2] refuses a session without an end, and bytes too short for two times', () => {
    expect(() => write(sessionWindowed(string), { key: 'k', window: { start: 0 } })).toThrow('writes windowed keys')
    expect(() => read(sessionWindowed(string), '6b00000000000007d0')).toThrow("must hold the window's times")
    expect(sessionWindowed(string).id).toBe('sessionWindowed(string)')
  })
})
