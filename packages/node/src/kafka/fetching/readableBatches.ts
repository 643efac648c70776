import type { PackedBatch } from '../records/PackedBatch.js'
import type { AbortedTransaction } from './fetchRequest.js'

/**
 * The batches that a `read_committed` reader may see: none of an aborted transaction, and no markers.
 *
 * kafkajs's own filter takes the list of aborted transactions as sorted by first offset (the broker sorts it by end),
 * enters one transaction for each record only (a fetch may begin inside several), and takes any record whose key is
 * four zero bytes for an abort marker. Each of the three shows aborted records.
 *
 * @param batches in the order of their offsets
 */
export function readableBatches(
  batches: readonly PackedBatch[],
  aborted: readonly AbortedTransaction[],
): readonly PackedBatch[] {
  const ahead = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset)
  const aborting = new Set<string>()
  let next = 0
  return batches.filter((batch) => {
    for (; next < ahead.length; next++) {
      const transaction = ahead[next] as (typeof ahead)[number]
      if (transaction.firstOffset > batch.lastOffset) break
      aborting.add(transaction.producerId)
    }
    if (!batch.isControl) return !(batch.inTransaction && aborting.has(batch.producerId))
    if (batch.isAbort) aborting.delete(batch.producerId)
    return false
  })
}
