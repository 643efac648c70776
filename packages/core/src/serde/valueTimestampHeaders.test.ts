import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { string } from './string.js'
import { valueTimestampHeaders, withoutHeaders } from './valueTimestampHeaders.js'
import { readVarint, varintLength, writeVarint } from './varint.js'

const serde = valueTimestampHeaders(string)
const write = (headers: Headers) => serde.serialize('t', Headers.empty, { value: 'a', timestamp: 5, headers })

describe('a value with its time and headers (kafka-streams.md A.9)', () => {
  it('has one zero byte in front when there are no headers', () => {
    expect(toHex(write(Headers.empty))).toBe(`00${'0000000000000005'}61`)
  })

  it('has their size, their count, and each one in front; null as the length −1', () => {
    const headers = Headers.of([
      { key: 'h', value: fromHex('31') },
      { key: 'n', value: null },
    ])
    // size 8: count 2, key of 1 "h", value of 1 "1", key of 1 "n", value of −1
    expect(toHex(write(headers))).toBe(`10${'04'}026802${'31'}026e01${'0000000000000005'}61`)
    const back = serde.deserialize('t', Headers.empty, write(headers))
    expect(back.value).toBe('a')
    expect(back.timestamp).toBe(5)
    expect(back.headers.toArray()).toEqual(headers.toArray())
  })

  it('tells an empty header value from null', () => {
    const headers = Headers.of([{ key: '', value: new Uint8Array(0) }])
    expect(serde.deserialize('t', Headers.empty, write(headers)).headers.toArray()).toEqual(headers.toArray())
  })

  it('refuses bytes that end within the timestamp', () => {
    expect(() => serde.deserialize('t', Headers.empty, fromHex('00000000000000'))).toThrow()
  })

  it.each([
    ['plain', '61', -1],
    ['timestamped', '000000000000000561', 5],
  ] as const)('loses them over a %s store', (stored, hex, timestamp) => {
    const lossy = withoutHeaders(string, stored)
    const headers = Headers.of([{ key: 'h', value: null }])
    const bytes = lossy.serialize('t', Headers.empty, { value: 'a', timestamp: 5, headers })
    expect(toHex(bytes)).toBe(hex)
    expect(lossy.deserialize('t', Headers.empty, bytes)).toEqual({ value: 'a', timestamp, headers: Headers.empty })
  })
})

describe('a varint', () => {
  it.each([
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [63, '7e'],
    [64, '8001'],
    [-64, '7f'],
    [-65, '8101'],
    [300, 'd804'],
    [2 ** 31 - 1, 'feffffff0f'],
    [-(2 ** 31), 'ffffffff0f'],
  ])('%i is %s', (value, hex) => {
    const bytes = new Uint8Array(varintLength(value))
    expect(writeVarint(bytes, 0, value)).toBe(bytes.length)
    expect(toHex(bytes)).toBe(hex)
    expect(readVarint(bytes, 0)).toEqual({ value, next: bytes.length })
  })

  it.each(['', '80', 'ffffffffff01'])('refuses %s', (hex) => {
    expect(() => readVarint(fromHex(hex), 0)).toThrow(RangeError)
  })
})
