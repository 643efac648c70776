import type { Header, OutputRecord } from '@lanescope/core'
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

/** Records of one partition, in their order, as one batch of format 2. There is at least one. */
export async function encodeRecordBatch(
  records: readonly OutputRecord[],
  producer: BatchProducer,
  codec: BatchCodec | undefined,
): Promise<Buffer> {
  // The least and not the first, so that no difference is negative: each then fits 53 bits, whatever the times are.
  let firstTimestamp = Number.POSITIVE_INFINITY
  let maxTimestamp = Number.NEGATIVE_INFINITY
  for (const { timestamp } of records) {
    if (timestamp < firstTimestamp) firstTimestamp = timestamp
    if (timestamp > maxTimestamp) maxTimestamp = timestamp
  }
  const plain = new RecordsWriter(records, firstTimestamp, codec === undefined ? at.records : 0).write()
  const bytes = codec === undefined ? plain : await withCompressed(codec.module, plain)
  writeInt64(bytes, 0, at.firstOffset)
  bytes.writeInt32BE(bytes.length - at.leaderEpoch, at.length)
  bytes.writeInt32BE(0, at.leaderEpoch)
  bytes.writeInt8(MAGIC, at.magic)
  bytes.writeInt16BE((codec?.number ?? 0) | (producer.isTransactional ? TRANSACTIONAL : 0), at.attributes)
  bytes.writeInt32BE(records.length - 1, at.lastOffsetDelta)
  writeInt64(bytes, firstTimestamp, at.firstTimestamp)
  writeInt64(bytes, maxTimestamp, at.maxTimestamp)
  bytes.writeBigInt64BE(producer.producerId, at.producerId)
  bytes.writeInt16BE(producer.producerEpoch, at.producerEpoch)
  bytes.writeInt32BE(producer.firstSequence, at.firstSequence)
  bytes.writeInt32BE(records.length, at.count)
  bytes.writeUInt32BE(crc32c(bytes, at.attributes), at.crc)
  return bytes
}

async function withCompressed(codec: CodecModule, plain: Buffer): Promise<Buffer> {
  const packed = await codec.compress({ buffer: plain })
  const bytes = Buffer.allocUnsafe(at.records + packed.length)
  packed.copy(bytes, at.records)
  return bytes
}

class RecordsWriter {
  readonly #bytes: Buffer
  #position: number
  readonly #bodies: Uint32Array

  constructor(
    private readonly records: readonly OutputRecord[],
    private readonly firstTimestamp: number,
    from: number,
  ) {
    this.#bodies = new Uint32Array(records.length)
    let size = from
    for (const [index, record] of records.entries()) {
      const body = bodySize(record, record.timestamp - firstTimestamp, index)
      this.#bodies[index] = body
      size += varintSize(body) + body
    }
    this.#bytes = Buffer.allocUnsafe(size)
    this.#position = from
  }

  write(): Buffer {
    for (const [index, record] of this.records.entries()) {
      this.#varint(this.#bodies[index] as number)
      this.#bytes[this.#position++] = 0
      this.#varint(record.timestamp - this.firstTimestamp)
      this.#varint(index)
      this.#part(record.key)
      this.#part(record.value)
      this.#headers(record.headers)
    }
    return this.#bytes
  }

  #headers(headers: readonly Header[]): void {
    this.#varint(headers.length)
    for (const { key, value } of headers) {
      const length = Buffer.byteLength(key)
      this.#varint(length)
      this.#bytes.write(key, this.#position, 'utf8')
      this.#position += length
      this.#part(value)
    }
  }

  #part(part: Uint8Array | null): void {
    this.#varint(part?.length ?? -1)
    if (part === null) return
    this.#bytes.set(part, this.#position)
    this.#position += part.length
  }

  #varint(value: number): void {
    let rest = zigzag(value)
    while (rest >= 128) {
      this.#bytes[this.#position++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#position++] = rest
  }
}

function bodySize({ key, value, headers }: OutputRecord, timestampDelta: number, offsetDelta: number): number {
  let size = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + partSize(key) + partSize(value)
  size += varintSize(headers.length)
  for (const header of headers) {
    const length = Buffer.byteLength(header.key)
    size += varintSize(length) + length + partSize(header.value)
  }
  return size
}

function partSize(part: Uint8Array | null): number {
  return part === null ? 1 : varintSize(part.length) + part.length
}

function varintSize(value: number): number {
  let rest = zigzag(value)
  let size = 1
  for (; rest >= 128; size++) rest = Math.floor(rest / 128)
  return size
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1
}
