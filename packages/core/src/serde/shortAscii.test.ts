import { describe, expect, it } from 'vitest'
import { decodeShortAscii, encodeShortAscii } from './shortAscii.js'
import { string } from './string.js'

const ascii = (length: number) => Array.from({ length }, (_, i) => (i * 37 + 1) % 128)

describe('short ASCII', () => {
  it.each(Array.from({ length: 19 }, (_, length) => length))('of %i bytes is read as it was written', (length) => {
    const text = String.fromCharCode(...ascii(length))
    const bytes = Uint8Array.from(ascii(length))
    expect(encodeShortAscii(text)).toEqual(bytes)
    expect(decodeShortAscii(bytes)).toBe(length <= 16 ? text : undefined)
  })

  it.each(Array.from({ length: 16 }, (_, at) => at))('is left at a byte above 0x7f, also at index %i', (at) => {
    const bytes = Uint8Array.from(ascii(16)).with(at, 0x80)
    expect(decodeShortAscii(bytes)).toBeUndefined()
    expect(decodeShortAscii(bytes.with(at, 0x7f))).toHaveLength(16)
    expect(encodeShortAscii(String.fromCharCode(...bytes))).toBeUndefined()
  })

  it('is written up to 64 characters', () => {
    expect(encodeShortAscii('x'.repeat(64))).toHaveLength(64)
    expect(encodeShortAscii('x'.repeat(65))).toBeUndefined()
  })
})

describe('the string serde', () => {
  const read = (...bytes: number[]) => string.deserialize('t', undefined as never, Uint8Array.from(bytes))

  it('reads a byte order mark and zeros as text, and what is no UTF-8 as U+FFFD', () => {
    expect(read(0xef, 0xbb, 0xbf, 0x61)).toBe('\ufeffa')
    expect(read(0x61, 0, 0x62)).toBe('a\0b')
    expect(read(0x61, 0xff)).toBe('a\ufffd')
    expect(read(0xc3, 0xa9)).toBe('é')
  })
})
