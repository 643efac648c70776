import type { StreamError } from '../errors/StreamError.js'
import { Headers } from '../model/Headers.js'
import type { OperatorContext } from '../processor/OperatorContext.js'
import { withFormat } from '../state/builders/KeyValueStoreBuilder.js'
import { Stores } from '../state/builders/Stores.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { KeyValueStore, VersionedStore } from '../state/stores.js'
import { validToUndefined, versionRefused } from '../state/VersionedState.js'
import type { TopologyConfig } from '../topology/TopologyConfig.js'
import { topologyError } from '../topology/topologyError.js'
import type { Materialized } from './Materialized.js'
import type { TableView } from './TableView.js'
import type { ValueAndTimestamp } from './valueAndTimestamp.js'
import { withStoreSettings } from './withStoreSettings.js'

type Context = OperatorContext<any, any, any>

/**
 * What became of a put: it is the key's newest version now, it went in behind a newer one, or it was not taken. Only
 * versioned stores answer anything but `latest`. What was not taken is not sent on either.
 */
export type PutOutcome = 'latest' | 'older' | 'refused'

/**
 * The store of a table by key, whatever kind it is of: an operator reads and writes it in one way.
 *
 * @internal
 */
export interface TableStore<K, V> extends TableView<K, V> {
  readonly builder: StoreBuilder<any, any>
  /** Null deletes the key as of this time. */
  put(ctx: Context, key: K, value: V | null, timestamp: number): PutOutcome
}

type Options = Pick<
  Materialized<any, any>['options'],
  'supplier' | 'storeType' | 'logging' | 'caching' | 'topicConfig' | 'retentionMs'
>

/**
 * The store that `Materialized` asks for, or that the settings of building say where it does not.
 *
 * @throws StreamError TOPOLOGY_INVALID for a retention: a row by key stays until it is deleted
 */
export function tableStore<K, V>(name: string, options: Options, config: TopologyConfig): TableStore<K, V> {
  if (options.retentionMs !== undefined) throw foreverKept(name, options.retentionMs)
  // Kafka Streams caches what tables keep unless told not to.
  const caching = options.caching !== false
  const builder = withStoreSettings(tableBuilder(name, options, config), { ...options, caching })
  return builder.kind === 'versioned' ? versionedTableStore<K, V>(builder) : timestampedTableStore<K, V>(builder)
}

function foreverKept(name: string, retentionMs: number): StreamError {
  return topologyError(
    `The store "${name}" keeps a row by key until it is deleted, so it has no retention, but withRetention was given ` +
      `${retentionMs} ms. Leave it out; or aggregate in windows, keep a bounded number of rows with Stores.lruMap, or ` +
      'delete rows by a timer of your own.',
    { store: name },
  )
}

function tableBuilder(name: string, { supplier, storeType }: Options, config: TopologyConfig): StoreBuilder<any, any> {
  if (supplier !== undefined) return supplier.kind === 'versioned' ? supplier : withFormat(supplier, 'timestamped')
  const kind = storeType ?? config['dsl.store.suppliers.class']
  if (kind === 'inMemory') return Stores.inMemoryTimestampedKeyValue(name)
  return config['dsl.store.format'] === 'headers' ? Stores.keyValueWithHeaders(name) : Stores.timestampedKeyValue(name)
}

/** A key-value store that keeps each value with its time. Where it has room for headers, those of a table are empty (A.9). */
export function timestampedTableStore<K, V>(builder: StoreBuilder<KeyValueStore<K, any>, any>): TableStore<K, V> {
  const stored: (value: V, timestamp: number) => ValueAndTimestamp<V> =
    builder.format === 'headers'
      ? (value, timestamp) => ({ value, timestamp, headers: Headers.empty }) as ValueAndTimestamp<V>
      : (value, timestamp) => ({ value, timestamp })
  return {
    builder,
    stores: [builder],
    versioned: false,
    get: (ctx, key) => ctx.store(builder).get(key),
    put(ctx, key, value, timestamp) {
      const store = ctx.store(builder)
      if (value === null || value === undefined) store.delete(key)
      else store.put(key, stored(value, timestamp))
      return 'latest'
    },
  }
}

/** A store that keeps a table's history (`kafka-streams.md` A.10). */
function versionedTableStore<K, V>(builder: StoreBuilder<VersionedStore<K, V>, any>): TableStore<K, V> {
  return {
    builder,
    stores: [builder],
    versioned: true,
    get: (ctx, key) => ctx.store(builder).get(key),
    getAsOf: (ctx, key, timestamp) => ctx.store(builder).getAsOf(key, timestamp),
    put(ctx, key, value, timestamp) {
      const validTo = ctx.store(builder).put(key, value, timestamp)
      if (validTo === versionRefused) return 'refused'
      return validTo === validToUndefined ? 'latest' : 'older'
    },
  }
}
