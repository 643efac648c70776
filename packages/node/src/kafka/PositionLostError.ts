import type { TopicPartition } from '@lanescope/core'

/** The partition does not hold the offset that was asked for: what was there is deleted, or the topic was made anew. */
export class PositionLostError extends Error {
  override readonly name = 'KafkaJSNonRetriableError'
  readonly type = 'OFFSET_OUT_OF_RANGE'
  readonly retriable = false

  constructor(readonly place: TopicPartition) {
    super(`Topic "${place.topic}" partition ${place.partition} does not hold the next position`)
  }
}
