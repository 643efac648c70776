import type { TopologyDocument } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { spacedHex } from '../../live/hex.js'
import { textOf } from './decodeBytes.js'
import { encodeField, usualFields } from './encodeField.js'
import { parseTime } from './parseTime.js'

describe('encodeField', () => {
  it.each([
    ['text', 'k0', '6b30'],
    ['json', '"k0"', '226b3022'],
    ['text', '€', 'e282ac'],
    ['long', '1', '0000000000000001'],
    ['long', '-1', 'ffffffffffffffff'],
    ['long', '9223372036854775807', '7fffffffffffffff'],
    ['hex', '22 6B 30 22', '226b3022'],
    ['hex', '', ''],
    ['null', 'anything', null],
  ] as const)('writes %s %s as %s', (encoding, text, hex) => {
    expect(encodeField({ encoding, text })).toEqual({ ok: true, hex })
  })
  it.each([
    ['json', 'k0'],
    ['long', '1.5'],
    ['long', '9223372036854775808'],
    ['hex', '226'],
    ['hex', 'zz'],
  ] as const)('refuses %s %s with a reason', (encoding, text) => {
    expect(encodeField({ encoding, text })).toMatchObject({ ok: false, problem: expect.stringMatching(/.+/) })
  })
})

describe('usualFields', () => {
  const document = {
    nodes: [
      {
        kind: 'source',
        properties: {
          topics: ['plain'],
          key: { form: 'serde', serde: { kind: 'built-in', name: 'long' } },
          value: { form: 'default' },
        },
      },
    ],
    generators: [
      {
        topic: 'made',
        key: { kind: 'json', type: 'string' },
        value: { kind: 'json', type: 'V' },
        phases: [{ forMs: 0, ratePerSecond: 1, keys: ['user-{n}'] }],
        template: { page: '/{n}' },
      },
    ],
  } as unknown as TopologyDocument
  it('writes as the topic’s generator does', () => {
    expect(usualFields(document, 'made')).toEqual({
      key: { encoding: 'json', text: '"user-1"' },
      value: { encoding: 'json', text: '{"page":"/1"}' },
    })
  })
  it('else as its source reads', () => {
    expect(usualFields(document, 'plain')).toEqual({
      key: { encoding: 'long', text: '' },
      value: { encoding: 'text', text: '' },
    })
  })
})

describe('parseTime', () => {
  it.each([
    ['2036-11-30 12:00', Date.UTC(2036, 10, 30, 12)],
    ['2036-11-30', Date.UTC(2036, 10, 30)],
    ['2036-11-30T12:00:01.5Z', Date.UTC(2036, 10, 30, 12, 0, 1, 500)],
    ['1793700000000', 1_793_700_000_000],
    ['2026-02-31', null],
    ['2036', null],
    ['soon', null],
  ])('reads %s', (text, at) => expect(parseTime(text)).toBe(at))
})

it('shows bytes as text only when they are text', () => {
  expect(textOf('226b3022')).toBe('"k0"')
  expect(textOf('ff00')).toBeNull()
  expect(textOf('0000000000000001')).toBeNull()
})

it('says how many bytes it leaves out', () => {
  expect(spacedHex('226b3022', 4)).toBe('22 6b 30 22')
  expect(spacedHex('226b3022', 3)).toBe('22 6b 30 … 1 more')
})
