import type { Serde } from '@lanescope/core'

/** A stretch of traffic: how long, how fast, with which keys. */
export interface TrafficPhase {
  /** How long it lasts; 0: until stopped. */
  readonly forMs: number
  readonly ratePerSecond: number
  /** Taken in turn. Each is a JSON value as text where it is one (`17`, `"k0"`), else plain text (`k0`). */
  readonly keys: readonly string[]
  /** How many records in a row a key gets before it is the next one's turn; at least 1. Default: 1. */
  readonly burst?: number
}

/**
 * Writes test records to a topic, as a foreign producer would: with serdes of its own.
 * `{n}` in a key or in a string of the template becomes the record's number, from 0.
 */
export interface TrafficGenerator<K = any, V = any> {
  readonly topic: string
  /** Partitions that the topic is made with when there is none. */
  readonly partitions: number
  readonly key: Serde<K>
  readonly value: Serde<V>
  /** One after the other; the traffic ends behind the last. */
  readonly phases: readonly TrafficPhase[]
  /** The value of each record: a JSON value. */
  readonly template: unknown
  /**
   * Event time = start + `startOffsetMs` + elapsed × `speed`. Default: the clock's time. What starts in the past
   * and catches up with the clock goes on with it. Where the topic holds later times already, it begins at the newest.
   */
  readonly time?: { readonly startOffsetMs: number; readonly speed: number }
}
