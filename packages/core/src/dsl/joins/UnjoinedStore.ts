import { list } from '../../serde/list.js'
import type { Serde } from '../../serde/Serde.js'
import { ConfigurableStore } from '../../state/builders/ConfigurableStore.js'
import { Stores } from '../../state/builders/Stores.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInstance } from '../../state/StoreBuilder.js'
import type { KeyValueStore, ReadOnlyKeyValueStore } from '../../state/stores.js'
import type { StoreType } from '../Materialized.js'
import { type Side, sideByte, sideOf, type WaitingKey, waitingKey } from './waitingKey.js'

/** Their values, in the order in which they came. */
export interface UnjoinedValues {
  readonly side: Side
  readonly values: readonly unknown[]
}

/** The handle of one callback. */
export interface UnjoinedHandle<K> extends KeyValueStore<WaitingKey<K>, UnjoinedValues> {
  /** What both sides of a join remember of the store, as long as it lives. */
  readonly memory: { oldestMs: number }
}

export type ReadOnlyUnjoined<K> = ReadOnlyKeyValueStore<WaitingKey<K>, UnjoinedValues>

/**
 * The store that both sides of a left or outer join share: what has no partner yet, by side, then time, then key. So the
 * oldest of a side is its first entry, and a scan of what has closed touches nothing that is still open. (Kafka Streams
 * keeps it by time, then side; a scan that merges the two sides gives its order.)
 *
 * Its serdes are made from those of the two buffers, as they are resolved.
 */
export class UnjoinedStore<K>
  extends ConfigurableStore
  implements StoreBuilder<UnjoinedHandle<K>, ReadOnlyUnjoined<K>>
{
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
    super()
    this.persistent = storeType === 'persistent'
    this.serdesFrom = {
      stores: [left, right],
      make: ([ofLeft, ofRight]) => ({
        key: waitingKey(ofLeft?.key as Serde<any>),
        value: unjoinedValues(ofLeft?.value as Serde<any>, ofRight?.value as Serde<any>),
      }),
    }
  }

  build(environment: StoreEnvironment): StoreInstance<UnjoinedHandle<K>, ReadOnlyUnjoined<K>> {
    const { keyValue, inMemoryKeyValue } = Stores
    const store = this.storeType === 'persistent' ? keyValue : inMemoryKeyValue
    const instance = store<WaitingKey<K>, UnjoinedValues>(this.name).build(environment)
    const open = instance.open.bind(instance)
    const memory = { oldestMs: Number.POSITIVE_INFINITY }
    return Object.assign(instance as StoreInstance<any, ReadOnlyUnjoined<K>>, {
      open: (access: StoreAccess) => Object.assign(open(access), { memory }),
    })
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
      bytes[0] = sideByte(side)
      bytes.set(written, 1)
      return bytes
    },
    deserialize(topic, headers, bytes) {
      const side = sideOf(bytes)
      return { side, values: lists[side].deserialize(topic, headers, bytes.subarray(1)) }
    },
  }
}
