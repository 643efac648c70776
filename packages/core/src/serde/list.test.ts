import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { list } from './list.js'
import { bigint, long } from './long.js'
import { double, float, integer, short } from './numbers.js'
import type { Serde } from './Serde.js'
import { string } from './string.js'
import { uuid } from './uuid.js'

const someUuid = '123e4567-e89b-12d3-a456-426614174000'

/** Observed on Kafka 4.4.0's ListSerde. */
const cases: readonly (readonly [Serde<any>, readonly unknown[], string])[] = [
  [integer, [], '00 00000000 00000000'],
  [integer, [1], '00 00000000 00000001 00000001'],
  [integer, [1, null, 3], '00 00000001 00000001 00000003 00000001 00000003'],
  [integer, [null], '00 00000001 00000000 00000001'],
  [integer, [null, null], '00 00000002 00000000 00000001 00000002'],
  [long, [1, 2], '00 00000000 00000002 0000000000000001 0000000000000002'],
  [long, [null, -1], '00 00000001 00000000 00000002 ffffffffffffffff'],
  [bigint, [1n], '00 00000000 00000001 0000000000000001'],
  [short, [5, null], '00 00000001 00000001 00000002 0005'],
  [double, [1.5, null, -0.5], '00 00000001 00000001 00000003 3ff8000000000000 bfe0000000000000'],
  [float, [1.5, null], '00 00000001 00000001 00000002 3fc00000'],
  [uuid, [someUuid, null], `00 00000001 00000001 00000002 ${toHex(new TextEncoder().encode(someUuid))}`],
  [string, [], '01 00000000'],
  [string, ['a', null, 'bc'], '01 00000003 00000001 61 ffffffff 00000002 6263'],
  [string, [''], '01 00000001 00000000'],
  [
    list(integer),
    [[1, 2], [], null],
    '01 00000003 00000011 00 00000000 00000002 00000001 00000002 00000009 00 00000000 00000000 ffffffff',
  ],
]

describe('list', () => {
  it.each(cases.map(([inner, value, hex]) => [inner.id, hex, inner, value] as const))(
    '[F.1] list(%s) writes %s as Kafka does and reads it back',
    (_id, hex, inner, value) => {
      const serde = list(inner)
      expect(toHex(serde.serialize('in', Headers.empty, value))).toBe(hex.replaceAll(' ', ''))
      expect(serde.deserialize('in', Headers.empty, fromHex(hex))).toEqual(value)
    },
  )

  it('[F.1] has an id that names the inner serde', () => {
    expect(list(list(string)).id).toBe('list(list(string))')
  })

  it('[F.1] writes holes and undefined as null', () => {
    // biome-ignore lint/suspicious/noSparseArray: the hole is the point.
    const value = ['a', , undefined] as unknown as string[]
    expect(toHex(list(string).serialize('in', Headers.empty, value))).toBe('01000000030000000161ffffffffffffffff')
  })

  it('[F.1] reads fixed-size entries that were written with their lengths', () => {
    expect(list(integer).deserialize('in', Headers.empty, fromHex('01 00000001 00000004 00000007'))).toEqual([7])
  })

  it('refuses what is not an array', () => {
    expect(() => list(string).serialize('in', Headers.empty, 'ab' as never)).toThrow(
      'writes arrays, not the string "ab"',
    )
  })

  it.each([
    [integer, '', 'prematurely'],
    [integer, '00 000000', 'prematurely'],
    [integer, '00 00000000 00000001 000000', 'prematurely'],
    [integer, '00 00000000 7fffffff', 'claims 2147483647 entries'],
    [integer, '00 ffffffff 00000000', 'claims -1 entries'],
    [integer, '02 00000000', 'neither 00 nor 01'],
    [string, '00 00000000 00000000', 'does not write'],
    [string, '01 00000001 00000002 61', 'prematurely'],
    [string, '01 00000001 fffffffe', 'entry of -2 bytes'],
  ])('refuses bytes that the list did not write: %#', (inner, hex, message) => {
    expect(() => list(inner as Serde<any>).deserialize('in', Headers.empty, fromHex(hex))).toThrow(message)
  })
})
