import { describe, expect, it } from 'vitest'
import { fromHex } from '../model/bytes.js'
import { builtInSerdes } from '../serde/builtInSerdes.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { integer } from '../serde/numbers.js'
import type { Deserializer } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import { faithfulSerde } from './faithfulSerde.js'
import { sameValue } from './sameValue.js'

const text = (key: string) => new TextEncoder().encode(key)
const reading = (read: (bytes: Uint8Array) => unknown): Deserializer<any> => ({
  deserialize: (_t, _h, bytes) => read(bytes),
})
const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const unquote = reading((bytes) => JSON.parse(decoded(bytes)))

describe('the serde that a fix proposes (A1)', () => {
  const cases: [string, Uint8Array[], Deserializer<any>, string | undefined][] = [
    ['JSON for quoted text that is unquoted', [text('"k0"'), text('"k12"')], unquote, 'json'],
    ['string for bare text', [text('k0')], reading(decoded), 'string'],
    ['string for quoted text that keeps its quotes', [text('"k0"')], reading(decoded), 'string'],
    ['long for eight bytes read as a number', [fromHex('000000000000002a')], long, 'long'],
    ['integer for four', [fromHex('0000002a')], integer, 'integer'],
    ['JSON for a number in digits', [text('42')], unquote, 'json'],
    ['JSON for an object', [text('{"a":[1,{"b":null}]}')], unquote, 'json'],
    ['none when blanks in the text would not come back', [text('{"a": 1}')], unquote, undefined],
    ['none when one of the samples would not come back', [text('"k0"'), text(' "k1"')], unquote, undefined],
    ['none when the value differs, though the bytes come back', [text('k0')], reading(() => 'other'), undefined],
    ['none when the deserializer refuses', [text('k0')], unquote, undefined],
    ['none without samples', [], unquote, undefined],
  ]
  it.each(cases)('is %s', (_, samples, deserializer, id) => {
    expect(faithfulSerde(samples, deserializer, 't')?.id).toBe(id)
  })

  it('is looked for in the order given, when serdes are given', () => {
    const mine = { ...string, id: 'mine' }
    expect(faithfulSerde([text('k0')], reading(decoded), 't', [mine, ...builtInSerdes])?.id).toBe('mine')
    expect(faithfulSerde([text('k0')], reading(decoded), 't', [json()])).toBeUndefined()
  })
})

describe('sameValue', () => {
  const same: [unknown, unknown][] = [
    ['a', 'a'],
    [Number.NaN, Number.NaN],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [fromHex('0102'), fromHex('0102')],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ]
  it.each(same)('%j is %j', (a, b) => expect(sameValue(a, b)).toBe(true))

  const different: [unknown, unknown][] = [
    ['1', 1],
    [0, -0],
    [null, {}],
    [{}, null],
    [[], {}],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: undefined }, { b: undefined }],
    [fromHex('0102'), fromHex('0103')],
    [fromHex('0102'), [1, 2]],
    [[1, 2], fromHex('0102')],
  ]
  it.each(different)('%j is not %j', (a, b) => expect(sameValue(a, b)).toBe(false))
})
