import type { Serde } from '../serde/Serde.js'
import { checkLanes } from '../topology/Consumed.js'
import { checkName } from '../topology/checkName.js'

interface GroupedOptions<K, V> {
  readonly keySerde: Serde<K> | undefined
  readonly valueSerde: Serde<V> | undefined
  readonly name?: string
  readonly numberOfLanes?: number
}

/** How grouped records are written where they cross a boundary, and the name of that crossing. Immutable. */
export class Grouped<K, V> {
  private constructor(readonly options: GroupedOptions<K, V>) {}

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Grouped<K, V> {
    return new Grouped({ keySerde, valueSerde })
  }

  /** Names the repartition; two aggregations on one grouping of this name share it. */
  static as<K = any, V = any>(name: string): Grouped<K, V> {
    return Grouped.with<K, V>(undefined, undefined).withName(name)
  }

  static keySerde<K, V = any>(keySerde: Serde<K>): Grouped<K, V> {
    return Grouped.with<K, V>(keySerde, undefined)
  }

  withKeySerde(keySerde: Serde<K>): Grouped<K, V> {
    return new Grouped({ ...this.options, keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): Grouped<K, V> {
    return new Grouped({ ...this.options, valueSerde })
  }

  withName(name: string): Grouped<K, V> {
    checkName('node', name)
    return new Grouped({ ...this.options, name })
  }

  /** Lanes of the sub-topology that the grouped records enter (L5). At least 1. */
  withNumberOfLanes(numberOfLanes: number): Grouped<K, V> {
    checkLanes(numberOfLanes)
    return new Grouped({ ...this.options, numberOfLanes })
  }
}
