import { compareBytes } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import type { RecordCoordinates } from '../model/Record.js'
import { int64Length, readInt32, readInt64, writeInt32, writeInt64 } from '../serde/int64.js'
import { headersBytes, readHeaders } from '../serde/valueTimestampHeaders.js'
import { readVarint } from '../serde/varint.js'
import { justAfter, type OrderedByteStore } from './OrderedByteStore.js'

/** A row that is held back: the newest change of its key, and what the key had before. In bytes. */
export interface BufferedRow {
  /** What it goes by, in ms. */
  readonly time: number
  readonly keyBytes: Uint8Array
  readonly newValue: Uint8Array | null
  /** What the key had before the first change that is held back. */
  readonly priorValue: Uint8Array | null
  /** What it had before the newest one; `same` when that is the first. */
  readonly oldValue: Uint8Array | null | 'same'
  /** The time of the newest change, and its headers. */
  readonly timestamp: number
  readonly headers: Headers
  /** The source record that the newest change goes back to. */
  readonly coordinates: Omit<RecordCoordinates, 'timestamp'> | null
}

/** Bytes of a row beside its parts: the lengths of the topic and the values, and what says that there are no headers. */
const UNCOUNTED = 2 + 1 + 12

/**
 * Rows that are held back, by time, then key: the oldest is the first entry. A second store finds the row of a key.
 */
export class SuppressBuffer {
  /** The time of the oldest row; undefined while unknown. */
  #oldest: number | undefined
  /** No row lies before this key: what an epoch has taken out must not be passed over again and again. */
  #from: Uint8Array | undefined

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
      for (const [stored] of this.rows.range({ from: this.#from })) {
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
    const stored = rowKey(row.time, row.keyBytes)
    this.rows.put(stored, writeRow(row))
    if (this.#from !== undefined && compareBytes(stored, this.#from) < 0) this.#from = stored
    if (this.#oldest !== undefined && row.time < this.#oldest) this.#oldest = row.time
  }

  /** Takes the oldest row out. */
  takeOldest(): BufferedRow | undefined {
    for (const [stored, row] of this.rows.range({ from: this.#from })) {
      const taken = readRow(stored, row)
      this.rows.delete(stored)
      this.times.delete(taken.keyBytes)
      this.#oldest = undefined
      this.#from = justAfter(stored)
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

const nothing = -1
const sameAsPrior = -2

/** timestamp ∥ offset ∥ partition ∥ topic ∥ headers ∥ lengths of the values ∥ new value ∥ prior value ∥ old value. */
function writeRow({ newValue, priorValue, oldValue, timestamp, headers, coordinates }: BufferedRow): Uint8Array {
  const topic = new TextEncoder().encode(coordinates?.topic ?? '')
  const written = headersBytes(headers)
  const own = oldValue === 'same' ? null : oldValue
  const parts = [newValue, priorValue, own].map((value) => value ?? new Uint8Array(0))
  const values = fixedLength + topic.length + written.length
  const length = parts.reduce((sum, part) => sum + part.length, values + 12)
  const bytes = new Uint8Array(length)
  writeInt64(bytes, 0, timestamp)
  writeInt64(bytes, 8, coordinates?.offset ?? -1)
  writeInt32(bytes, 16, coordinates?.partition ?? -1)
  bytes[20] = topic.length >>> 8
  bytes[21] = topic.length
  bytes.set(topic, fixedLength)
  bytes.set(written, fixedLength + topic.length)
  writeInt32(bytes, values, newValue?.length ?? nothing)
  writeInt32(bytes, values + 4, priorValue?.length ?? nothing)
  writeInt32(bytes, values + 8, oldValue === 'same' ? sameAsPrior : (own?.length ?? nothing))
  let at = values + 12
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function readRow(stored: Uint8Array, bytes: Uint8Array): BufferedRow {
  const topicLength = ((bytes[20] as number) << 8) | (bytes[21] as number)
  const topic = new TextDecoder().decode(bytes.subarray(fixedLength, fixedLength + topicLength))
  const size = readVarint(bytes, fixedLength + topicLength)
  const values = size.next + size.value
  let at = values + 12
  const [newValue, priorValue, oldValue] = [0, 4, 8].map((offset) => {
    const length = readInt32(bytes, values + offset)
    if (length < 0) return length === nothing ? null : 'same'
    at += length
    return bytes.subarray(at - length, at)
  }) as [Uint8Array | null, Uint8Array | null, BufferedRow['oldValue']]
  return {
    time: readInt64(stored, 0),
    keyBytes: stored.subarray(int64Length),
    newValue,
    priorValue,
    oldValue,
    timestamp: readInt64(bytes, 0),
    headers: size.value === 0 ? Headers.empty : readHeaders(bytes.subarray(size.next, values)),
    coordinates: topicLength === 0 ? null : { topic, partition: readInt32(bytes, 16), offset: readInt64(bytes, 8) },
  }
}
