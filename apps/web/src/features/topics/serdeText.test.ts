import {
  bigint,
  boolean,
  double,
  float,
  Headers,
  integer,
  json,
  long,
  type Serde,
  sessionWindowed,
  short,
  string,
  windowed,
} from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { windowedKey } from '../../live/windowedKey.js'
import { serdeText } from './serdeText.js'

const hexOf = <T>(serde: Serde<T>, value: T) =>
  Array.from(serde.serialize('t', Headers.empty, value), (byte) => byte.toString(16).padStart(2, '0')).join('')

describe('bytes as their serde reads them', () => {
  it('reads numbers, one and the other sign', () => {
    for (const value of [0, 1, -1, 1_764_504_000_123]) {
      expect(serdeText(hexOf(long, value), 'long')).toBe(String(value))
      expect(serdeText(hexOf(double, value), 'double')).toBe(String(value))
    }
    expect(serdeText(hexOf(integer, -7), 'integer')).toBe('-7')
    expect(serdeText(hexOf(short, 300), 'short')).toBe('300')
    expect(serdeText(hexOf(float, 1.5), 'float')).toBe('1.5')
    expect(serdeText(hexOf(boolean, true), 'boolean')).toBe('true')
    expect(serdeText(hexOf(boolean, false), 'boolean')).toBe('false')
    expect(serdeText(hexOf(bigint, 2n ** 62n), 'bigint')).toBe(String(2n ** 62n))
  })

  it('reads text, and leaves what is none of its bytes', () => {
    expect(serdeText('6130', 'string')).toBe('a0')
    expect(serdeText('ff', 'string')).toBeNull()
    expect(serdeText('000000', 'long')).toBeNull()
    expect(serdeText('00', 'mine')).toBeNull()
  })

  it('reads keys in windows as the engine writes them', () => {
    const window = { start: 1_764_504_000_000, end: 1_764_504_060_000 }
    const inDay = serdeText(hexOf(windowed(string, 60_000), { key: 'a"b', window }), 'windowed(string,60000)')
    expect(windowedKey(inDay ?? '')).toEqual({ key: 'a"b', ...window })
    const inJson = serdeText(hexOf(windowed(json<string>(), 60_000), { key: 'k', window }), 'windowed(json,60000)')
    expect(windowedKey(inJson ?? '')).toEqual({ key: 'k', ...window })
    const session = hexOf(sessionWindowed(string), { key: 'k', window })
    expect(windowedKey(serdeText(session, 'sessionWindowed(string)') ?? '')).toEqual({ key: 'k', ...window })
  })

  it('takes no shorter bytes for a key in a window', () => {
    expect(serdeText('00'.repeat(8), 'windowed(string,1)')).toBe('{"key":"","window":{"start":0,"end":1}}')
    expect(serdeText('00'.repeat(7), 'windowed(string,1)')).toBeNull()
    expect(serdeText('00'.repeat(15), 'sessionWindowed(string)')).toBeNull()
    expect(serdeText(`ff${'00'.repeat(7)}`, 'windowed(string,1)')).toBeNull()
  })
})
