import { StreamError, type TopicPartition } from '@lanescope/core'
import type { CorruptBatchError } from '../records/decodeRecordBatches.js'
import type { PackedBatch } from '../records/PackedBatch.js'
import type { Fetched } from './fetchRequest.js'
import { readableBatches } from './readableBatches.js'

/** What a fetch has brought of a partition, for a reader of committed records. */
export interface FetchedPart {
  /** May begin before the offset that was asked for: a broker gives whole batches. */
  readonly batches: readonly PackedBatch[]
  /** The offset behind all that came, also behind what a reader is not shown. */
  readonly next: number
  readonly lastStable: number
}

/** @throws StreamError LOG_CORRUPT where the first batch that was asked for is damaged */
export function fetchedPart(
  from: number,
  { place, messages, abortedTransactions, lastStableOffset }: Fetched,
): FetchedPart {
  const { batches, damage } = messages
  const next = Math.max(from, (batches.at(-1)?.lastOffset ?? -1) + 1)
  if (damage !== undefined && next === from) throw damaged(place, damage)
  return {
    batches: readableBatches(batches, abortedTransactions),
    next,
    lastStable: lastStableOffset,
  }
}

function damaged({ topic, partition }: TopicPartition, { firstOffset, problem }: CorruptBatchError): StreamError {
  return new StreamError(
    `Topic "${topic}" partition ${partition} is damaged in the record batch at offset ${firstOffset}: ${problem}. ` +
      'Bring the partition back from a replica that is whole, or delete its records up to behind the batch and go on with ' +
      'source.offset-gap: accept.',
    {
      code: 'LOG_CORRUPT',
      kind: 'operational',
      retriable: false,
      context: { topic, partition, offset: firstOffset },
    },
  )
}
