import type { Header, LogRecord } from '@lanescope/core'
import { at, CONTROL, LOG_APPEND_TIME, readInt64, TRANSACTIONAL } from './recordBatch.js'

const none: readonly Header[] = []
const ABORT = 0

/** A record as it was fetched. */
class FetchedRecord implements LogRecord {
  constructor(
    readonly offset: number,
    readonly timestamp: number,
    readonly key: Buffer | null,
    readonly value: Buffer | null,
    readonly headers: readonly Header[],
  ) {}
}

/**
 * One batch as it was fetched. It stays bytes until its records are taken: as objects that lie about they would outlive a
 * collection of young ones, and be copied by the collector.
 */
export class PackedBatch {
  readonly firstOffset: number
  /** Also where compaction has taken the last record away. */
  readonly lastOffset: number
  readonly producerId: string
  readonly inTransaction: boolean
  /** Holds a marker of a transaction, which is for no reader. */
  readonly isControl: boolean
  readonly #firstTimestamp: number
  readonly #appendTime: number | undefined
  readonly #bytes: Buffer
  #position = 0
  #left: number

  /** @param records its records without its head, and not compressed */
  constructor(head: Buffer, records: Buffer) {
    const attributes = head.readInt16BE(at.attributes)
    this.firstOffset = readInt64(head, at.firstOffset)
    this.lastOffset = this.firstOffset + head.readInt32BE(at.lastOffsetDelta)
    this.producerId = String(head.readBigInt64BE(at.producerId))
    this.inTransaction = (attributes & TRANSACTIONAL) !== 0
    this.isControl = (attributes & CONTROL) !== 0
    this.#firstTimestamp = readInt64(head, at.firstTimestamp)
    this.#appendTime = attributes & LOG_APPEND_TIME ? readInt64(head, at.maxTimestamp) : undefined
    this.#bytes = records
    this.#left = head.readInt32BE(at.count)
  }

  /** Bytes of the records that are not taken yet. */
  get size(): number {
    return this.#bytes.length - this.#position
  }

  /** Records that are not taken yet. */
  get left(): number {
    return this.#left
  }

  get isDone(): boolean {
    return this.#left === 0
  }

  /**
   * Takes the next records.
   *
   * @param from those with a lower offset are passed over
   * @param into gets them at its end
   * @param length how long `into` may become
   * @returns how many were passed over
   */
  take(from: number, into: LogRecord[], length: number): number {
    let passed = 0
    while (this.#left > 0 && into.length < length) {
      const record = this.#next()
      if (record.offset >= from) into.push(record)
      else passed++
    }
    return passed
  }

  /** Whether it holds the marker that ends a transaction of its producer by an abort. */
  get isAbort(): boolean {
    if (!this.isControl || this.#left === 0) return false
    const marker: LogRecord[] = []
    this.take(this.firstOffset, marker, 1)
    const key = marker[0]?.key as Buffer | null
    // A marker's key: its version, then 0 for abort, 1 for commit.
    return key !== null && key.length >= 4 && key.readInt16BE(2) === ABORT
  }

  #next(): FetchedRecord {
    this.#left--
    const end = this.#varint() + this.#position
    // One byte of attributes that mean nothing yet.
    this.#position++
    const timestamp = this.#firstTimestamp + this.#varint()
    const offset = this.firstOffset + this.#varint()
    const key = this.#part()
    const value = this.#part()
    const headers = this.#headers()
    this.#position = end
    return new FetchedRecord(offset, this.#appendTime ?? timestamp, key, value, headers)
  }

  #headers(): readonly Header[] {
    const count = this.#varint()
    if (count === 0) return none
    const headers: Header[] = []
    for (let i = 0; i < count; i++) {
      const key = (this.#part() as Buffer).toString('utf8')
      headers.push({ key, value: this.#part() })
    }
    return headers
  }

  #part(): Buffer | null {
    const length = this.#varint()
    if (length < 0) return null
    const from = this.#position
    this.#position = from + length
    return this.#bytes.subarray(from, this.#position)
  }

  /** Zigzag, of at most 64 bits of which 53 are used besides the sign. */
  #varint(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#position++] as number
    if (byte < 128) return (byte >>> 1) ^ -(byte & 1)
    const isNegative = (byte & 1) === 1
    let value = (byte & 127) >>> 1
    let factor = 64
    do {
      byte = bytes[this.#position++] as number
      value += (byte & 127) * factor
      factor *= 128
    } while (byte >= 128)
    return isNegative ? -value - 1 : value
  }
}
