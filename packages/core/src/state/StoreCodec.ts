import { StreamError, type StreamErrorCode } from '../errors/index.js'
import { Headers } from '../model/Headers.js'
import type { Serde } from '../serde/Serde.js'
import type { StoreEnvironment } from './StoreBuilder.js'
import { storeError } from './storeError.js'

/** Turns one store's keys and values into bytes and back. Serdes see the changelog's topic name (G-72). */
export class StoreCodec<K, V> {
  readonly topic: string
  readonly #store: string
  readonly #key: Serde<K>
  readonly #value: Serde<V>

  constructor(store: string, environment: StoreEnvironment) {
    this.#store = store
    this.topic = `${environment.applicationId}-${store}-changelog`
    this.#key = environment.keySerde
    this.#value = environment.valueSerde
  }

  /** @throws StreamError STORE_INVALID for a null key, SERIALIZATION_FAILED when the serde refuses it */
  keyBytes(key: K): Uint8Array {
    if (key === null || key === undefined) {
      throw storeError(this.#store, `A key of the store "${this.#store}" is ${key}. Stores have no null keys: skip it.`)
    }
    return this.#attempt('key', 'SERIALIZATION_FAILED', () => this.#key.serialize(this.topic, Headers.empty, key))
  }

  /** The bytes of a stored key that pick its lane: of a windowed key the inner one's (T3). */
  laneBytes(keyBytes: Uint8Array): Uint8Array {
    return this.#key.laneBytes ? this.#key.laneBytes(keyBytes) : keyBytes
  }

  /** @throws StreamError SERIALIZATION_FAILED when the serde refuses it */
  valueBytes(value: V): Uint8Array {
    return this.#attempt('value', 'SERIALIZATION_FAILED', () => this.#value.serialize(this.topic, Headers.empty, value))
  }

  /** @throws StreamError DESERIALIZATION_FAILED when the serde cannot read it */
  key(bytes: Uint8Array): K {
    return this.#attempt('key', 'DESERIALIZATION_FAILED', () => this.#key.deserialize(this.topic, Headers.empty, bytes))
  }

  /** @throws StreamError DESERIALIZATION_FAILED when the serde cannot read it */
  value(bytes: Uint8Array): V {
    return this.#attempt('value', 'DESERIALIZATION_FAILED', () =>
      this.#value.deserialize(this.topic, Headers.empty, bytes),
    )
  }

  #attempt<T>(side: 'key' | 'value', code: StreamErrorCode, work: () => T): T {
    try {
      return work()
    } catch (cause) {
      const serde = side === 'key' ? this.#key : this.#value
      const verb = code === 'SERIALIZATION_FAILED' ? 'write' : 'read'
      throw new StreamError(
        `The serde "${serde.id}" could not ${verb} a ${side} of the store "${this.#store}": ${messageOf(cause)}`,
        { code, kind: 'user', retriable: false, context: { store: this.#store, topic: this.topic }, cause },
      )
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
