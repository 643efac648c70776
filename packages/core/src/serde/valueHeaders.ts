import { Headers } from '../model/Headers.js'
import type { Serde } from './Serde.js'
import { requireLength } from './serdeErrors.js'
import { headersBytes, readHeaders } from './valueTimestampHeaders.js'
import { readVarint } from './varint.js'

/** What a session store with headers keeps: the time of a session is its end (KIP-1271). */
export interface ValueHeaders<V> {
  readonly value: V
  readonly headers: Headers
}

/** Kafka's form: the headers' size as a varint, the headers, the value's bytes (`kafka-streams.md` A.9). */
export function valueHeaders<V>(inner: Serde<V>): Serde<ValueHeaders<V>> {
  return {
    id: `valueHeaders(${inner.id})`,
    serialize(topic, headers, stored) {
      const front = headersBytes(stored.headers)
      const back = inner.serialize(topic, headers, stored.value)
      const bytes = new Uint8Array(front.length + back.length)
      bytes.set(front)
      bytes.set(back, front.length)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      const size = readVarint(bytes, 0)
      const end = size.next + size.value
      if (bytes.length < end) requireLength(topic, bytes, end, 'ValueHeadersDeserializer')
      const value = inner.deserialize(topic, headers, bytes.subarray(end))
      return { value, headers: readHeaders(bytes.subarray(size.next, end)) }
    },
  }
}

/** Values with headers above a store that keeps none: they are lost (`kafka-streams.md` A.9). */
export function bareValue<V>(inner: Serde<V>): Serde<ValueHeaders<V>> {
  return {
    id: inner.id,
    serialize: (topic, headers, { value }) => inner.serialize(topic, headers, value),
    deserialize: (topic, headers, bytes) => ({
      value: inner.deserialize(topic, headers, bytes),
      headers: Headers.empty,
    }),
  }
}
