import type { TopicPartition } from '@lanescope/core'

interface Refusal {
  readonly type: string
  readonly text: string
  /** Whether another try may have another answer. */
  readonly retriable: boolean
}

/** Errors that brokers give to a fetch, by their numbers, under the names that kafkajs has for them. */
const REFUSALS: { readonly [code: number]: Refusal | undefined } = {
  2: passing('CORRUPT_MESSAGE', 'it cannot read what it has stored'),
  3: passing('UNKNOWN_TOPIC_OR_PARTITION', 'it does not have this partition'),
  5: passing('LEADER_NOT_AVAILABLE', 'there is no leader for this partition'),
  6: passing('NOT_LEADER_FOR_PARTITION', 'it does not lead this partition'),
  9: passing('REPLICA_NOT_AVAILABLE', 'its replica is not available'),
  29: { type: 'TOPIC_AUTHORIZATION_FAILED', text: 'this login may not read the topic', retriable: false },
  35: { type: 'UNSUPPORTED_VERSION', text: 'it is too old: Kafka 3.6 is needed', retriable: false },
  56: passing('KAFKA_STORAGE_ERROR', 'its disk failed'),
  74: passing('FENCED_LEADER_EPOCH', 'its leader has changed'),
  75: passing('UNKNOWN_LEADER_EPOCH', 'its leader has changed'),
  78: passing('OFFSET_NOT_AVAILABLE', 'a leader that has just been chosen does not know its end yet'),
  100: passing('UNKNOWN_TOPIC_ID', 'it does not have the topic that the positions are of'),
  103: passing('INCONSISTENT_TOPIC_ID', 'it has another topic under this name'),
}

function passing(type: string, text: string): Refusal {
  return { type, text, retriable: true }
}

/** A broker has answered a fetch, or one partition of it, with an error. */
export class FetchRefusedError extends Error {
  override readonly name = 'KafkaJSProtocolError'
  readonly type: string
  readonly retriable: boolean

  constructor(code: number, place?: TopicPartition) {
    const { type, text, retriable } = REFUSALS[code] ?? passing(`ERROR_${code}`, `error ${code} to a fetch`)
    super(place === undefined ? text : `"${place.topic}" partition ${place.partition}: ${text}`)
    this.type = type
    this.retriable = retriable
  }
}
