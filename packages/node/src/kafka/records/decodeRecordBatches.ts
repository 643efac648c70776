import { crc32c } from './crc32c.js'
import { PackedBatch } from './PackedBatch.js'
import { at, CODEC_MASK, type CodecOf, MAGIC, readInt64 } from './recordBatch.js'

/** A batch that is not what was written. kafkajs does not check, and hands out whatever it reads. */
export class CorruptBatchError extends Error {
  constructor(
    readonly firstOffset: number,
    readonly problem: string,
  ) {
    super(`The record batch at offset ${firstOffset} is damaged: ${problem}`)
  }
}

/** Batches as a fetch has brought them, up to the first one that is damaged. */
export interface DecodedBatches {
  readonly batches: readonly PackedBatch[]
  readonly damage?: CorruptBatchError
}

/**
 * The batches of a fetched part of a partition, one after the other, of which the last may be cut off.
 * Behind one whose checksum does not hold nothing is read: the next fetch begins with it.
 */
export async function decodeRecordBatches(bytes: Buffer, codecOf: CodecOf): Promise<DecodedBatches> {
  const batches: PackedBatch[] = []
  let start = 0
  while (start + at.records <= bytes.length) {
    const end = start + at.leaderEpoch + bytes.readInt32BE(start + at.length)
    if (end > bytes.length) break
    if (end < start + at.records) {
      const length = bytes.readInt32BE(start + at.length)
      return { batches, damage: new CorruptBatchError(readInt64(bytes, start), `it claims ${length} bytes`) }
    }
    const batch = bytes.subarray(start, end)
    const damage = damageOf(batch)
    if (damage !== undefined) return { batches, damage }
    const codec = codecOf(batch.readInt16BE(at.attributes) & CODEC_MASK)
    const body = batch.subarray(at.records)
    batches.push(new PackedBatch(batch, codec === undefined ? body : await codec.decompress(body)))
    start = end
  }
  return { batches }
}

function damageOf(batch: Buffer): CorruptBatchError | undefined {
  const firstOffset = readInt64(batch, at.firstOffset)
  const magic = batch.readInt8(at.magic)
  if (magic !== MAGIC) {
    return new CorruptBatchError(firstOffset, `it is of format ${magic}, which no broker since Kafka 4.0 sends`)
  }
  const expected = batch.readUInt32BE(at.crc)
  const actual = crc32c(batch, at.attributes)
  if (actual === expected) return undefined
  return new CorruptBatchError(firstOffset, `its checksum is ${actual.toString(16)} and not ${expected.toString(16)}`)
}
