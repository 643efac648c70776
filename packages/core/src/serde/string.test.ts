import { describe, expect, it } from 'vitest'
import { toHex } from '../model/bytes.js'
import { encodeText } from './string.js'

const written = (text: string) => toHex(encodeText(text))

describe('encodeText', () => {
  it.each([0, 1, 63, 64, 65, 200])('writes %i ASCII characters as themselves', (length) => {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(i % 128)).join('')
    expect([...encodeText(text)]).toEqual(Array.from({ length }, (_, i) => i % 128))
  })

  it.each([
    ['\u007f', '7f'],
    ['\u0080', 'c280'],
    ['ab\u00e9', '6162c3a9'],
    ['日本', 'e697a5e69cac'],
    ['a😀', '61f09f9880'],
    ['a\ud83d', '613f'],
  ])('writes %j as the JVM does, whatever comes first in it', (text, hex) => {
    expect(written(text)).toBe(hex)
    expect(written(`${'x'.repeat(70)}${text}`)).toBe(`${'78'.repeat(70)}${hex}`)
  })
})
