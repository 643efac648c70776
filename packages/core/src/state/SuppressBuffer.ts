import { Headers } from '../model/Headers.js'
import type { RecordCoordinates } from '../model/Record.js'
import { int64Length, readInt32, readInt64, writeInt32, writeInt64 } from '../serde/int64.js'
import { headersBytes, readHeaders } from '../serde/valueTimestampHeaders.js'
import { readVarint } from '../serde/varint.js'
import type { OrderedByteStore } from './OrderedByteStore.js'

/** A row that is held back: the newest change of its key, and what the key had before the first one. In bytes. */
export interface BufferedRow {
  /** What it goes by, in ms. */
  readonly time: number
  readonly keyBytes: Uint8Array
  readonly newValue: Uint8Array | null
  readonly oldValue: Uint8Array | null
  /** The time of the newest change, and its headers. */
  readonly timestamp: number
  readonly headers: Headers
  /** The source record that the newest change goes back to. */
  readonly coordinates: Omit<RecordCoordinates, 'timestamp'> | null
}

/** Lengths that a row's bytes hold beside its parts, less the eight bytes that Kafka counts for the time of a value. */
const UNCOUNTED = 11 - 8

/**
 * Rows that are held back, by time, then key: the oldest is the first entry. A second store finds the row of a key.
 */
export class SuppressBuffer {
  /** The time of the oldest row; undefined while unknown. */
  #oldest: number | undefined

  constructor(
    private readonly rows: OrderedByteStore,
    private readonly times: OrderedByteStore,
  ) {}

  get records(): number {
    return this.rows.size
  }

  /** About what Kafka Streams counts for them: keys, values, times, and where they come from. */
  get bytes(): number {
    return this.rows.bytes - UNCOUNTED * this.rows.size
  }

  /** The time of the oldest row, in ms; infinite when there is none. */
  get oldest(): number {
    if (this.#oldest === undefined) {
      this.#oldest = Number.POSITIVE_INFINITY
      for (const [stored] of this.rows.range()) {
        this.#oldest = readInt64(stored, 0)
        break
      }
    }
    return this.#oldest
  }

  get(keyBytes: Uint8Array): BufferedRow | undefined {
    const time = this.times.get(keyBytes)
    if (time === undefined) return undefined
    const stored = rowKey(readInt64(time, 0), keyBytes)
    const row = this.rows.get(stored)
    return row === undefined ? undefined : readRow(stored, row)
  }

  *all(): Generator<BufferedRow> {
    for (const [stored, row] of this.rows.range()) yield readRow(stored, row)
  }

  put(row: BufferedRow): void {
    const time = new Uint8Array(int64Length)
    writeInt64(time, 0, row.time)
    this.times.put(row.keyBytes, time)
    this.rows.put(rowKey(row.time, row.keyBytes), writeRow(row))
    if (this.#oldest !== undefined && row.time < this.#oldest) this.#oldest = row.time
  }

  /** Takes the oldest row out. */
  takeOldest(): BufferedRow | undefined {
    for (const [stored, row] of this.rows.range()) {
      const taken = readRow(stored, row)
      this.rows.delete(stored)
      this.times.delete(taken.keyBytes)
      this.#oldest = undefined
      return taken
    }
    return undefined
  }
}

function rowKey(time: number, keyBytes: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(int64Length + keyBytes.length)
  writeInt64(bytes, 0, time)
  bytes.set(keyBytes, int64Length)
  return bytes
}

const fixedLength = 8 + 8 + 4 + 2

/** timestamp ∥ offset ∥ partition ∥ topic ∥ headers ∥ new value ∥ old value; lengths where they are needed, −1 for null. */
function writeRow({ newValue, oldValue, timestamp, headers, coordinates }: BufferedRow): Uint8Array {
  const topic = new TextEncoder().encode(coordinates?.topic ?? '')
  const written = headersBytes(headers)
  const length = fixedLength + topic.length + written.length + 8 + (newValue?.length ?? 0) + (oldValue?.length ?? 0)
  const bytes = new Uint8Array(length)
  writeInt64(bytes, 0, timestamp)
  writeInt64(bytes, 8, coordinates?.offset ?? -1)
  writeInt32(bytes, 16, coordinates?.partition ?? -1)
  bytes[20] = topic.length >>> 8
  bytes[21] = topic.length
  bytes.set(topic, fixedLength)
  bytes.set(written, fixedLength + topic.length)
  const values = fixedLength + topic.length + written.length
  writeInt32(bytes, values, newValue?.length ?? -1)
  writeInt32(bytes, values + 4, oldValue?.length ?? -1)
  if (newValue !== null) bytes.set(newValue, values + 8)
  if (oldValue !== null) bytes.set(oldValue, values + 8 + (newValue?.length ?? 0))
  return bytes
}

function readRow(stored: Uint8Array, bytes: Uint8Array): BufferedRow {
  const topicLength = ((bytes[20] as number) << 8) | (bytes[21] as number)
  const topic = new TextDecoder().decode(bytes.subarray(fixedLength, fixedLength + topicLength))
  const size = readVarint(bytes, fixedLength + topicLength)
  const values = size.next + size.value
  const newLength = readInt32(bytes, values)
  const oldLength = readInt32(bytes, values + 4)
  const newEnd = values + 8 + Math.max(0, newLength)
  return {
    time: readInt64(stored, 0),
    keyBytes: stored.subarray(int64Length),
    newValue: newLength < 0 ? null : bytes.subarray(values + 8, newEnd),
    oldValue: oldLength < 0 ? null : bytes.subarray(newEnd, newEnd + oldLength),
    timestamp: readInt64(bytes, 0),
    headers: size.value === 0 ? Headers.empty : readHeaders(bytes.subarray(size.next, values)),
    coordinates: topicLength === 0 ? null : { topic, partition: readInt32(bytes, 16), offset: readInt64(bytes, 8) },
  }
}
