import type { Serde } from '../serde/Serde.js'
import { checkDuration } from '../topology/checkDuration.js'
import { checkName } from '../topology/checkName.js'

interface MaterializedOptions<K, V> {
  readonly storeName?: string
  readonly keySerde?: Serde<K>
  readonly valueSerde?: Serde<V>
  readonly retentionMs?: number
}

/** The store that an aggregate is kept in: its name, its serdes, how long it keeps windows. Immutable. */
export class Materialized<K, V> {
  private constructor(readonly options: MaterializedOptions<K, V>) {}

  /** Names the store, and with it its changelog: state then survives changes elsewhere in the topology. */
  static as<K = any, V = any>(storeName: string): Materialized<K, V> {
    checkName('store', storeName)
    return new Materialized({ storeName })
  }

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Materialized<K, V> {
    return new Materialized({
      ...(keySerde !== undefined && { keySerde }),
      ...(valueSerde !== undefined && { valueSerde }),
    })
  }

  withKeySerde(keySerde: Serde<K>): Materialized<K, V> {
    return new Materialized({ ...this.options, keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): Materialized<K, V> {
    return new Materialized({ ...this.options, valueSerde })
  }

  /** How long windows are kept, in ms, from the greatest time seen. At least window size plus grace (A.7). */
  withRetention(retentionMs: number): Materialized<K, V> {
    checkDuration('A retention', retentionMs, 0)
    return new Materialized({ ...this.options, retentionMs })
  }
}
