import { bytesBetween } from '../model/bytes.js'
import { int64Length, readInt64, writeInt64 } from './int64.js'
import { long, readLong, writeLong } from './long.js'
import type { Serde } from './Serde.js'
import { requireLength } from './serdeErrors.js'

/** What a timestamped store keeps: the value, and the event time of the newest record that it comes from. */
export interface ValueAndTimestamp<V> {
  readonly value: V
  /** Ms. */
  readonly timestamp: number
}

/** Kafka's form: the timestamp as an int64, then the value's bytes (`kafka-streams.md` A.9). */
export function valueAndTimestamp<V>(inner: Serde<V>): Serde<ValueAndTimestamp<V>> {
  const id = `valueAndTimestamp(${inner.id})`
  // Counts are what is stored most: the same bytes without an array of the value's own.
  if (inner === (long as unknown)) return { ...longAndTimestamp, id } as Serde<ValueAndTimestamp<any>>
  return {
    id,
    serialize(topic, headers, { value, timestamp }) {
      const valueBytes = inner.serialize(topic, headers, value)
      const bytes = new Uint8Array(int64Length + valueBytes.length)
      writeInt64(bytes, 0, timestamp)
      bytes.set(valueBytes, int64Length)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      if (bytes.length < int64Length) requireLength(topic, bytes, int64Length, 'ValueAndTimestampDeserializer')
      const value = inner.deserialize(topic, headers, bytesBetween(bytes, int64Length))
      return { value, timestamp: readInt64(bytes, 0) }
    },
  }
}

const longAndTimestamp: Omit<Serde<ValueAndTimestamp<number>>, 'id'> = {
  serialize(topic, _headers, { value, timestamp }) {
    const bytes = new Uint8Array(2 * int64Length)
    writeInt64(bytes, 0, timestamp)
    writeLong(topic, value, bytes, int64Length)
    return bytes
  },
  deserialize(topic, _headers, bytes) {
    if (bytes.length < int64Length) requireLength(topic, bytes, int64Length, 'ValueAndTimestampDeserializer')
    return { value: readLong(topic, bytes, int64Length), timestamp: readInt64(bytes, 0) }
  },
}

/** The time of a value whose store keeps none (`kafka-streams.md` A.9). */
export const unknownTimestamp = -1

/** Values with a time above a store that keeps bare ones: the time is lost, and read as unknown (`kafka-streams.md` A.9). */
export function valueWithoutTimestamp<V>(inner: Serde<V>): Serde<ValueAndTimestamp<V>> {
  return {
    id: inner.id,
    serialize: (topic, headers, { value }) => inner.serialize(topic, headers, value),
    deserialize: (topic, headers, bytes) => ({
      value: inner.deserialize(topic, headers, bytes),
      timestamp: unknownTimestamp,
    }),
  }
}
