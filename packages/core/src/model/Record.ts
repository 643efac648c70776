import type { Headers } from './Headers.js'

/** A keyed record inside a topology. The timestamp is in milliseconds since 1970 (W1). */
export interface Record<K, V> {
  readonly key: K
  readonly value: V
  readonly timestamp: number
  readonly headers: Headers
}

/** Where a record was read: the source record that the current work goes back to. */
export interface RecordCoordinates {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly timestamp: number
}
