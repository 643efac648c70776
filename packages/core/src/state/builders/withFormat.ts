import type { ValueAndTimestamp } from '../../serde/valueAndTimestamp.js'
import type { ValueHeaders } from '../../serde/valueHeaders.js'
import type { ValueTimestampHeaders } from '../../serde/valueTimestampHeaders.js'
import type { StoreBuilder } from '../StoreBuilder.js'
import type {
  KeyValueStore,
  ReadOnlyKeyValueStore,
  ReadOnlySessionStore,
  ReadOnlyWindowStore,
  SessionStore,
  WindowStore,
} from '../stores.js'
import type { ConfigurableStoreBuilder } from './ConfigurableStore.js'
import { withFormat } from './KeyValueStoreBuilder.js'
import { SessionStoreBuilder } from './SessionStoreBuilder.js'
import { WindowStoreBuilder } from './WindowStoreBuilder.js'

/**
 * The handle of a store with times over a key-value or window store that was asked for without. A persistent one has no
 * room for them: they are lost, and read as the unknown time −1 (`kafka-streams.md` A.9).
 */
export function withTimestamps<K, V>(
  store: StoreBuilder<WindowStore<K, any>, any>,
): ConfigurableStoreBuilder<WindowStore<K, ValueAndTimestamp<V>>, ReadOnlyWindowStore<K, ValueAndTimestamp<V>>>
export function withTimestamps<K, V>(
  store: StoreBuilder<KeyValueStore<K, any>, any>,
): ConfigurableStoreBuilder<KeyValueStore<K, ValueAndTimestamp<V>>, ReadOnlyKeyValueStore<K, ValueAndTimestamp<V>>>
export function withTimestamps(store: StoreBuilder<any, any>): ConfigurableStoreBuilder<any, any> {
  if (store instanceof WindowStoreBuilder) return store.withFormat('timestamped')
  return withFormat(store, 'timestamped')
}

/**
 * The handle of a store with headers over one that was asked for without: what a persistent one has no room for is lost,
 * and read as no headers and the unknown time −1 (`kafka-streams.md` A.9).
 */
export function withHeaders<K, V>(
  store: StoreBuilder<SessionStore<K, any>, any>,
): ConfigurableStoreBuilder<SessionStore<K, ValueHeaders<V>>, ReadOnlySessionStore<K, ValueHeaders<V>>>
export function withHeaders<K, V>(
  store: StoreBuilder<WindowStore<K, any>, any>,
): ConfigurableStoreBuilder<WindowStore<K, ValueTimestampHeaders<V>>, ReadOnlyWindowStore<K, ValueTimestampHeaders<V>>>
export function withHeaders<K, V>(
  store: StoreBuilder<KeyValueStore<K, any>, any>,
): ConfigurableStoreBuilder<
  KeyValueStore<K, ValueTimestampHeaders<V>>,
  ReadOnlyKeyValueStore<K, ValueTimestampHeaders<V>>
>
export function withHeaders(store: StoreBuilder<any, any>): ConfigurableStoreBuilder<any, any> {
  if (store instanceof WindowStoreBuilder) return store.withFormat('headers')
  return store instanceof SessionStoreBuilder ? store.withHeaders() : withFormat(store, 'headers')
}
