import { StreamError } from '../errors/StreamError.js'
import type { Clock } from '../time/Clock.js'
import type { ConsumerRecord, TimestampExtractor } from './TimestampExtractor.js'

/** Takes the record's timestamp; a negative one ends the run. The default (`kafka-streams.md` B.1). */
export const failOnInvalidTimestamp: TimestampExtractor<unknown, unknown> = {
  id: 'FailOnInvalidTimestamp',
  extract(record) {
    if (isValid(record.timestamp)) return record.timestamp
    throw invalid(
      record,
      `Input record ${describe(record)} has an invalid timestamp: ${record.timestamp}. Its producer may predate ` +
        'Kafka 0.10, or the topic holds old records. Use another TimestampExtractor on the source to skip or replace it.',
    )
  },
}

/** Takes the record's timestamp; a negative one makes the record be skipped, counted and logged. */
export const logAndSkipOnInvalidTimestamp: TimestampExtractor<unknown, unknown> = {
  id: 'LogAndSkipOnInvalidTimestamp',
  extract({ timestamp }) {
    if (isValid(timestamp)) return timestamp
    return timestamp < 0 ? timestamp : -1
  },
}

/** Takes the record's timestamp; in place of a negative one, the greatest time of its partition so far. */
export const usePartitionTimeOnInvalidTimestamp: TimestampExtractor<unknown, unknown> = {
  id: 'UsePartitionTimeOnInvalidTimestamp',
  extract(record, partitionTime) {
    if (isValid(record.timestamp)) return record.timestamp
    if (partitionTime >= 0) return partitionTime
    throw invalid(
      record,
      `Could not infer new timestamp for input record ${describe(record)} because partition time is unknown. ` +
        'Skip such records with logAndSkipOnInvalidTimestamp, or write a valid timestamp first.',
    )
  },
}

/** Takes the time at which the record is read, whatever the record says. */
export function wallclockTimestamp(clock: Pick<Clock, 'now'>): TimestampExtractor<unknown, unknown> {
  return { id: 'WallclockTimestampExtractor', extract: () => clock.now() }
}

/** W1: an integer in 0 … 2^53−1. */
function isValid(timestamp: number): boolean {
  return Number.isSafeInteger(timestamp) && timestamp >= 0
}

function describe({ topic, partition, offset }: ConsumerRecord<unknown, unknown>): string {
  return `at topic=[${topic}] partition=[${partition}] offset=[${offset}]`
}

function invalid(record: ConsumerRecord<unknown, unknown>, message: string): StreamError {
  const { topic, partition, offset, timestamp } = record
  return new StreamError(message, {
    code: 'TIMESTAMP_INVALID',
    kind: 'user',
    retriable: false,
    context: { topic, partition, offset, timestamp },
  })
}
