import type { Serde } from '../../serde/Serde.js'
import type { ValueAndTimestamp } from '../../serde/valueAndTimestamp.js'
import type { ValueTimestampHeaders } from '../../serde/valueTimestampHeaders.js'
import { versionedIntervalOf } from '../retention.js'
import { storeError } from '../storeError.js'
import type { KeyValueStore, ReadOnlyKeyValueStore, ReadOnlyVersionedStore, VersionedStore } from '../stores.js'
import type { VersionedSettings } from '../VersionedState.js'
import type { ConfigurableStoreBuilder } from './ConfigurableStore.js'
import { checkStoreDuration, checkStoreName } from './checkStore.js'
import { type KeyValueSettings, KeyValueStoreBuilder } from './KeyValueStoreBuilder.js'
import { VersionedStoreBuilder } from './VersionedStoreBuilder.js'
import { windowedStores } from './windowedStores.js'
import { withHeaders, withTimestamps } from './withFormat.js'

/** How long a versioned store keeps what is no longer the newest, in ms. */
export interface VersionedStoreOptions {
  readonly historyRetentionMs: number
  /** How wide the slices are in which older versions expire. Default: a part of the history, 2 s at least. */
  readonly segmentIntervalMs?: number
}

/**
 * Describes stores of the Processor API. A serde that is left out is resolved when the topology is compiled.
 * Every store is in memory until the application has a state backend; then those that are not `inMemory…` go there.
 *
 * @example
 * const open = Stores.keyValue('sessions-open', string, json<Session>())
 * const counts = Stores.window('counts', { retentionMs: days(1), windowSizeMs: hours(1) }, string, long)
 */
export const Stores = {
  /** @throws StreamError STORE_INVALID for a name that no topic may have */
  keyValue<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
    return keyValueStore<K, V>(name, { persistent: true }, keySerde, valueSerde)
  },

  /** As `keyValue`, never on disk. */
  inMemoryKeyValue<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
    return keyValueStore<K, V>(name, { persistent: false }, keySerde, valueSerde)
  },

  /** A key-value store that keeps each value with a time, as the DSL's tables do. `valueSerde` is that of the value alone. */
  timestampedKeyValue<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, ValueAndTimestamp<V>>, ReadOnlyKeyValueStore<K, ValueAndTimestamp<V>>> {
    return keyValueStore(name, { persistent: true, format: 'timestamped' }, keySerde, valueSerde)
  },

  /** As `timestampedKeyValue`, never on disk. */
  inMemoryTimestampedKeyValue<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, ValueAndTimestamp<V>>, ReadOnlyKeyValueStore<K, ValueAndTimestamp<V>>> {
    return keyValueStore(name, { persistent: false, format: 'timestamped' }, keySerde, valueSerde)
  },

  /** A key-value store that keeps each value with a time and headers (KIP-1271). */
  keyValueWithHeaders<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<
    KeyValueStore<K, ValueTimestampHeaders<V>>,
    ReadOnlyKeyValueStore<K, ValueTimestampHeaders<V>>
  > {
    return keyValueStore(name, { persistent: true, format: 'headers' }, keySerde, valueSerde)
  },

  /** As `keyValueWithHeaders`, never on disk. */
  inMemoryKeyValueWithHeaders<K, V>(
    name: string,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<
    KeyValueStore<K, ValueTimestampHeaders<V>>,
    ReadOnlyKeyValueStore<K, ValueTimestampHeaders<V>>
  > {
    return keyValueStore(name, { persistent: false, format: 'headers' }, keySerde, valueSerde)
  },

  /**
   * A key-value store of at most so many entries, never on disk: one more, and the least recently used goes. A read by
   * a callback is a use; one by a query is not.
   *
   * @throws StreamError STORE_INVALID for a name that no topic may have, or a size that is no integer of at least 0
   */
  lruMap<K, V>(
    name: string,
    maxEntries: number,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
    if (maxEntries < 0 || !Number.isSafeInteger(maxEntries)) {
      throw storeError(
        name,
        `maxCacheSize cannot be negative: the store ${name} was given ${maxEntries}. Give an integer of at least 0.`,
      )
    }
    return keyValueStore<K, V>(name, { persistent: false, maxEntries }, keySerde, valueSerde)
  },

  /**
   * A store that keeps older values as long as its history, and answers for any time of it (`kafka-streams.md` A.10).
   *
   * @throws StreamError STORE_INVALID for a name that no topic may have, a negative history, or an interval below 1 ms
   */
  versionedKeyValue<K, V>(
    name: string,
    options: VersionedStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<VersionedStore<K, V>, ReadOnlyVersionedStore<K, V>> {
    return new VersionedStoreBuilder<K, V>(checkedHistory(name, true, options), keySerde, valueSerde)
  },

  /** As `versionedKeyValue`, never on disk. */
  inMemoryVersionedKeyValue<K, V>(
    name: string,
    options: VersionedStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<VersionedStore<K, V>, ReadOnlyVersionedStore<K, V>> {
    return new VersionedStoreBuilder<K, V>(checkedHistory(name, false, options), keySerde, valueSerde)
  },

  ...windowedStores,

  withTimestamps,

  withHeaders,
}

function checkedHistory(
  name: string,
  persistent: boolean,
  { historyRetentionMs, segmentIntervalMs }: VersionedStoreOptions,
): VersionedSettings {
  checkStoreName(name)
  checkStoreDuration(name, 'historyRetention', historyRetentionMs)
  const interval = segmentIntervalMs ?? versionedIntervalOf(historyRetentionMs)
  if (interval < 1 || !Number.isSafeInteger(interval)) {
    throw storeError(
      name,
      `segmentInterval cannot be zero or negative: the store ${name} was given ${interval} ms. Give an integer of at least 1.`,
    )
  }
  return { name, persistent, historyRetentionMs, segmentIntervalMs: interval }
}

function keyValueStore<K, V>(
  name: string,
  settings: KeyValueSettings,
  keySerde: Serde<K> | undefined,
  valueSerde: Serde<any> | undefined,
): KeyValueStoreBuilder<K, V> {
  checkStoreName(name)
  return new KeyValueStoreBuilder<K, V>(name, settings, keySerde, valueSerde)
}

export type { SessionStoreOptions, WindowStoreOptions } from './windowedStores.js'
