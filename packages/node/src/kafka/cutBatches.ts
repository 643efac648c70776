import type { OutputRecord } from '@lanescope/core'

/** Varints of lengths, offset and timestamp of one record, at most. */
const RECORD_OVERHEAD = 36
const HEADER_OVERHEAD = 10
/** The batch's own header. */
const BATCH_OVERHEAD = 61

/**
 * Cuts records into batches, as indexes into them: all records of one batch to one partition stay within the bytes
 * that its topic allows (kafkajs never splits). The order is kept. A record that is larger alone makes a batch alone.
 */
export function cutBatches(records: readonly OutputRecord[], maxBytesOf: (topic: string) => number): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  const sizes = new Map<string, number>()
  for (const [index, record] of records.entries()) {
    const key = `${record.topic} ${record.partition}`
    const size = sizeOf(record)
    const filled = sizes.get(key) ?? BATCH_OVERHEAD
    if (filled > BATCH_OVERHEAD && filled + size > maxBytesOf(record.topic)) {
      batches.push(batch)
      batch = []
      sizes.clear()
    }
    batch.push(index)
    sizes.set(key, (sizes.get(key) ?? BATCH_OVERHEAD) + size)
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

function sizeOf({ key, value, headers }: OutputRecord): number {
  const bytes = RECORD_OVERHEAD + (key?.length ?? 0) + (value?.length ?? 0)
  // A name's character takes up to three bytes.
  return headers.reduce(
    (sum, header) => sum + HEADER_OVERHEAD + 3 * header.key.length + (header.value?.length ?? 0),
    bytes,
  )
}
