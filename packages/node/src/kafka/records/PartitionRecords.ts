import { StreamError } from '@lanescope/core'
import { withoutAborted } from '../withoutAborted.js'
import type { CorruptBatchError, DecodedRecords } from './decodeRecordBatches.js'
import type { FetchedRecord } from './FetchedRecord.js'

/** What a fetch has brought of a partition. */
interface PartitionData {
  readonly partition: number
  readonly highWatermark: string
  readonly lastStableOffset?: string
  readonly abortedTransactions?: readonly { readonly producerId: string; readonly firstOffset: string }[] | null
  readonly messages: DecodedRecords
}

/**
 * What kafkajs's consumer works with, in place of its own class: that one keeps the high watermark only, behind which a
 * `read_committed` reader never comes while a transaction is open, shows records of aborted transactions, and does the
 * arithmetic of offsets on text.
 */
export class PartitionRecords {
  readonly partition: number
  readonly highWatermark: string
  readonly lastStableOffset: string
  readonly rawMessages: readonly FetchedRecord[]
  /** Without those before the offset that was asked for: a broker gives whole batches. */
  readonly messagesWithinOffset: readonly FetchedRecord[]
  /** What a reader may see. */
  readonly messages: readonly FetchedRecord[]

  /** @throws StreamError LOG_CORRUPT where the first batch that was asked for is damaged */
  constructor(
    readonly topic: string,
    readonly fetchedOffset: string,
    {
      partition,
      highWatermark,
      lastStableOffset = highWatermark,
      abortedTransactions,
      messages: decoded,
    }: PartitionData,
  ) {
    this.partition = partition
    this.highWatermark = highWatermark
    this.lastStableOffset = lastStableOffset
    const { records: messages, damage } = decoded
    this.rawMessages = messages
    const from = Number(fetchedOffset)
    if (damage !== undefined && (messages.at(-1)?.offset ?? -1) < from) throw damaged(topic, partition, damage)
    const begins = (messages[0]?.offset ?? from) >= from
    this.messagesWithinOffset = begins ? messages : messages.filter(({ offset }) => offset >= from)
    const seen = withoutAborted(this.messagesWithinOffset, abortedTransactions ?? [])
    this.messages = seen.some(({ batch }) => batch.isControl) ? seen.filter(({ batch }) => !batch.isControl) : seen
  }

  isEmpty(): boolean {
    return this.messages.length === 0
  }

  isEmptyIncludingFiltered(): boolean {
    return this.messagesWithinOffset.length === 0
  }

  /** Something was there, and nothing of it is for a reader. */
  isEmptyDueToFiltering(): boolean {
    return this.isEmpty() && this.rawMessages.length > 0
  }

  isEmptyControlRecord(): boolean {
    return this.isEmpty() && this.messagesWithinOffset.some(({ batch }) => batch.isControl)
  }

  isEmptyDueToLogCompactedMessages(): boolean {
    return this.rawMessages.length > 0 && this.isEmptyIncludingFiltered()
  }

  firstOffset(): string | null {
    const [first] = this.messagesWithinOffset
    return first === undefined ? null : String(first.offset)
  }

  lastOffset(): string {
    if (this.isEmptyDueToLogCompactedMessages()) return this.fetchedOffset
    const last = this.messagesWithinOffset.at(-1)
    return String(last === undefined ? Number(this.highWatermark) - 1 : last.offset)
  }

  offsetLag(): string {
    return String(Number(this.highWatermark) - 1 - Number(this.lastOffset()))
  }

  offsetLagLow(): string {
    const [first] = this.messagesWithinOffset
    return first === undefined ? '0' : String(Number(this.highWatermark) - 1 - first.offset)
  }
}

function damaged(topic: string, partition: number, { firstOffset, problem }: CorruptBatchError): StreamError {
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
