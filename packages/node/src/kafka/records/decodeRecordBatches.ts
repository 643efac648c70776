import type { Header } from '@lanescope/core'
import { crc32c } from './crc32c.js'
import { type BatchHead, FetchedRecord } from './FetchedRecord.js'
import {
  at,
  CODEC_MASK,
  CONTROL,
  type CodecOf,
  LOG_APPEND_TIME,
  MAGIC,
  readInt64,
  TRANSACTIONAL,
} from './recordBatch.js'

const none: readonly Header[] = []

/** A batch that is not what was written. kafkajs does not check, and hands out whatever it reads. */
export class CorruptBatchError extends Error {
  constructor(
    readonly firstOffset: number,
    readonly problem: string,
  ) {
    super(`The record batch at offset ${firstOffset} is damaged: ${problem}`)
  }
}

/** Records as a fetch has brought them, up to the first batch that is damaged. */
export interface DecodedRecords {
  readonly records: readonly FetchedRecord[]
  readonly damage?: CorruptBatchError
}

/**
 * The records of a fetched part of a partition: batches one after the other, of which the last may be cut off.
 * Behind a batch whose checksum does not hold nothing is read: the next fetch begins with it.
 */
export async function decodeRecordBatches(bytes: Buffer, codecOf: CodecOf): Promise<DecodedRecords> {
  const found: FetchedRecord[] = []
  let start = 0
  while (start + at.records <= bytes.length) {
    const end = start + at.leaderEpoch + bytes.readInt32BE(start + at.length)
    if (end > bytes.length) break
    if (end < start + at.records) {
      const length = bytes.readInt32BE(start + at.length)
      return { records: found, damage: new CorruptBatchError(readInt64(bytes, start), `it claims ${length} bytes`) }
    }
    const batch = bytes.subarray(start, end)
    const good = found.length
    try {
      const read = decodeBatch(batch, codecOf, found)
      // Only a compressed batch has to be waited for.
      if (read !== undefined) await read
    } catch (error) {
      if (error instanceof CorruptBatchError) return { records: found.slice(0, good), damage: error }
      throw error
    }
    start = end
  }
  return { records: found }
}

function decodeBatch(batch: Buffer, codecOf: CodecOf, found: FetchedRecord[]): Promise<void> | undefined {
  const firstOffset = readInt64(batch, at.firstOffset)
  const magic = batch.readInt8(at.magic)
  if (magic !== MAGIC) {
    throw new CorruptBatchError(firstOffset, `it is of format ${magic}, which no broker since Kafka 4.0 sends`)
  }
  const expected = batch.readUInt32BE(at.crc)
  const actual = crc32c(batch, at.attributes)
  if (actual !== expected) {
    throw new CorruptBatchError(firstOffset, `its checksum is ${actual.toString(16)} and not ${expected.toString(16)}`)
  }
  const attributes = batch.readInt16BE(at.attributes)
  const codec = codecOf(attributes & CODEC_MASK)
  const reader = new RecordReader(batch, firstOffset, attributes)
  const count = batch.readInt32BE(at.count)
  const body = batch.subarray(at.records)
  if (codec === undefined) {
    reader.read(body, count, found)
    return undefined
  }
  return codec.decompress(body).then((whole) => reader.read(whole, count, found))
}

class RecordReader {
  #bytes: Buffer = Buffer.alloc(0)
  #position = 0
  readonly #head: BatchHead
  readonly #firstTimestamp: number
  readonly #appendTime: number | undefined

  constructor(
    batch: Buffer,
    private readonly firstOffset: number,
    attributes: number,
  ) {
    this.#firstTimestamp = readInt64(batch, at.firstTimestamp)
    this.#appendTime = attributes & LOG_APPEND_TIME ? readInt64(batch, at.maxTimestamp) : undefined
    this.#head = {
      producerId: String(batch.readBigInt64BE(at.producerId)),
      inTransaction: (attributes & TRANSACTIONAL) !== 0,
      isControl: (attributes & CONTROL) !== 0,
    }
  }

  read(bytes: Buffer, count: number, found: FetchedRecord[]): void {
    this.#bytes = bytes
    this.#position = 0
    for (let i = 0; i < count; i++) found.push(this.#record())
  }

  #record(): FetchedRecord {
    const end = this.#varint() + this.#position
    // One byte of attributes that mean nothing yet.
    this.#position++
    const timestamp = this.#firstTimestamp + this.#varint()
    const offset = this.firstOffset + this.#varint()
    const key = this.#part()
    const value = this.#part()
    const headers = this.#headers()
    this.#position = end
    return new FetchedRecord(offset, this.#appendTime ?? timestamp, key, value, headers, this.#head)
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
