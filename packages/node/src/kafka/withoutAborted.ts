import type { FetchedRecord } from './records/FetchedRecord.js'

interface AbortedTransaction {
  readonly producerId: string
  readonly firstOffset: string
}

const ABORT = 0

/**
 * The records that a `read_committed` reader may see.
 *
 * kafkajs's own filter takes the list of aborted transactions as sorted by first offset (the broker sorts it by end),
 * enters one transaction for each record only (a fetch may begin inside several), and takes any record whose key is
 * four zero bytes for an abort marker. Each of the three shows aborted records.
 */
export function withoutAborted(
  records: readonly FetchedRecord[],
  aborted: readonly AbortedTransaction[],
): readonly FetchedRecord[] {
  if (aborted.length === 0) return records
  const ahead = aborted
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset)
  const aborting = new Set<string>()
  let next = 0
  return records.filter(({ offset, key, batch }) => {
    for (; next < ahead.length; next++) {
      const transaction = ahead[next] as (typeof ahead)[number]
      if (transaction.firstOffset > offset) break
      aborting.add(transaction.producerId)
    }
    const { producerId, inTransaction, isControl } = batch
    if (isControl) {
      if (isAbortMarker(key)) aborting.delete(producerId)
      return true
    }
    return !(inTransaction && aborting.has(producerId))
  })
}

/** A marker's key: its version, then 0 for abort, 1 for commit. */
function isAbortMarker(key: Buffer | null): boolean {
  return key !== null && key.length >= 4 && key.readInt16BE(2) === ABORT
}
