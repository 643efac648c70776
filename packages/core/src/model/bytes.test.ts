import { describe, expect, it } from 'vitest'
import { bytesBetween, compareBytes, equalBytes, fromHex, toHex } from './bytes.js'

describe('compareBytes', () => {
  const ordered = ['', '00', '0000', '01', '0100', '7f', '80', 'ff', 'ff00', 'ffff']

  it('[T5] orders by unsigned bytes, a prefix before what it is a prefix of', () => {
    for (const [i, a] of ordered.entries()) {
      for (const [j, b] of ordered.entries()) {
        expect(Math.sign(compareBytes(fromHex(a), fromHex(b))), `${a} and ${b}`).toBe(Math.sign(i - j))
      }
    }
  })
})

describe('equalBytes', () => {
  it.each([
    ['', '', true],
    ['01', '01', true],
    ['01', '02', false],
    ['0102', '0103', false],
    ['0102', '0202', false],
    ['01', '0100', false],
    ['0100', '01', false],
    ['', '00', false],
  ])('of %s and %s is %s', (a, b, equal) => {
    expect(equalBytes(fromHex(a), fromHex(b))).toBe(equal)
  })
})

describe('bytesBetween', () => {
  it.each([8, 64, 65, 200])('gives a part of %i bytes, up to the end unless told otherwise', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i)
    expect([...bytesBetween(bytes, 3)]).toEqual([...bytes].slice(3))
    expect([...bytesBetween(bytes, 0, 5)]).toEqual([0, 1, 2, 3, 4])
    expect([...bytesBetween(bytes, 2, 4)]).toEqual([2, 3])
    expect(bytesBetween(bytes, length)).toHaveLength(0)
    expect(bytesBetween(bytes, 4, 2)).toHaveLength(0)
  })
})

describe('hex', () => {
  it('is lower-case, two digits a byte, with any separator', () => {
    expect(toHex(Uint8Array.of(0x22, 0x6b, 0x0a, 0xff))).toBe('226b0aff')
    expect(toHex(Uint8Array.of(0x22, 0x6b, 0x0a), ' ')).toBe('22 6b 0a')
    expect(toHex(new Uint8Array())).toBe('')
  })

  it('is read with blanks and in either case', () => {
    expect(fromHex(' 22 6B\n0a ')).toEqual(Uint8Array.of(0x22, 0x6b, 0x0a))
    expect(fromHex('')).toEqual(new Uint8Array())
  })

  it.each(['2', '226', 'gg', '0x22', '-1'])('refuses "%s"', (text) => {
    expect(() => fromHex(text)).toThrow(`Not hex bytes: "${text}"`)
  })
})
