import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'
import type { Serde } from '../serde/Serde.js'
import { requireLength } from '../serde/serdeErrors.js'

/** What a store of the DSL keeps: the value, and the event time of the newest record that it comes from. */
export interface ValueAndTimestamp<V> {
  readonly value: V
  /** Ms. */
  readonly timestamp: number
}

/** Kafka's form: the timestamp as an int64, then the value's bytes (`kafka-streams.md` A.9). */
export function valueAndTimestamp<V>(inner: Serde<V>): Serde<ValueAndTimestamp<V>> {
  return {
    id: `valueAndTimestamp(${inner.id})`,
    serialize(topic, headers, { value, timestamp }) {
      const valueBytes = inner.serialize(topic, headers, value)
      const bytes = new Uint8Array(int64Length + valueBytes.length)
      writeInt64(bytes, 0, timestamp)
      bytes.set(valueBytes, int64Length)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      if (bytes.length < int64Length) requireLength(topic, bytes, int64Length, 'ValueAndTimestampDeserializer')
      const value = inner.deserialize(topic, headers, bytes.subarray(int64Length))
      return { value, timestamp: readInt64(bytes, 0) }
    },
  }
}
