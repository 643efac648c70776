import { int64Length, readInt64, writeInt64 } from '../../serde/int64.js'
import { list } from '../../serde/list.js'
import type { Serde } from '../../serde/Serde.js'
import { Stores } from '../../state/builders/Stores.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInstance } from '../../state/StoreBuilder.js'
import type { KeyValueStore, ReadOnlyKeyValueStore } from '../../state/stores.js'
import type { StoreType } from '../Materialized.js'

export type Side = 'left' | 'right'

/** Records of one side, key and time that have no partner yet. */
export interface UnjoinedKey<K> {
  readonly side: Side
  /** Ms. */
  readonly timestamp: number
  /** Undefined only in the bounds of a scan: in front of every key. */
  readonly key: K | undefined
  /** The bytes of the key that pick its lane; known of what was read. */
  readonly laneBytes?: Uint8Array
}

/** Their values, in the order in which they came. */
export interface UnjoinedValues {
  readonly side: Side
  readonly values: readonly unknown[]
}

/** The handle of one callback. */
export interface UnjoinedHandle<K> extends KeyValueStore<UnjoinedKey<K>, UnjoinedValues> {
  /** What both sides of a join remember of the store, as long as it lives. */
  readonly memory: { oldestMs: number }
}

export type ReadOnlyUnjoined<K> = ReadOnlyKeyValueStore<UnjoinedKey<K>, UnjoinedValues>

/**
 * The store that both sides of a left or outer join share: what has no partner yet, by side, then time, then key. So the
 * oldest of a side is its first entry, and a scan of what has closed touches nothing that is still open. (Kafka Streams
 * keeps it by time, then side; a scan that merges the two sides gives its order.)
 *
 * Its serdes are made from those of the two buffers, as they are resolved.
 */
export class UnjoinedStore<K> implements StoreBuilder<UnjoinedHandle<K>, ReadOnlyUnjoined<K>> {
  readonly kind = 'key-value'
  readonly persistent: boolean
  readonly keySerde = undefined
  readonly valueSerde = undefined
  readonly serdesFrom: NonNullable<StoreBuilder<any, any>['serdesFrom']>

  constructor(
    readonly name: string,
    private readonly storeType: StoreType,
    /** The names of the two buffers. */
    left: string,
    right: string,
  ) {
    this.persistent = storeType === 'persistent'
    this.serdesFrom = {
      stores: [left, right],
      make: ([ofLeft, ofRight]) => ({
        key: unjoinedKey(ofLeft?.key as Serde<any>),
        value: unjoinedValues(ofLeft?.value as Serde<any>, ofRight?.value as Serde<any>),
      }),
    }
  }

  build(environment: StoreEnvironment): StoreInstance<UnjoinedHandle<K>, ReadOnlyUnjoined<K>> {
    const { keyValue, inMemoryKeyValue } = Stores
    const store = this.storeType === 'persistent' ? keyValue : inMemoryKeyValue
    const instance = store<UnjoinedKey<K>, UnjoinedValues>(this.name).build(environment)
    const open = instance.open.bind(instance)
    const memory = { oldestMs: Number.POSITIVE_INFINITY }
    return Object.assign(instance as StoreInstance<any, ReadOnlyUnjoined<K>>, {
      open: (access: StoreAccess) => Object.assign(open(access), { memory }),
    })
  }
}

const sideBytes = { right: 0, left: 1 } as const
const prefixLength = 1 + int64Length
const nothing = new Uint8Array(0)

/** side ∥ time int64 ∥ key. */
export function unjoinedKey<K>(inner: Serde<K>): Serde<UnjoinedKey<K>> {
  const laneBytes = (bytes: Uint8Array): Uint8Array => {
    const keyBytes = bytes.subarray(prefixLength)
    return inner.laneBytes ? inner.laneBytes(keyBytes) : keyBytes
  }
  return {
    id: `unjoinedKey(${inner.id})`,
    serialize(topic, headers, { side, timestamp, key }) {
      const keyBytes = key === undefined ? nothing : inner.serialize(topic, headers, key)
      const bytes = new Uint8Array(prefixLength + keyBytes.length)
      bytes[0] = sideBytes[side]
      writeInt64(bytes, 1, timestamp)
      bytes.set(keyBytes, prefixLength)
      return bytes
    },
    deserialize: (topic, headers, bytes) => ({
      side: sideOf(bytes),
      timestamp: readInt64(bytes, 1),
      key: inner.deserialize(topic, headers, bytes.subarray(prefixLength)),
      laneBytes: laneBytes(bytes),
    }),
    laneBytes,
  }
}

/** side ∥ the list of the values, by that side's serde. */
export function unjoinedValues(left: Serde<unknown>, right: Serde<unknown>): Serde<UnjoinedValues> {
  const lists = { left: list(left), right: list(right) }
  return {
    id: `unjoinedValues(${left.id},${right.id})`,
    serialize(topic, headers, { side, values }) {
      const written = lists[side].serialize(topic, headers, values)
      const bytes = new Uint8Array(1 + written.length)
      bytes[0] = sideBytes[side]
      bytes.set(written, 1)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      const side = sideOf(bytes)
      return { side, values: lists[side].deserialize(topic, headers, bytes.subarray(1)) }
    },
  }
}

function sideOf(bytes: Uint8Array): Side {
  return bytes[0] === sideBytes.left ? 'left' : 'right'
}
