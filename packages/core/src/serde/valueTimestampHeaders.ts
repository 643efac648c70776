import { Headers } from '../model/Headers.js'
import { int64Length } from './int64.js'
import type { Serde } from './Serde.js'
import { requireLength } from './serdeErrors.js'
import { string } from './string.js'
import { type ValueAndTimestamp, valueAndTimestamp, valueWithoutTimestamp } from './valueAndTimestamp.js'
import { readVarint, varintLength, writeVarint } from './varint.js'

/** What a store with headers keeps (KIP-1271). */
export interface ValueTimestampHeaders<V> extends ValueAndTimestamp<V> {
  readonly headers: Headers
}

/**
 * Kafka's form: the headers' size as a varint, the headers, the timestamp as an int64, the value's bytes
 * (`kafka-streams.md` A.9). A value without headers begins with one zero byte.
 */
export function valueTimestampHeaders<V>(inner: Serde<V>): Serde<ValueTimestampHeaders<V>> {
  const rest = valueAndTimestamp(inner)
  return {
    id: `valueTimestampHeaders(${inner.id})`,
    serialize(topic, headers, stored) {
      const front = headersBytes(stored.headers)
      const back = rest.serialize(topic, headers, stored)
      const bytes = new Uint8Array(front.length + back.length)
      bytes.set(front)
      bytes.set(back, front.length)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      const size = readVarint(bytes, 0)
      const end = size.next + size.value
      if (bytes.length < end + int64Length) {
        requireLength(topic, bytes, end + int64Length, 'ValueTimestampHeadersDeserializer')
      }
      const { value, timestamp } = rest.deserialize(topic, headers, bytes.subarray(end))
      return { value, timestamp, headers: readHeaders(bytes.subarray(size.next, end)) }
    },
  }
}

/** Values with headers above a store that keeps none: they are lost (`kafka-streams.md` A.9). */
export function withoutHeaders<V>(inner: Serde<V>, stored: 'plain' | 'timestamped'): Serde<ValueTimestampHeaders<V>> {
  const serde = stored === 'plain' ? valueWithoutTimestamp(inner) : valueAndTimestamp(inner)
  return {
    id: serde.id,
    serialize: (topic, headers, value) => serde.serialize(topic, headers, value),
    deserialize: (topic, headers, bytes) => ({ ...serde.deserialize(topic, headers, bytes), headers: Headers.empty }),
  }
}

/** Headers as stores keep them: their size as a varint, their number, then each. */
export function headersBytes(headers: Headers): Uint8Array {
  if (headers.size === 0) return new Uint8Array(1)
  const encoded = [...headers].map(({ key, value }) => ({ key: string.serialize('', Headers.empty, key), value }))
  const lengthOf = ({ key, value }: (typeof encoded)[number]) =>
    varintLength(key.length) +
    key.length +
    (value === null ? varintLength(-1) : varintLength(value.length) + value.length)
  const size = varintLength(encoded.length) + encoded.reduce((sum, header) => sum + lengthOf(header), 0)
  const bytes = new Uint8Array(varintLength(size) + size)
  let at = writeVarint(bytes, writeVarint(bytes, 0, size), encoded.length)
  for (const { key, value } of encoded) {
    at = writeVarint(bytes, at, key.length)
    bytes.set(key, at)
    at = writeVarint(bytes, at + key.length, value?.length ?? -1)
    if (value === null) continue
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}

/** Reads what follows the size. */
export function readHeaders(bytes: Uint8Array): Headers {
  if (bytes.length === 0) return Headers.empty
  const count = readVarint(bytes, 0)
  const headers: { key: string; value: Uint8Array | null }[] = []
  let at = count.next
  for (let read = 0; read < count.value; read++) {
    const keyLength = readVarint(bytes, at)
    const keyEnd = keyLength.next + keyLength.value
    const key = string.deserialize('', Headers.empty, bytes.subarray(keyLength.next, keyEnd))
    const valueLength = readVarint(bytes, keyEnd)
    const end = valueLength.next + Math.max(0, valueLength.value)
    headers.push({ key, value: valueLength.value < 0 ? null : bytes.slice(valueLength.next, end) })
    at = end
  }
  return Headers.of(headers)
}
