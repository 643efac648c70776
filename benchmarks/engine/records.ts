import { type LogRecord, SeededRandom } from '@lanescope/core'

const text = new TextEncoder()
const NONE: readonly [] = []

/** Key bytes of so many keys: `key-0000042`, eleven bytes and more. */
export function keysOf(count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, index) => text.encode(`key-${String(index).padStart(7, '0')}`))
}

/** So many records with keys drawn at random, in time order, a thousand a second, from this offset on. */
export function randomRecords(count: number, keys: readonly Uint8Array[], firstOffset = 0): readonly LogRecord[] {
  const random = new SeededRandom(7)
  const values = Array.from({ length: 100 }, (_, index) => text.encode(`value ${index}`))
  return Array.from({ length: count }, (_, index) => ({
    offset: firstOffset + index,
    timestamp: index,
    key: keys[Math.floor(random.next() * keys.length)] as Uint8Array,
    value: values[index % values.length] as Uint8Array,
    headers: NONE,
  }))
}

/** One record for each key, all at one time, from this offset on. */
export function oneForEach(keys: readonly Uint8Array[], timestamp: number, firstOffset = 0): readonly LogRecord[] {
  const value = text.encode('x')
  return keys.map((key, index) => ({ offset: firstOffset + index, timestamp, key, value, headers: NONE }))
}
