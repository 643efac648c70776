import type { Serde } from '../serde/Serde.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import { checkDuration } from '../topology/checkDuration.js'
import { checkName } from '../topology/checkName.js'
import { topologyError } from '../topology/topologyError.js'

/** Where the state of the DSL is kept: on disk once the application has a state backend, or never on disk. */
export type StoreType = 'persistent' | 'inMemory'

interface MaterializedOptions<K, V> {
  readonly storeName?: string
  /** The store itself, when it was picked rather than named. Its serdes count as given here. */
  readonly supplier?: StoreBuilder<any, any>
  readonly keySerde?: Serde<K>
  readonly valueSerde?: Serde<V>
  readonly retentionMs?: number
  readonly storeType?: StoreType
  readonly caching?: boolean
  readonly logging?: boolean
  readonly topicConfig?: { readonly [key: string]: string }
}

/** The store that a table is kept in: its name, its kind, its serdes, how long it keeps windows. Immutable. */
export class Materialized<K, V> {
  private constructor(readonly options: MaterializedOptions<K, V>) {}

  /**
   * Names the store, and with it its changelog: state then survives changes elsewhere in the topology. Or picks the
   * store itself, made by `Stores`: a versioned one, a bounded one, a window store with a retention of its own.
   *
   * @example
   * Materialized.as<string, Price>(Stores.versionedKeyValue('prices', { historyRetentionMs: hours(1) }))
   */
  static as<K = any, V = any>(store: string | StoreBuilder<any, any>): Materialized<K, V> {
    if (typeof store === 'string') {
      checkName('store', store)
      return new Materialized({ storeName: store })
    }
    return Materialized.with<K, V>(store.keySerde, store.valueSerde).but({ storeName: store.name, supplier: store })
  }

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Materialized<K, V> {
    return new Materialized({
      ...(keySerde !== undefined && { keySerde }),
      ...(valueSerde !== undefined && { valueSerde }),
    })
  }

  /** Only says where the store is kept. */
  static storeType<K = any, V = any>(storeType: StoreType): Materialized<K, V> {
    return new Materialized<K, V>({}).withStoreType(storeType)
  }

  withKeySerde(keySerde: Serde<K>): Materialized<K, V> {
    return this.but({ keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): Materialized<K, V> {
    return this.but({ valueSerde })
  }

  /**
   * How long windows are kept, in ms, from the greatest time seen. At least window size plus grace (A.7). A table by key
   * keeps its rows until they are deleted, and is refused with a retention.
   */
  withRetention(retentionMs: number): Materialized<K, V> {
    checkDuration('A retention', retentionMs, 0)
    return this.but({ retentionMs })
  }

  /** @throws StreamError TOPOLOGY_INVALID when the store itself was picked: then it is of its own kind */
  withStoreType(storeType: StoreType): Materialized<K, V> {
    if (this.options.supplier !== undefined) {
      throw topologyError(
        `Cannot set store type when store supplier is pre-configured: "${this.options.storeName}" was given to ` +
          'Materialized.as as a store. Pick a store of the wanted kind there.',
        { ...(this.options.storeName !== undefined && { store: this.options.storeName }) },
      )
    }
    return this.but({ storeType })
  }

  /** Kafka Streams' record cache. Here each record gives its result: an epoch's final value is logged once anyway (E8). */
  withCachingEnabled(): Materialized<K, V> {
    return this.but({ caching: true })
  }

  withCachingDisabled(): Materialized<K, V> {
    return this.but({ caching: false })
  }

  /** Settings of the store's changelog topic, by Kafka's names. */
  withLoggingEnabled(topicConfig: { readonly [key: string]: string } = {}): Materialized<K, V> {
    return this.but({ logging: true, topicConfig })
  }

  /** No changelog: what is lost with the local state stays lost. */
  withLoggingDisabled(): Materialized<K, V> {
    return this.but({ logging: false })
  }

  private but(changes: MaterializedOptions<K, V>): Materialized<K, V> {
    return new Materialized<K, V>({ ...this.options, ...changes })
  }
}
