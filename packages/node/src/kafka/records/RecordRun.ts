import type { Header, OutputView } from '@lanescope/core'
import { crc32c } from './crc32c.js'
import { at, type CodecModule, MAGIC, TRANSACTIONAL, writeInt64 } from './recordBatch.js'

/** Who writes a batch, as the broker knows it. */
export interface BatchProducer {
  readonly producerId: bigint
  readonly producerEpoch: number
  readonly firstSequence: number
  readonly isTransactional: boolean
}

export interface BatchCodec {
  readonly number: number
  readonly module: CodecModule
}

const FIRST_BYTES = 4096
/** A loop is quicker than a call into the engine for parts up to about this length. */
const SHORT = 48

/**
 * Records of one partition that go out as one batch of format 2. They are written into it as they come, each once;
 * its head is written when it is known who sends it.
 *
 * kafkajs takes it for a message with a value, and for the list of messages of its partition.
 */
export class RecordRun {
  readonly value = null
  length = 0
  /** Of its first record, once the broker has answered; −1 before. */
  baseOffset = -1
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #end: number = at.records
  #firstTimestamp = 0
  #maxTimestamp = 0

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  /**
   * Takes a record in, unless the batch would then be longer than allowed. A record that is too long alone makes a batch
   * alone: the broker has the last word.
   *
   * @returns whether it is in
   */
  add(record: OutputView, mostBytes: number): boolean {
    const { timestamp } = record
    const delta = this.length === 0 ? 0 : timestamp - this.#firstTimestamp
    const body = bodySize(record, delta, this.length)
    const size = varintSize(body) + body
    if (this.length > 0 && this.#end + size > mostBytes) return false
    if (this.length === 0) {
      this.#firstTimestamp = timestamp
      this.#maxTimestamp = timestamp
    }
    this.#maxTimestamp = Math.max(this.#maxTimestamp, timestamp)
    if (this.#end + size > this.#bytes.length) this.#grow(this.#end + size)
    this.#write(record, body, delta)
    this.length++
    return true
  }

  /** The batch as it goes to the broker. */
  async encode(producer: BatchProducer, codec: BatchCodec | undefined): Promise<Buffer> {
    const plain = this.#bytes.subarray(0, this.#end)
    const bytes = codec === undefined ? plain : await withCompressed(codec.module, plain.subarray(at.records))
    writeInt64(bytes, 0, at.firstOffset)
    bytes.writeInt32BE(bytes.length - at.leaderEpoch, at.length)
    bytes.writeInt32BE(0, at.leaderEpoch)
    bytes.writeInt8(MAGIC, at.magic)
    bytes.writeInt16BE((codec?.number ?? 0) | (producer.isTransactional ? TRANSACTIONAL : 0), at.attributes)
    bytes.writeInt32BE(this.length - 1, at.lastOffsetDelta)
    writeInt64(bytes, this.#firstTimestamp, at.firstTimestamp)
    writeInt64(bytes, this.#maxTimestamp, at.maxTimestamp)
    bytes.writeBigInt64BE(producer.producerId, at.producerId)
    bytes.writeInt16BE(producer.producerEpoch, at.producerEpoch)
    bytes.writeInt32BE(producer.firstSequence, at.firstSequence)
    bytes.writeInt32BE(this.length, at.count)
    bytes.writeUInt32BE(crc32c(bytes, at.attributes), at.crc)
    return bytes
  }

  #write(record: OutputView, body: number, delta: number): void {
    this.#varint(body)
    this.#bytes[this.#end++] = 0
    this.#varint(delta)
    this.#varint(this.length)
    this.#part(record.key, record.keyFrom, record.keyTo)
    this.#part(record.value, record.valueFrom, record.valueTo)
    this.#headers(record.headers)
  }

  #headers(headers: readonly Header[]): void {
    this.#varint(headers.length)
    for (const { key, value } of headers) {
      const length = Buffer.byteLength(key)
      this.#varint(length)
      this.#bytes.write(key, this.#end, 'utf8')
      this.#end += length
      this.#part(value, 0, value?.length ?? 0)
    }
  }

  #part(from: Uint8Array | null, start: number, end: number): void {
    if (from === null) {
      this.#varint(-1)
      return
    }
    const length = end - start
    this.#varint(length)
    const bytes = this.#bytes
    const to = this.#end
    if (length > SHORT) bytes.set(from.subarray(start, end), to)
    else for (let i = 0; i < length; i++) bytes[to + i] = from[start + i] as number
    this.#end = to + length
  }

  /** Zigzag. Split before it is doubled, because twice a difference of times need not fit 53 bits. */
  #varint(value: number): void {
    const rest = value >= 0 ? value : -value - 1
    const sign = value >= 0 ? 0 : 1
    if (rest < 64) {
      this.#bytes[this.#end++] = rest * 2 + sign
      return
    }
    this.#bytes[this.#end++] = 128 + (rest % 64) * 2 + sign
    let high = Math.floor(rest / 64)
    for (; high >= 128; high = Math.floor(high / 128)) this.#bytes[this.#end++] = 128 + (high % 128)
    this.#bytes[this.#end++] = high
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = grown
  }
}

async function withCompressed(codec: CodecModule, plain: Buffer): Promise<Buffer> {
  const packed = await codec.compress({ buffer: plain })
  const bytes = Buffer.allocUnsafe(at.records + packed.length)
  packed.copy(bytes, at.records)
  return bytes
}

function bodySize(record: OutputView, timestampDelta: number, offsetDelta: number): number {
  const { key, value, headers } = record
  let size = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + varintSize(headers.length)
  size += partSize(key === null ? -1 : record.keyTo - record.keyFrom)
  size += partSize(value === null ? -1 : record.valueTo - record.valueFrom)
  for (const header of headers) {
    size += partSize(Buffer.byteLength(header.key)) + partSize(header.value?.length ?? -1)
  }
  return size
}

function partSize(length: number): number {
  return length < 0 ? 1 : varintSize(length) + length
}

function varintSize(value: number): number {
  const rest = value >= 0 ? value : -value - 1
  let size = 1
  for (let high = Math.floor(rest / 64); high > 0; high = Math.floor(high / 128)) size++
  return size
}
