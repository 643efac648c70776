import { expect, it } from 'vitest'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { long } from './long.js'
import { string } from './string.js'
import { valueAndTimestamp } from './valueAndTimestamp.js'

const counts = valueAndTimestamp(long)

it('writes eight bytes of timestamp, then the value (kafka-streams.md A.9)', () => {
  const bytes = counts.serialize('t', Headers.empty, { value: 3, timestamp: 258 })
  expect(toHex(bytes)).toBe('00000000000001020000000000000003')
  expect(counts.deserialize('t', Headers.empty, bytes)).toEqual({ value: 3, timestamp: 258 })
})

it('reads a value of no bytes, and the unknown timestamp −1', () => {
  const texts = valueAndTimestamp(string)
  expect(texts.deserialize('t', Headers.empty, fromHex('ffffffffffffffff'))).toEqual({ value: '', timestamp: -1 })
})

it('refuses bytes too short for a timestamp', () => {
  expect(() => counts.deserialize('t', Headers.empty, fromHex('00000000000001'))).toThrow()
})

it('is known by what it wraps', () => expect(counts.id).toBe('valueAndTimestamp(long)'))

it.each(['', '00000000000003', '000000000000000003'])(
  'refuses a count of the bytes "%s", telling how many',
  (count) => {
    const bytes = fromHex(`0000000000000102${count}`)
    expect(() => counts.deserialize('t', Headers.empty, bytes)).toThrow(`is not 8: got ${count.length / 2} byte`)
  },
)

it.each([2 ** 53, 0.5, Number.NaN])('refuses the count %s', (value) => {
  expect(() => counts.serialize('t', Headers.empty, { value, timestamp: 0 })).toThrow('The serde "long" writes')
})
