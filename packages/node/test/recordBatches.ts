import { type OutputRecord, visitOutputs } from '@lanescope/core'
import { crc32c } from '../src/kafka/records/crc32c.js'
import { decodeRecordBatches } from '../src/kafka/records/decodeRecordBatches.js'
import type { PackedBatch } from '../src/kafka/records/PackedBatch.js'
import { RecordRun } from '../src/kafka/records/RecordRun.js'
import { at, CONTROL, writeInt64 } from '../src/kafka/records/recordBatch.js'

export const producer = { producerId: 4711n, producerEpoch: 3, firstSequence: 9, isTransactional: true }

export const record = (more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 't',
  partition: 0,
  key: Buffer.from('k'),
  value: Buffer.from('v'),
  timestamp: 1_700_000_000_000,
  headers: [],
  ...more,
})

/** A batch as a broker stores it. */
export async function stored(records: readonly OutputRecord[], firstOffset = 0, by = producer): Promise<Buffer> {
  const run = new RecordRun('t', 0)
  visitOutputs(records, (output) => run.add(output, Number.POSITIVE_INFINITY))
  const batch = await run.encode(by, undefined)
  writeInt64(batch, firstOffset, at.firstOffset)
  return batch
}

/** The marker that ends a transaction. */
export async function storedMarker(type: 'abort' | 'commit', offset: number, by = producer): Promise<Buffer> {
  const marker = await stored([record({ key: Buffer.from([0, 0, 0, type === 'abort' ? 0 : 1]) })], offset, by)
  marker.writeInt16BE(marker.readInt16BE(at.attributes) | CONTROL, at.attributes)
  marker.writeUInt32BE(crc32c(marker, at.attributes), at.crc)
  return marker
}

export async function decoded(...batches: readonly Buffer[]): Promise<readonly PackedBatch[]> {
  return (await decodeRecordBatches(Buffer.concat(batches), () => undefined)).batches
}

export async function packedBatch(firstOffset: number, count: number): Promise<PackedBatch> {
  const batch = await stored(
    Array.from({ length: count }, () => record()),
    firstOffset,
  )
  return (await decoded(batch))[0] as PackedBatch
}
