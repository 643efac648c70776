import { describe, expect, it } from 'vitest'
import { StreamError } from '../errors/index.js'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { builtInSerdes, serdeById } from './builtInSerdes.js'

const write = (id: string, value: unknown) => toHex(serdeOf(id).serialize('in', Headers.empty, value))
const read = (id: string, hex: string) => serdeOf(id).deserialize('in', Headers.empty, fromHex(hex))

function serdeOf(id: string) {
  const serde = serdeById(id)
  if (serde === undefined) throw new Error(`no serde ${id}`)
  return serde
}

function errorOf(work: () => unknown): StreamError {
  try {
    work()
  } catch (error) {
    if (error instanceof StreamError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Observed on Kafka 4.4.0's own serdes. */
const bothWays: readonly (readonly [string, unknown, string])[] = [
  ['string', '', ''],
  ['string', 'k0', '6b30'],
  ['string', '日本', 'e697a5e69cac'],
  ['string', '😀', 'f09f9880'],
  ['string', '\ufeffx', 'efbbbf78'],
  ['string', '\ufffd', 'efbfbd'],
  ['long', 0, '0000000000000000'],
  ['long', 42, '000000000000002a'],
  ['long', -1, 'ffffffffffffffff'],
  ['long', 9007199254740991, '001fffffffffffff'],
  ['long', -9007199254740991, 'ffe0000000000001'],
  ['bigint', 42n, '000000000000002a'],
  ['bigint', 9223372036854775807n, '7fffffffffffffff'],
  ['bigint', -9223372036854775808n, '8000000000000000'],
  ['integer', 42, '0000002a'],
  ['integer', -1, 'ffffffff'],
  ['integer', 2147483647, '7fffffff'],
  ['integer', -2147483648, '80000000'],
  ['short', 42, '002a'],
  ['short', -1, 'ffff'],
  ['short', 32767, '7fff'],
  ['short', -32768, '8000'],
  ['double', 0, '0000000000000000'],
  ['double', -0, '8000000000000000'],
  ['double', 0.1, '3fb999999999999a'],
  ['double', 5e-324, '0000000000000001'],
  ['double', 1e300, '7e37e43c8800759c'],
  ['double', Number.POSITIVE_INFINITY, '7ff0000000000000'],
  ['double', Number.NEGATIVE_INFINITY, 'fff0000000000000'],
  ['double', Number.NaN, '7ff8000000000000'],
  ['float', -0, '80000000'],
  ['float', 3.25, '40500000'],
  ['float', Number.POSITIVE_INFINITY, '7f800000'],
  ['float', Number.NEGATIVE_INFINITY, 'ff800000'],
  ['float', Number.NaN, '7fc00000'],
  ['boolean', true, '01'],
  ['boolean', false, '00'],
  [
    'uuid',
    '123e4567-e89b-12d3-a456-426614174000',
    toHex(new TextEncoder().encode('123e4567-e89b-12d3-a456-426614174000')),
  ],
  ['byteArray', fromHex('deadbeef'), 'deadbeef'],
  ['byteArray', fromHex(''), ''],
  ['bytes', fromHex('00ff'), '00ff'],
  ['byteBuffer', fromHex('00ff'), '00ff'],
  ['json', { a: [1, null, 'x'] }, '7b2261223a5b312c6e756c6c2c2278225d7d'],
  ['json', 'k0', '226b3022'],
]

describe('built-in serdes', () => {
  it.each(bothWays)('[F.1] %s writes %s as Kafka does, %s, and reads it back', (id, value, hex) => {
    expect(write(id, value)).toBe(hex)
    expect(read(id, hex)).toStrictEqual(value)
  })

  it.each([
    ['double', '7ff8000000000001'],
    ['double', 'fff8000000000000'],
    ['float', 'ffc00001'],
  ])('[F.1] %s reads any NaN', (id, hex) => {
    expect(read(id, hex)).toBeNaN()
  })

  it('[F.1] double writes one NaN, whatever bits it was read from', () => {
    expect(write('double', read('double', 'fff8000000000001'))).toBe('7ff8000000000000')
  })

  it('[F.1] float rounds to the nearest single', () => {
    expect(write('float', 1e30)).toBe('7149f2ca')
  })

  it.each([
    ['\ud800', '3f'],
    ['\udc00', '3f'],
    ['a\ud800b', '613f62'],
    ['\ud800\ud800', '3f3f'],
    ['\udc00\ud800', '3f3f'],
    ['\ud83d\ude00\ud83d', 'f09f98803f'],
  ])('[G-75] string writes 3f for each lone surrogate: %j', (text, hex) => {
    expect(write('string', text)).toBe(hex)
  })

  it('[F.1] string reads what is not UTF-8 as U+FFFD', () => {
    expect(read('string', '61ff62')).toBe('a\ufffdb')
  })

  it.each([
    ['1-2-3-4-5', '00000001-0002-0003-0004-000000000005'],
    ['A-b-C-d-+F', '0000000a-000b-000c-000d-00000000000f'],
    ['123456789-12345-1-1-1', '23456789-2345-0001-0001-000000000001'],
    ['7fffffffffffffff-0-0-0-0', 'ffffffff-0000-0000-0000-000000000000'],
  ])('[F.1] uuid reads and writes %s as Java does: %s', (short, full) => {
    const bytes = new TextEncoder().encode(short)
    expect(serdeOf('uuid').deserialize('in', Headers.empty, bytes)).toBe(full)
    expect(write('uuid', short)).toBe(write('uuid', full))
  })

  it.each(['-1-1-1-1-1', '1-1-1-1-', '1-1-1-1', '1-1-1-1-1-1', '8000000000000000-0-0-0-0', '1-1-1-1-+', '1-1-1-1-g'])(
    '[F.1] uuid refuses %s as Java does',
    (text) => {
      const bytes = new TextEncoder().encode(text)
      expect(() => serdeOf('uuid').deserialize('in', Headers.empty, bytes)).toThrow('Error parsing data into UUID')
      expect(() => write('uuid', text)).toThrow()
    },
  )

  it('[F.1] uuid refuses more than 36 characters', () => {
    const text = '0-0000000000000000000000000000000000-0-0-0'
    expect(() => write('uuid', text)).toThrow()
    expect(() => write('uuid', `${'0'.repeat(29)}-0-0-0`)).toThrow()
    expect(write('uuid', `${'0'.repeat(28)}-0-0-0-0`)).toBe(write('uuid', '0-0-0-0-0'))
    expect(() => write('uuid', `${'0'.repeat(29)}-0-0-0-0`)).toThrow()
  })

  it('[F.1] uuid gives one key to one UUID, in lower case', () => {
    const upper = '123E4567-E89B-12D3-A456-426614174000'
    expect(write('uuid', upper)).toBe(write('uuid', upper.toLowerCase()))
    expect(serdeOf('uuid').deserialize('in', Headers.empty, new TextEncoder().encode(upper))).toBe(upper.toLowerCase())
  })

  it.each([
    ['long', '00', 'Size of data received by LongDeserializer is not 8'],
    ['long', '', 'Size of data received by LongDeserializer is not 8: got 0 bytes'],
    ['long', '000000000000000000', 'is not 8: got 9 bytes (00 00 00 00 00 00 00 00 00)'],
    ['bigint', '00', 'Size of data received by LongDeserializer is not 8: got 1 byte (00)'],
    ['integer', '000000000000002a', 'Size of data received by IntegerDeserializer is not 4'],
    ['short', '00', 'Size of data received by ShortDeserializer is not 2'],
    ['double', '00', 'is not 8'],
    ['float', '0000', 'is not 4'],
    ['boolean', '', 'Size of data received by BooleanDeserializer is not 1'],
    ['boolean', '0101', 'Size of data received by BooleanDeserializer is not 1'],
    ['boolean', '02', 'Unexpected byte received by BooleanDeserializer: 2'],
    ['boolean', 'ff', 'Unexpected byte received by BooleanDeserializer: 255'],
    ['void', '', 'Data should be null for a VoidDeserializer'],
    ['void', '00', 'Data should be null for a VoidDeserializer'],
    ['uuid', '61', 'Error parsing data into UUID'],
    ['long', '0020000000000000', 'bigint'],
    ['long', 'ffe0000000000000', 'bigint'],
    ['long', '7fffffffffffffff', 'bigint'],
    ['json', '7b', 'cannot read 1 byte (7b)'],
    ['json', '', 'cannot read 0 bytes'],
    ['json', '22ff22', 'cannot read 3 bytes'],
  ])('[F.1] %s refuses the bytes "%s"', (id, hex, message) => {
    const error = errorOf(() => read(id, hex))
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ code: 'DESERIALIZATION_FAILED', kind: 'user', retriable: false })
    expect(error.context.topic).toBe('in')
  })

  it.each<[string, unknown, string]>([
    ['string', 5, 'not the number 5'],
    ['long', 1.5, 'not the number 1.5'],
    ['long', 2 ** 53, '±(2^53−1)'],
    ['long', -(2 ** 53), 'bigint'],
    ['long', Number.NaN, 'NaN'],
    ['long', '5', 'not the string "5"'],
    ['bigint', 5, 'not the number 5'],
    ['bigint', 2n ** 63n, '9223372036854775808n'],
    ['bigint', -(2n ** 63n) - 1n, '-9223372036854775809n'],
    ['integer', 2147483648, '−2147483648 … 2147483647'],
    ['integer', -2147483649, 'not the number -2147483649'],
    ['integer', 0.5, 'not the number 0.5'],
    ['short', 32768, 'not the number 32768'],
    ['short', -32769, 'not the number -32769'],
    ['double', '1', 'not the string "1"'],
    ['float', 1n, 'not the bigint 1n'],
    ['boolean', 1, 'not the number 1'],
    ['uuid', '123e4567e89b12d3a456426614174000', 'not the string'],
    ['byteArray', 'ff', 'not the string "ff"'],
    ['bytes', [1], 'not an object (Array)'],
    ['void', 'x', 'Data should be null for a VoidSerializer'],
    ['json', undefined, 'cannot write undefined'],
    ['json', () => 1, 'cannot write a function'],
    ['json', Symbol('s'), 'cannot write a symbol'],
    ['json', Number.NaN, 'cannot write the number NaN'],
    ['json', 5n, 'cannot write the bigint 5n'],
  ])('[F.1] %s refuses a value it cannot write: %s', (id, value, message) => {
    const error = errorOf(() => write(id, value))
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ code: 'SERIALIZATION_FAILED', kind: 'user', retriable: false })
    expect(error.context.topic).toBe('in')
  })

  it('json refuses a cycle and keeps the cause', () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const error = errorOf(() => write('json', cyclic))
    expect(error.cause).toBeInstanceOf(TypeError)
    expect(error.message).toContain('Turn bigints into strings and cut cycles')
  })

  it('reads numbers at any offset of a larger buffer', () => {
    const all = fromHex('aa000000000000002aaa')
    const bytes = all.subarray(1, 9)
    expect(serdeOf('bigint').deserialize('in', Headers.empty, bytes)).toBe(42n)
    expect(serdeOf('long').deserialize('in', Headers.empty, bytes)).toBe(42)
    expect(serdeOf('short').deserialize('in', Headers.empty, all.subarray(7, 9))).toBe(42)
  })

  it('hands byte arrays on without a copy', () => {
    const value = fromHex('01')
    expect(serdeOf('byteArray').serialize('in', Headers.empty, value)).toBe(value)
  })
})

describe('serdeById', () => {
  it('knows each built-in serde by the word that documents use', () => {
    expect(builtInSerdes.map((serde) => serde.id)).toEqual([
      'string',
      'long',
      'bigint',
      'integer',
      'short',
      'double',
      'float',
      'boolean',
      'byteArray',
      'bytes',
      'byteBuffer',
      'uuid',
      'void',
      'json',
    ])
    for (const serde of builtInSerdes) expect(serdeById(serde.id)).toBe(serde)
  })

  it('gives undefined for any other word', () => {
    expect(serdeById('String')).toBeUndefined()
    expect(serdeById('list(long)')).toBeUndefined()
  })
})
