import type { Serde } from '../../serde/Serde.js'
import type { ValueAndTimestamp } from '../../serde/valueAndTimestamp.js'
import type { ValueHeaders } from '../../serde/valueHeaders.js'
import type { ValueTimestampHeaders } from '../../serde/valueTimestampHeaders.js'
import type { SessionSettings } from '../SessionState.js'
import { storeError } from '../storeError.js'
import type { ReadOnlySessionStore, ReadOnlyWindowStore, SessionStore, WindowStore } from '../stores.js'
import type { WindowSettings } from '../WindowState.js'
import type { ConfigurableStoreBuilder } from './ConfigurableStore.js'
import { checkStoreDuration, checkStoreName } from './checkStore.js'
import { SessionStoreBuilder } from './SessionStoreBuilder.js'
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

/** The stores of `Stores` that keep values for a time. */
export const windowedStores = {
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

  /** As `window`, keeping each value with a time. `valueSerde` is that of the value alone. */
  timestampedWindow<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<WindowStore<K, ValueAndTimestamp<V>>, ReadOnlyWindowStore<K, ValueAndTimestamp<V>>> {
    return new WindowStoreBuilder(
      { ...checkedWindow(name, options, 'segments'), format: 'timestamped' },
      keySerde,
      valueSerde,
    )
  },

  /** As `window`, keeping each value with a time and headers (KIP-1271). */
  windowWithHeaders<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<
    WindowStore<K, ValueTimestampHeaders<V>>,
    ReadOnlyWindowStore<K, ValueTimestampHeaders<V>>
  > {
    return new WindowStoreBuilder(
      { ...checkedWindow(name, options, 'segments'), format: 'headers' },
      keySerde,
      valueSerde,
    )
  },

  /** As `session`, keeping each value with headers (KIP-1271). */
  sessionWithHeaders<K, V>(
    name: string,
    options: SessionStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<SessionStore<K, ValueHeaders<V>>, ReadOnlySessionStore<K, ValueHeaders<V>>> {
    return new SessionStoreBuilder(
      { ...checkedSession(name, options, 'segments'), format: 'headers' },
      keySerde,
      valueSerde,
    )
  },

  /** As `inMemoryWindow`, keeping each value with a time. `valueSerde` is that of the value alone. */
  inMemoryTimestampedWindow<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<WindowStore<K, ValueAndTimestamp<V>>, ReadOnlyWindowStore<K, ValueAndTimestamp<V>>> {
    return new WindowStoreBuilder(
      { ...checkedWindow(name, options, 'exact'), format: 'timestamped' },
      keySerde,
      valueSerde,
    )
  },

  /** As `inMemoryWindow`, keeping each value with a time and headers (KIP-1271). */
  inMemoryWindowWithHeaders<K, V>(
    name: string,
    options: WindowStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<
    WindowStore<K, ValueTimestampHeaders<V>>,
    ReadOnlyWindowStore<K, ValueTimestampHeaders<V>>
  > {
    return new WindowStoreBuilder({ ...checkedWindow(name, options, 'exact'), format: 'headers' }, keySerde, valueSerde)
  },

  /** As `inMemorySession`, keeping each value with headers (KIP-1271). */
  inMemorySessionWithHeaders<K, V>(
    name: string,
    options: SessionStoreOptions,
    keySerde?: Serde<K>,
    valueSerde?: Serde<V>,
  ): ConfigurableStoreBuilder<SessionStore<K, ValueHeaders<V>>, ReadOnlySessionStore<K, ValueHeaders<V>>> {
    return new SessionStoreBuilder(
      { ...checkedSession(name, options, 'exact'), format: 'headers' },
      keySerde,
      valueSerde,
    )
  },
}

function checkedWindow(name: string, options: WindowStoreOptions, expiry: WindowSettings['expiry']): WindowSettings {
  checkStoreName(name)
  const { retentionMs, windowSizeMs, retainDuplicates = false } = options
  checkStoreDuration(name, 'retentionPeriod', retentionMs)
  checkStoreDuration(name, 'windowSize', windowSizeMs)
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
  checkStoreName(name)
  checkStoreDuration(name, 'retentionPeriod', retentionMs)
  return { name, retentionMs, expiry }
}
