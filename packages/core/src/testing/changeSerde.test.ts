import { describe, expect, it } from 'vitest'
import { Headers, long, string, toHex } from '../index.js'
import { changeSerde, isChange } from './changeSerde.js'

const write = (newValue: unknown, oldValue: unknown, serde = string as never) =>
  changeSerde(serde).serialize('t', Headers.empty, { newValue, oldValue, isLatest: true })
const roundTrip = (newValue: unknown, oldValue: unknown, serde = string as never) =>
  changeSerde(serde).deserialize('t', Headers.empty, write(newValue, oldValue, serde))

describe("a change on a table's repartition topic (kafka-streams.md F.3)", () => {
  it.each([
    ['n', null, '6e01'],
    [null, 'o', '6f00'],
    ['n', 'o', '026e6f02'],
    ['b2', 'b', '0462326202'],
    ['', null, '01'],
    [null, '', '00'],
    ['', '', '0002'],
    ['x'.repeat(64), 'o', `8001${'78'.repeat(64)}6f02`],
  ])('new %j, old %j is %s', (newValue, oldValue, hex) => {
    expect(toHex(write(newValue, oldValue))).toBe(hex)
    expect(roundTrip(newValue, oldValue)).toEqual({ newValue, oldValue, isLatest: true })
  })

  it('writes both values by the serde that is declared', () => {
    expect(toHex(write(1, 2, long as never))).toBe('100000000000000001000000000000000202')
    expect(() => write('text', null, long as never)).toThrow(/writes integers/)
  })

  it('is told from other values by its shape', () => {
    expect(isChange({ newValue: 1, oldValue: null, isLatest: true })).toBe(true)
    for (const other of [null, 'text', { newValue: 1 }, { newValue: 1, oldValue: 2 }])
      expect(isChange(other)).toBe(false)
  })
})
