import type { Headers } from '../model/Headers.js'

/** Turns bytes into values. Null never reaches it: a null key or value has no bytes. */
export interface Deserializer<T> {
  /** A name for messages and findings; a serde's id when the deserializer is one of a serde. */
  readonly id?: string
  /** @throws any error when the bytes cannot be read; the engine adds topic, partition and offset */
  deserialize(topic: string, headers: Headers, bytes: Uint8Array): T
}

/** Turns values into bytes. Null never reaches it. */
export interface Serializer<T> {
  readonly id?: string
  serialize(topic: string, headers: Headers, value: T): Uint8Array
}

/**
 * Writes and reads one type of key or value.
 *
 * Two serdes with the same `id` write the same bytes for the same value: the engine compares ids
 * where it must know whether two declarations agree (B2, T9).
 */
export interface Serde<T> extends Serializer<T>, Deserializer<T> {
  readonly id: string
  /** Fetches what `deserialize` will need for these bytes, such as an unknown schema. Undefined when nothing is needed. */
  prepare?(bytes: Uint8Array): Promise<void> | undefined
  /** The part of the written bytes that picks the lane; absent when all of them do. Windowed serdes give the inner key's (T3). */
  laneBytes?(bytes: Uint8Array): Uint8Array
}
