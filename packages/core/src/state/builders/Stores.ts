import type { Serde } from '../../serde/Serde.js'
import type { ValueAndTimestamp } from '../../serde/valueAndTimestamp.js'
import type { ValueTimestampHeaders } from '../../serde/valueTimestampHeaders.js'
import { versionedIntervalOf } from '../retention.js'
import type { SessionSettings } from '../SessionState.js'
import type { StoreBuilder } from '../StoreBuilder.js'
import { storeError } from '../storeError.js'
import type {
  KeyValueStore,
  ReadOnlyKeyValueStore,
  ReadOnlySessionStore,
  ReadOnlyVersionedStore,
  ReadOnlyWindowStore,
  SessionStore,
  VersionedStore,
  WindowStore,
} from '../stores.js'
import type { VersionedSettings } from '../VersionedState.js'
import type { WindowSettings } from '../WindowState.js'
import type { ConfigurableStoreBuilder } from './ConfigurableStore.js'
import { type KeyValueSettings, KeyValueStoreBuilder, withFormat } from './KeyValueStoreBuilder.js'
import { SessionStoreBuilder } from './SessionStoreBuilder.js'
import { VersionedStoreBuilder } from './VersionedStoreBuilder.js'
import { WindowStoreBuilder } from './WindowStoreBuilder.js'

/** How long a window store keeps windows, and how long they are. In ms; the retention is no smaller than the size. */
export interface WindowStoreOptions {
  readonly retentionMs: number
  readonly windowSizeMs: number
  /**
   * Every put of a key and start is an entry of its own, listed in the order of the puts; a put of undefined does
   * nothing (`kafka-streams.md` A.5). Default: false, the last put counts.
   */
  readonly retainDuplicates?: boolean
}

/** How long a session store keeps sessions, from their end, in ms. */
export interface SessionStoreOptions {
  readonly retentionMs: number
}

/** How long a versioned store keeps what is no longer the newest, in ms. */
export interface VersionedStoreOptions {
  readonly historyRetentionMs: number
  /** How wide the slices are in which older versions expire. Default: a part of the history, 2 s at least. */
  readonly segmentIntervalMs?: number
}

const legalName = /^[A-Za-z0-9._-]{1,249}$/

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
   * The handle of a store with times over a key-value store that was asked for without. A persistent one has no room for
   * them: they are lost, and read as the unknown time −1 (`kafka-streams.md` A.9).
   */
  withTimestamps<K, V>(
    store: StoreBuilder<KeyValueStore<K, any>, any>,
  ): ConfigurableStoreBuilder<KeyValueStore<K, ValueAndTimestamp<V>>, ReadOnlyKeyValueStore<K, ValueAndTimestamp<V>>> {
    return withFormat(store, 'timestamped')
  },

  /**
   * The handle of a store with headers over a key-value store that was asked for without: what a persistent one has no
   * room for is lost, and read as no headers and the unknown time −1 (`kafka-streams.md` A.9).
   */
  withHeaders<K, V>(
    store: StoreBuilder<KeyValueStore<K, any>, any>,
  ): ConfigurableStoreBuilder<
    KeyValueStore<K, ValueTimestampHeaders<V>>,
    ReadOnlyKeyValueStore<K, ValueTimestampHeaders<V>>
  > {
    return withFormat(store, 'headers')
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

  /**
   * A window store that expires by segments (S1). A put whose segment lives is taken even when it is already
   * unreadable; that is counted and told, never silent (G3).
   *
   * @throws StreamError STORE_INVALID for a name that no topic may have, or a retention below the window size
   */
  window<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
    return new WindowStoreBuilder<K, V>(checkedWindow(name, options, 'segments'), keySerde, valueSerde)
  },

  /** As `window`, never on disk; it refuses exactly what it could not read back, and lists windows by start, then key. */
  inMemoryWindow<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
    return new WindowStoreBuilder<K, V>(checkedWindow(name, options, 'exact'), keySerde, valueSerde)
  },

  /**
   * A session store that expires by segments (S1), by the ends of the sessions.
   *
   * @throws StreamError STORE_INVALID for a name that no topic may have, or a negative retention
   */
  session<K, V>(
    name: string,
    options: SessionStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<SessionStore<K, V>, ReadOnlySessionStore<K, V>> {
    return new SessionStoreBuilder<K, V>(checkedSession(name, options, 'segments'), keySerde, valueSerde)
  },

  /** As `session`, never on disk; it refuses exactly what it could not read back, and lists sessions by end, then key. */
  inMemorySession<K, V>(
    name: string,
    options: SessionStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<SessionStore<K, V>, ReadOnlySessionStore<K, V>> {
    return new SessionStoreBuilder<K, V>(checkedSession(name, options, 'exact'), keySerde, valueSerde)
  },
}

function checkedHistory(
  name: string,
  persistent: boolean,
  { historyRetentionMs, segmentIntervalMs }: VersionedStoreOptions,
): VersionedSettings {
  checkName(name)
  checkDuration(name, 'historyRetention', historyRetentionMs)
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
  checkName(name)
  return new KeyValueStoreBuilder<K, V>(name, settings, keySerde, valueSerde)
}

function checkedWindow(name: string, options: WindowStoreOptions, expiry: WindowSettings['expiry']): WindowSettings {
  checkName(name)
  const { retentionMs, windowSizeMs, retainDuplicates = false } = options
  checkDuration(name, 'retentionPeriod', retentionMs)
  checkDuration(name, 'windowSize', windowSizeMs)
  if (retentionMs < windowSizeMs) {
    throw storeError(
      name,
      `The retention period of the window store ${name} must be no smaller than its window size. ` +
        `Got size=[${windowSizeMs} ms], retention=[${retentionMs} ms]. Raise retentionMs to at least ${windowSizeMs}.`,
    )
  }
  return { name, retentionMs, windowSizeMs, expiry, retainDuplicates }
}

function checkedSession(
  name: string,
  { retentionMs }: SessionStoreOptions,
  expiry: SessionSettings['expiry'],
): SessionSettings {
  checkName(name)
  checkDuration(name, 'retentionPeriod', retentionMs)
  return { name, retentionMs, expiry }
}

function checkDuration(store: string, what: string, ms: number): void {
  if (ms < 0) throw storeError(store, `${what} cannot be negative: the store ${store} was given ${ms} ms.`)
  if (!Number.isSafeInteger(ms)) {
    throw storeError(store, `${what} of the store ${store} is ${ms}. Give an integer number of ms.`)
  }
}

function checkName(name: string): void {
  if (typeof name === 'string' && legalName.test(name) && name !== '.' && name !== '..') return
  throw storeError(
    String(name),
    `"${name}" cannot name a store: its changelog topic is named after it. ` +
      'Use 1 to 249 of the characters A-Z a-z 0-9 . _ - and neither "." nor "..".',
  )
}
