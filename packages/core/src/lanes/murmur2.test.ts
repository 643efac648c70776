import { describe, expect, it } from 'vitest'
import { fromHex } from '../model/bytes.js'
import { murmur2, partitionOf } from './murmur2.js'

const text = (value: string) => new TextEncoder().encode(value)

describe('murmur2', () => {
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['', 275646681],
    ['a', -1563381124],
    ['ab', 316155434],
    ['abc', 479470107],
    ['abcd', -1323649548],
    ['abcde', 461995741],
    ['abcdef', 1870650108],
    ['abcdefg', -346467175],
    ['abcdefgh', -955427363],
    ['abcdefghi', -619679810],
    ['abcdefghij', 8205847],
    ['"k0"', 1325721656],
    ['日本', -700811021],
    ['😀', 131881617],
  ])('[D.2] hashes %j as Kafka does', (key, hash) => {
    expect(murmur2(text(key))).toBe(hash)
  })

  it.each([
    ['00', 375494588],
    ['ff', -311467685],
    ['80', 857690492],
    ['7f', 21296028],
    ['0000', 595382058],
    ['ffff', -1642832928],
    ['ffffff', 1548199422],
    ['ffffffff', 644171429],
    ['80000000', -65415266],
    ['ff00ff00ff', 682223993],
    ['0000000001046b31', 302804461],
    ['0000000002046b31', 1582380941],
  ])('[D.1] takes the bytes %s as unsigned', (hex, hash) => {
    expect(murmur2(fromHex(hex))).toBe(hash)
  })

  it('[D.1] does not depend on where in a buffer the bytes are', () => {
    const bytes = text('xxabcdefgyy')
    expect(murmur2(bytes.subarray(2, 9))).toBe(-346467175)
  })
})

describe('partitionOf', () => {
  it.each([
    ['k0', [1, 2, 5, 45]],
    ['a', [4, 1, 4, 24]],
    ['100:48069', [1, 0, 9, 57]],
    ['TT0124', [6, 1, 10, 70]],
    ['', [1, 0, 9, 81]],
  ])('[D.2] [G-50] [G-51] [G-55] [H-15] picks the partitions of %j among 8, 3, 12 and 100', (key, partitions) => {
    expect([8, 3, 12, 100].map((count) => partitionOf(text(key), count))).toEqual(partitions)
  })

  it('[G-52] does not go by a hash without its seed', () => expect(partitionOf(text('wu'), 10)).toBe(0))

  it('[D.1] [G-53] masks a negative hash, never makes it absolute', () => {
    expect(murmur2(text('abcd'))).toBe(-1323649548)
    expect(partitionOf(text('abcd'), 1000)).toBe(823834100 % 1000)
    expect(partitionOf(text('abcd'), 1000)).not.toBe(1323649548 % 1000)
  })

  it('gives the only partition there is', () => {
    expect(partitionOf(text('anything'), 1)).toBe(0)
  })
})
