import { compareBytes } from '../model/bytes.js'
import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from './OrderedByteStore.js'

/** Window starts from ≤ start ≤ to, both safe integers of at least 0. */
export interface StartSpan {
  readonly from: number
  readonly to: number
  readonly reverse: boolean
}

/** Keys from ≤ key ≤ to by their bytes; an absent end is open. */
export interface KeySpan {
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
}

/** How a window's key and start become one key in a segment, and so in which order a segment is read. */
export interface WindowLayout {
  stored(key: Uint8Array, start: number): Uint8Array
  keyOf(stored: Uint8Array): Uint8Array
  startOf(stored: Uint8Array): number
  /** The windows of one key, by start. */
  ofKey(segment: OrderedByteStore, key: Uint8Array, starts: StartSpan): Iterable<ByteEntry>
  /** The windows of several keys, in the order of the layout. */
  ofKeys(segment: OrderedByteStore, keys: KeySpan, starts: StartSpan): Iterable<ByteEntry>
}

const sequenceLength = 4
const suffixLength = int64Length + sequenceLength

/**
 * key ∥ start int64 ∥ sequence int32, as Kafka's persistent window store and its changelog (`kafka-streams.md` F.2).
 * The sequence is 0: duplicates are not kept. Keys of several lengths are not prefix-free in this form (`k` and
 * `k\0…`), so every scan checks the key itself.
 */
export const keyFirst: WindowLayout = {
  stored(key, start) {
    const bytes = new Uint8Array(key.length + suffixLength)
    bytes.set(key)
    writeInt64(bytes, key.length, start)
    return bytes
  },
  keyOf: (stored) => stored.subarray(0, stored.length - suffixLength),
  startOf: (stored) => readInt64(stored, stored.length - suffixLength),
  *ofKey(segment, key, { from, to, reverse }) {
    const range = { from: this.stored(key, from), to: justAfter(this.stored(key, to)), reverse }
    for (const entry of segment.range(range)) {
      // Both ends begin with the key, so all between do; of this length it is the whole key.
      if (entry[0].length === key.length + suffixLength) yield entry
    }
  },
  *ofKeys(segment, keys, { from, to, reverse }) {
    const range = { from: keys.from, to: keys.to && justAfter(greatestStored(keys.to, to)), reverse }
    for (const entry of segment.range(range)) {
      const start = this.startOf(entry[0])
      if (start >= from && start <= to && within(this.keyOf(entry[0]), keys)) yield entry
    }
  },
}

/** start int64 ∥ key: windows come by start, then key, as in Kafka's in-memory window store. */
export const timeFirst: WindowLayout = {
  stored(key, start) {
    const bytes = new Uint8Array(int64Length + key.length)
    writeInt64(bytes, 0, start)
    bytes.set(key, int64Length)
    return bytes
  },
  keyOf: (stored) => stored.subarray(int64Length),
  startOf: (stored) => readInt64(stored, 0),
  *ofKey(segment, key, { from, to, reverse }) {
    // One look-up per start that is there, whatever the number of keys.
    let low = startBytes(from)
    let high = startBytes(to + 1)
    for (;;) {
      const next = first(segment.range({ from: low, to: high, reverse }))
      if (next === undefined) return
      const start = this.startOf(next[0])
      const stored = this.stored(key, start)
      const value = segment.get(stored)
      if (value !== undefined) yield [stored, value]
      if (reverse) high = startBytes(start)
      else low = startBytes(start + 1)
    }
  },
  *ofKeys(segment, keys, { from, to, reverse }) {
    for (const entry of segment.range({ from: startBytes(from), to: startBytes(to + 1), reverse })) {
      if (within(this.keyOf(entry[0]), keys)) yield entry
    }
  },
}

/** The greatest stored key of any key ≤ `key`: a prefix of it may sort above it once its start is appended. */
function greatestStored(key: Uint8Array, start: number): Uint8Array {
  let greatest = keyFirst.stored(key, start)
  for (let length = 0; length < key.length; length++) {
    const candidate = keyFirst.stored(key.subarray(0, length), start)
    if (compareBytes(candidate, greatest) > 0) greatest = candidate
  }
  return greatest
}

function within(key: Uint8Array, { from, to }: KeySpan): boolean {
  return (from === undefined || compareBytes(key, from) >= 0) && (to === undefined || compareBytes(key, to) <= 0)
}

function startBytes(start: number): Uint8Array {
  const bytes = new Uint8Array(int64Length)
  writeInt64(bytes, 0, start)
  return bytes
}

function first(entries: Iterable<ByteEntry>): ByteEntry | undefined {
  for (const entry of entries) return entry
  return undefined
}
