import { StreamError, type StreamErrorCode } from '../errors/index.js'
import { Headers } from '../model/Headers.js'
import type { Serde } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import type { StoreAccess, StoreEnvironment } from './StoreBuilder.js'
import { storeError } from './storeError.js'

/** Turns one store's keys and values into bytes and back. Serdes see the changelog's topic name (G-72). */
export class StoreCodec<K, V> {
  readonly topic: string
  readonly #store: string
  readonly #key: Serde<K>
  readonly #value: Serde<V>
  /** The text that was written last as a key, and its bytes: an operator reads a key and writes it then. */
  #lastKey: string | undefined
  #lastKeyBytes: Uint8Array = new Uint8Array(0)

  constructor(store: string, environment: StoreEnvironment) {
    this.#store = store
    this.topic = `${environment.applicationId}-${store}-changelog`
    this.#key = environment.keySerde
    this.#value = environment.valueSerde
  }

  /** @throws StreamError STORE_INVALID for a null key, SERIALIZATION_FAILED when the serde refuses it */
  keyBytes(key: K, access?: StoreAccess): Uint8Array {
    if (key === null || key === undefined) {
      throw storeError(this.#store, `A key of the store "${this.#store}" is ${key}. Stores have no null keys: skip it.`)
    }
    if (key === this.#lastKey) return this.#lastKeyBytes
    let bytes = access?.writtenKey?.(key, this.#key)
    if (bytes !== undefined) return this.#keep(key, bytes)
    try {
      bytes = this.#key.serialize(this.topic, Headers.empty, key)
    } catch (cause) {
      throw this.#failed('key', 'SERIALIZATION_FAILED', cause)
    }
    // Of the built-in serde alone: another one may use its buffer again.
    return this.#key === (string as unknown) ? this.#keep(key, bytes) : bytes
  }

  /** The bytes of a stored key that pick its lane: of a windowed key the inner one's (T3). */
  laneBytes(keyBytes: Uint8Array): Uint8Array {
    return this.#key.laneBytes ? this.#key.laneBytes(keyBytes) : keyBytes
  }

  /** @throws StreamError SERIALIZATION_FAILED when the serde refuses it */
  valueBytes(value: V): Uint8Array {
    try {
      return this.#value.serialize(this.topic, Headers.empty, value)
    } catch (cause) {
      throw this.#failed('value', 'SERIALIZATION_FAILED', cause)
    }
  }

  /** @throws StreamError DESERIALIZATION_FAILED when the serde cannot read it */
  key(bytes: Uint8Array): K {
    try {
      return this.#key.deserialize(this.topic, Headers.empty, bytes)
    } catch (cause) {
      throw this.#failed('key', 'DESERIALIZATION_FAILED', cause)
    }
  }

  /** @throws StreamError DESERIALIZATION_FAILED when the serde cannot read it */
  value(bytes: Uint8Array): V {
    try {
      return this.#value.deserialize(this.topic, Headers.empty, bytes)
    } catch (cause) {
      throw this.#failed('value', 'DESERIALIZATION_FAILED', cause)
    }
  }

  #keep(key: K, bytes: Uint8Array): Uint8Array {
    this.#lastKey = key as string
    this.#lastKeyBytes = bytes
    return bytes
  }

  #failed(side: 'key' | 'value', code: StreamErrorCode, cause: unknown): StreamError {
    const serde = side === 'key' ? this.#key : this.#value
    const verb = code === 'SERIALIZATION_FAILED' ? 'write' : 'read'
    return new StreamError(
      `The serde "${serde.id}" could not ${verb} a ${side} of the store "${this.#store}": ${messageOf(cause)}`,
      { code, kind: 'user', retriable: false, context: { store: this.#store, topic: this.topic }, cause },
    )
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
