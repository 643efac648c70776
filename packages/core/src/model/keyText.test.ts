import { describe, expect, it } from 'vitest'
import { keyText } from './keyText.js'

describe('keyText', () => {
  it.each<[unknown, string]>([
    ['k0', 'k0'],
    ['', ''],
    [42, '42'],
    [42n, '42'],
    [null, 'null'],
    [Uint8Array.of(0x6b, 0x30), '6b 30'],
    [{ a: 1 }, '{"a":1}'],
    [{ key: 'k', window: { start: 1000, end: 2000 } }, 'k@1000/2000'],
    [{ key: { a: 1 }, window: { start: 0, end: 1 } }, '{"a":1}@0/1'],
    [{ key: 'k', window: 'none' }, '{"key":"k","window":"none"}'],
    [{ a: 1n }, '[object Object]'],
  ])('reads as people read it: %#', (key, text) => {
    expect(keyText(key)).toBe(text)
  })

  it('is cut when longer than 120 characters', () => {
    expect(keyText('x'.repeat(120))).toBe('x'.repeat(120))
    expect(keyText('x'.repeat(121))).toBe(`${'x'.repeat(120)}…`)
  })
})
