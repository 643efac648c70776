import { equalBytes } from '../../model/bytes.js'
import type { Serde } from '../../serde/Serde.js'

/** What a left row asks of the lane of its foreign key. */
export type Instruction =
  /** Subscribe, and answer only with a right row. */
  | 'answer-if-there'
  /** Subscribe, and answer in any case: there may be a result to take back. */
  | 'answer'
  /** Subscribe no more, and answer that there is none. */
  | 'end-and-answer'
  /** Subscribe no more. */
  | 'end'

/** A left row's subscription to a foreign key; it travels under that key. */
export interface Subscription {
  readonly instruction: Instruction
  /** Of the left value that asks; null when the row is deleted. */
  readonly hash: Uint8Array | null
  readonly primaryKey: unknown
  readonly primaryKeyBytes: Uint8Array
}

/** What the lane of a foreign key answers to a left row; it travels under the left row's key. */
export interface SubscriptionResponse {
  /** Of the left value that has asked: the answer is for that one alone. */
  readonly hash: Uint8Array | null
  readonly foreignValue: unknown
}

export function isSameHash(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : equalBytes(a, b)
}

/** Writes the hash that a subscription keeps: nothing for none. */
export const hashSerde: Serde<Uint8Array | 'none'> = {
  id: 'foreignKeyHash',
  serialize: (_topic, _headers, hash) => (hash === 'none' ? new Uint8Array(0) : hash),
  deserialize: (_topic, _headers, bytes) => (bytes.length === 0 ? 'none' : bytes),
}
