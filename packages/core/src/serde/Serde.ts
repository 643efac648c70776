import type { Headers } from '../model/Headers.js'

/** Turns bytes into values. Null never reaches it: a null key or value has no bytes. */
export interface Deserializer<T> {
  /** A name for messages and findings; a serde's id when the deserializer is one of a serde. */
  readonly id?: string
  /** @throws any error when the bytes cannot be read; the engine adds topic, partition and offset */
  deserialize(topic: string, headers: Headers, bytes: Uint8Array): T
  /**
   * Fetches what `deserialize` will need for these bytes, such as an unknown schema. The engine calls it for each record
   * of a source before it reads it; undefined when nothing is needed, which costs nothing.
   *
   * It may reject with a retriable error, when trying again later can help: the engine then starts over, as when a log
   * does not answer. What else is wrong, `deserialize` says.
   */
  prepare?(bytes: Uint8Array, headers: Headers): Promise<void> | undefined
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
  /** The part of the written bytes that picks the lane; absent when all of them do. Windowed serdes give the inner key's (T3). */
  laneBytes?(bytes: Uint8Array): Uint8Array
}
