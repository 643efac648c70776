import { type LogRecord, SeededRandom } from '@lanescope/core'

export type GivenRecord = Omit<LogRecord, 'offset'>

const text = new TextEncoder()
const NONE: readonly [] = []

/** Key bytes of so many keys: `key-0000042`, eleven bytes and more. */
export function keysOf(count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, index) => text.encode(`key-${String(index).padStart(7, '0')}`))
}

/** So many records with keys drawn at random, in time order, a thousand a second. */
export function randomRecords(count: number, keys: readonly Uint8Array[]): readonly GivenRecord[] {
  const random = new SeededRandom(7)
  const values = Array.from({ length: 100 }, (_, index) => text.encode(`value ${index}`))
  return Array.from({ length: count }, (_, index) => ({
    timestamp: index,
    key: keys[Math.floor(random.next() * keys.length)] as Uint8Array,
    value: values[index % values.length] as Uint8Array,
    headers: NONE,
  }))
}

/** One record for each key, all at one time. */
export function oneForEach(keys: readonly Uint8Array[], timestamp: number): readonly GivenRecord[] {
  const value = text.encode('x')
  return keys.map((key) => ({ timestamp, key, value, headers: NONE }))
}
