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
}

/** The source record that a change goes back to. */
export type Origin = Omit<RecordCoordinates, 'timestamp'> | null

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
  /** The topic that was written last: mostly it is the next one's, too. */
  #topic: { readonly name: string; readonly bytes: Uint8Array } = { name: '', bytes: new Uint8Array(0) }

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

  put(row: BufferedRow, origin: Origin): void {
    const time = new Uint8Array(int64Length)
    writeInt64(time, 0, row.time)
    this.times.put(row.keyBytes, time)
    const stored = rowKey(row.time, row.keyBytes)
    this.rows.put(stored, writeRow(row, origin, this.#topicBytes(origin?.topic ?? '')))
    if (this.#from !== undefined && compareBytes(stored, this.#from) < 0) this.#from = stored
    if (this.#oldest !== undefined && row.time < this.#oldest) this.#oldest = row.time
  }

  #topicBytes(name: string): Uint8Array {
    if (name !== this.#topic.name) this.#topic = { name, bytes: new TextEncoder().encode(name) }
    return this.#topic.bytes
  }

  /** The oldest row, which stays. */
  peekOldest(): BufferedRow | undefined {
    for (const [stored, row] of this.rows.range({ from: this.#from })) return readRow(stored, row)
    return undefined
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
function writeRow(
  { newValue, priorValue, oldValue, timestamp, headers }: BufferedRow,
  origin: Origin,
  topic: Uint8Array,
): Uint8Array {
  const written = headersBytes(headers)
  const own = oldValue === 'same' ? null : oldValue
  const values = fixedLength + topic.length + written.length
  const priorAt = values + 12 + (newValue?.length ?? 0)
  const oldAt = priorAt + (priorValue?.length ?? 0)
  const length = oldAt + (own?.length ?? 0)
  const bytes = new Uint8Array(length)
  writeInt64(bytes, 0, timestamp)
  writeInt64(bytes, 8, origin?.offset ?? -1)
  writeInt32(bytes, 16, origin?.partition ?? -1)
  bytes[20] = topic.length >>> 8
  bytes[21] = topic.length
  bytes.set(topic, fixedLength)
  bytes.set(written, fixedLength + topic.length)
  writeInt32(bytes, values, newValue?.length ?? nothing)
  writeInt32(bytes, values + 4, priorValue?.length ?? nothing)
  writeInt32(bytes, values + 8, oldValue === 'same' ? sameAsPrior : (own?.length ?? nothing))
  if (newValue !== null) bytes.set(newValue, values + 12)
  if (priorValue !== null) bytes.set(priorValue, priorAt)
  if (own !== null) bytes.set(own, oldAt)
  return bytes
}

/** What a row goes back to is counted, not read. */
function readRow(stored: Uint8Array, bytes: Uint8Array): BufferedRow {
  const topicLength = ((bytes[20] as number) << 8) | (bytes[21] as number)
  const size = readVarint(bytes, fixedLength + topicLength)
  const values = size.next + size.value
  const newValue = valueAt(bytes, values + 12, readInt32(bytes, values))
  const priorAt = values + 12 + (newValue?.length ?? 0)
  const priorValue = valueAt(bytes, priorAt, readInt32(bytes, values + 4))
  const oldLength = readInt32(bytes, values + 8)
  return {
    time: readInt64(stored, 0),
    keyBytes: stored.subarray(int64Length),
    newValue,
    priorValue,
    oldValue: oldLength === sameAsPrior ? 'same' : valueAt(bytes, priorAt + (priorValue?.length ?? 0), oldLength),
    timestamp: readInt64(bytes, 0),
    headers: size.value === 0 ? Headers.empty : readHeaders(bytes.subarray(size.next, values)),
  }
}

function valueAt(bytes: Uint8Array, at: number, length: number): Uint8Array | null {
  return length === nothing ? null : bytes.subarray(at, at + length)
}
