import { int64Length, readInt64, writeInt64 } from '../../serde/int64.js'
import type { Serde } from '../../serde/Serde.js'
import type { ReadOnlyKeyValueStore } from '../../state/stores.js'

export type Side = 'left' | 'right'

/** What waits of one side, key and time. */
export interface WaitingKey<K> {
  readonly side: Side
  /** Ms. */
  readonly timestamp: number
  /** Undefined only in the bounds of a scan: in front of every key. */
  readonly key: K | undefined
  /** The bytes of the key that pick its lane; known of what was read. */
  readonly laneBytes?: Uint8Array
}

const sideBytes = { right: 0, left: 1 } as const
const prefixLength = 1 + int64Length
const nothing = new Uint8Array(0)

/** side ∥ time int64 ∥ key: the oldest of a side comes first. */
export function waitingKey<K>(inner: Serde<K>): Serde<WaitingKey<K>> {
  const laneBytes = (bytes: Uint8Array): Uint8Array => {
    const keyBytes = bytes.subarray(prefixLength)
    return inner.laneBytes ? inner.laneBytes(keyBytes) : keyBytes
  }
  return {
    id: `waitingKey(${inner.id})`,
    serialize(topic, headers, { side, timestamp, key }) {
      const keyBytes = key === undefined ? nothing : inner.serialize(topic, headers, key)
      const bytes = new Uint8Array(prefixLength + keyBytes.length)
      bytes[0] = sideBytes[side]
      writeInt64(bytes, 1, timestamp)
      bytes.set(keyBytes, prefixLength)
      return bytes
    },
    deserialize: (topic, headers, bytes) => ({
      side: sideOf(bytes),
      timestamp: readInt64(bytes, 1),
      key: inner.deserialize(topic, headers, bytes.subarray(prefixLength)),
      laneBytes: laneBytes(bytes),
    }),
    laneBytes,
  }
}

/** The one byte that stands for a side. */
export function sideByte(side: Side): number {
  return sideBytes[side]
}

export function sideOf(bytes: Uint8Array): Side {
  return bytes[0] === sideBytes.left ? 'left' : 'right'
}

type Waiting<V> = ReadOnlyKeyValueStore<WaitingKey<any>, V>
type Entry<V> = readonly [WaitingKey<any>, V]

/** The first of a side from this time on; with a key: the first behind that key at that time. */
export function firstWaiting(entries: Waiting<unknown>, side: Side, from: number, behind?: unknown) {
  let skip = behind !== undefined
  for (const [key] of scan(entries, boundOf(side, from, behind), boundOf(side, Number.MAX_SAFE_INTEGER))) {
    if (!skip) return key
    skip = false
  }
  return undefined
}

export function lastWaiting(entries: Waiting<unknown>, side: Side): WaitingKey<any> | undefined {
  const found = entries.reverseRange(boundOf(side, 0), boundOf(side, Number.MAX_SAFE_INTEGER))
  for (const [key] of found as unknown as Iterable<Entry<unknown>>) return key
  return undefined
}

/** Those of a side with a time below `to`, by time, then key. */
export function waitingBefore<V>(entries: Waiting<V>, side: Side, to: number): Entry<V>[] {
  if (to <= 0) return []
  return [...scan(entries, boundOf(side, 0), boundOf(side, to))].filter(([{ timestamp }]) => timestamp < to)
}

/** In memory a store answers at once (L8). */
function scan<V>(entries: Waiting<V>, from: WaitingKey<any>, to: WaitingKey<any>): Iterable<Entry<V>> {
  return entries.range(from, to) as unknown as Iterable<Entry<V>>
}

/** In front of all keys of this time, or at one of them. */
function boundOf(side: Side, timestamp: number, key?: unknown): WaitingKey<any> {
  return { side, timestamp: Math.max(0, timestamp), key }
}
