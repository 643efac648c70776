import { bytesBetween, toHex } from '../model/bytes.js'
import { withDirectWriter } from './DirectWriter.js'
import { int64Length, readInt64, writeInt64 } from './int64.js'
import type { Serde } from './Serde.js'
import { describeValue, requireLength, unreadable, unwritable } from './serdeErrors.js'

const greatestInt64 = 2n ** 63n - 1n
const leastInt64 = -(2n ** 63n)

/**
 * An int64 as a number: 8 bytes, big-endian, two's complement, as Kafka's LongSerde.
 * Refuses what a number cannot hold exactly, outside ±(2^53−1), when writing and when reading; `bigint` takes those.
 */
export const long: Serde<number> = withDirectWriter(
  {
    id: 'long',
    serialize(topic, _headers, value) {
      const bytes = new Uint8Array(int64Length)
      writeLong(topic, value, bytes, 0)
      return bytes
    },
    deserialize(topic, _headers, bytes) {
      return readLong(topic, bytes, 0)
    },
  },
  (_topic, value, target, at) => {
    if (!Number.isSafeInteger(value)) return -1
    const start = target.reserve(at, int64Length)
    writeInt64(target.bytes, start, value as number)
    return int64Length
  },
)

/** Writes as `long`, from an index on. */
export function writeLong(topic: string, value: number, bytes: Uint8Array, at: number): void {
  if (!Number.isSafeInteger(value)) {
    throw unwritable(
      topic,
      `The serde "long" writes integers within ±(2^53−1), not ${describeValue(value)}. ` +
        'Use "double" for fractions and "bigint" for greater integers.',
    )
  }
  writeInt64(bytes, at, value)
}

/** Reads as `long` what lies from an index to the end. */
export function readLong(topic: string, bytes: Uint8Array, at: number): number {
  if (bytes.length - at !== int64Length) requireLength(topic, bytesBetween(bytes, at), int64Length, 'LongDeserializer')
  const value = readInt64(bytes, at)
  if (!Number.isSafeInteger(value)) {
    throw unreadable(
      topic,
      `The serde "long" reads integers within ±(2^53−1); ${toHex(bytesBetween(bytes, at), ' ')} is beyond them and a number ` +
        'would round it. Use the serde "bigint", which reads the same bytes.',
    )
  }
  return value
}

/** Any int64, as a bigint: the same bytes as `long`. */
export const bigint: Serde<bigint> = {
  id: 'bigint',
  serialize(topic, _headers, value) {
    if (typeof value !== 'bigint' || value < leastInt64 || value > greatestInt64) {
      throw unwritable(
        topic,
        `The serde "bigint" writes bigints within −2^63 … 2^63−1, not ${describeValue(value)}. ` +
          'Use "long" for numbers and "string" for greater integers.',
      )
    }
    const bytes = new Uint8Array(int64Length)
    new DataView(bytes.buffer).setBigInt64(0, value)
    return bytes
  },
  deserialize(topic, _headers, bytes) {
    requireLength(topic, bytes, int64Length, 'LongDeserializer')
    return new DataView(bytes.buffer, bytes.byteOffset, int64Length).getBigInt64(0)
  },
}
