import type { Serde } from '../serde/Serde.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import { checkName } from '../topology/checkName.js'
import type { StoreType } from './Materialized.js'

interface StreamJoinedOptions<K, V, VO> {
  readonly keySerde?: Serde<K>
  readonly valueSerde?: Serde<V>
  readonly otherValueSerde?: Serde<VO>
  readonly name?: string
  readonly storeName?: string
  readonly storeType?: StoreType
  readonly thisStore?: StoreBuilder<any, any>
  readonly otherStore?: StoreBuilder<any, any>
  readonly logging?: boolean
  readonly topicConfig?: { readonly [key: string]: string }
}

/** How a join of two streams writes, names and keeps what waits for a partner. Immutable. */
export class StreamJoined<K, V, VO> {
  private constructor(readonly options: StreamJoinedOptions<K, V, VO>) {}

  static with<K = any, V = any, VO = any>(
    keySerde: Serde<K> | undefined,
    valueSerde: Serde<V> | undefined,
    otherValueSerde: Serde<VO> | undefined,
  ): StreamJoined<K, V, VO> {
    return new StreamJoined({
      ...(keySerde !== undefined && { keySerde }),
      ...(valueSerde !== undefined && { valueSerde }),
      ...(otherValueSerde !== undefined && { otherValueSerde }),
    })
  }

  /** Names the stores, and with them their changelogs: what waits then survives changes elsewhere in the topology. */
  static as<K = any, V = any, VO = any>(storeName: string): StreamJoined<K, V, VO> {
    return new StreamJoined<K, V, VO>({}).withStoreName(storeName)
  }

  /** Picks the stores themselves, made by `Stores` with `retainDuplicates` and the window's size and retention. */
  static withStores<K = any, V = any, VO = any>(
    thisStore: StoreBuilder<any, any>,
    otherStore: StoreBuilder<any, any>,
  ): StreamJoined<K, V, VO> {
    return new StreamJoined<K, V, VO>({ thisStore, otherStore })
  }

  /** Names the nodes of the join, and the boundaries in front of it. */
  withName(name: string): StreamJoined<K, V, VO> {
    checkName('node', name)
    return this.but({ name })
  }

  /** Names the stores; `StreamJoined.as` does the same. */
  withStoreName(storeName: string): StreamJoined<K, V, VO> {
    checkName('store', storeName)
    return this.but({ storeName })
  }

  withKeySerde(keySerde: Serde<K>): StreamJoined<K, V, VO> {
    return this.but({ keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): StreamJoined<K, V, VO> {
    return this.but({ valueSerde })
  }

  withOtherValueSerde(otherValueSerde: Serde<VO>): StreamJoined<K, V, VO> {
    return this.but({ otherValueSerde })
  }

  /** Where stores are kept that are not picked themselves. */
  withStoreType(storeType: StoreType): StreamJoined<K, V, VO> {
    return this.but({ storeType })
  }

  /** Picks the store of the left side: see `withStores`. */
  withThisStoreSupplier(thisStore: StoreBuilder<any, any>): StreamJoined<K, V, VO> {
    return this.but({ thisStore })
  }

  /** Picks the store of the right side. */
  withOtherStoreSupplier(otherStore: StoreBuilder<any, any>): StreamJoined<K, V, VO> {
    return this.but({ otherStore })
  }

  /** Settings of the stores' changelog topics, by Kafka's names. */
  withLoggingEnabled(topicConfig: { readonly [key: string]: string } = {}): StreamJoined<K, V, VO> {
    return this.but({ logging: true, topicConfig })
  }

  /** No changelogs: what is lost with the local state stays lost. */
  withLoggingDisabled(): StreamJoined<K, V, VO> {
    return this.but({ logging: false })
  }

  private but(changes: StreamJoinedOptions<K, V, VO>): StreamJoined<K, V, VO> {
    return new StreamJoined<K, V, VO>({ ...this.options, ...changes })
  }
}
