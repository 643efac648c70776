import { describe, expect, it } from 'vitest'
import { toHex } from '../model/bytes.js'
import { readInt32, readInt64, writeInt32, writeInt64 } from './int64.js'

const greatest = 2 ** 53 - 1

describe('int64 by two halves', () => {
  it.each([
    [0, '0000000000000000'],
    [-0, '0000000000000000'],
    [1, '0000000000000001'],
    [-1, 'ffffffffffffffff'],
    [255, '00000000000000ff'],
    [-256, 'ffffffffffffff00'],
    [0x7fffffff, '000000007fffffff'],
    [0x80000000, '0000000080000000'],
    [0xffffffff, '00000000ffffffff'],
    [0x100000000, '0000000100000000'],
    [-0x80000000, 'ffffffff80000000'],
    [-0x80000001, 'ffffffff7fffffff'],
    [-0x100000000, 'ffffffff00000000'],
    [-0x100000001, 'fffffffeffffffff'],
    [0x0102030405060, '0000102030405060'],
    [greatest, '001fffffffffffff'],
    [-greatest, 'ffe0000000000001'],
    [greatest + 1, '0020000000000000'],
  ])('[W1] writes %d as %s and reads it back', (value, hex) => {
    const bytes = new Uint8Array(10).fill(0xaa)
    writeInt64(bytes, 1, value)
    expect(toHex(bytes)).toBe(`aa${hex}aa`)
    expect(readInt64(bytes, 1)).toBe(value + 0)
  })

  it.each([
    [2n ** 53n],
    [2n ** 53n + 1n],
    [2n ** 63n - 1n],
    [-(2n ** 53n)],
    [-(2n ** 53n) - 1n],
    [-(2n ** 53n) - 2n],
    [-(2n ** 63n)],
  ])('[W1] reads %s as something that is no safe integer', (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, value)
    expect(Number.isSafeInteger(readInt64(bytes, 0))).toBe(false)
  })

  it('[W1] agrees with the host for integers of every size', () => {
    const bytes = new Uint8Array(8)
    const view = new DataView(bytes.buffer)
    for (let exponent = 0; exponent < 53; exponent++) {
      for (const value of [2 ** exponent - 1, 2 ** exponent, -(2 ** exponent), 1 - 2 ** exponent]) {
        writeInt64(bytes, 0, value)
        expect(view.getBigInt64(0)).toBe(BigInt(value))
        expect(readInt64(bytes, 0)).toBe(value + 0)
      }
    }
  })

  it.each([0, 1, -1, 2147483647, -2147483648, 0x01020304])('writes and reads the int32 %d', (value) => {
    const bytes = new Uint8Array(6)
    writeInt32(bytes, 1, value)
    expect(new DataView(bytes.buffer).getInt32(1)).toBe(value)
    expect(readInt32(bytes, 1)).toBe(value)
    expect([bytes[0], bytes[5]]).toEqual([0, 0])
  })
})
