import type { Headers } from '../model/Headers.js'

/** A record as an extractor sees it: decoded, with its coordinates. */
export interface ConsumerRecord<K, V> {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly timestamp: number
  readonly key: K | null
  readonly value: V | null
  readonly headers: Headers
}

/**
 * Gives a record its event time in ms. A negative result skips the record (counted, evented).
 *
 * `partitionTime` is the greatest extracted time of that partition so far, −1 while unknown.
 * `onInvalid` says what a built-in extractor does with a time outside 0 … 2^53−1 (`kafka-streams.md` B.1).
 */
export interface TimestampExtractor<K, V> {
  readonly id: string
  extract(record: ConsumerRecord<K, V>, partitionTime: number): number
}
