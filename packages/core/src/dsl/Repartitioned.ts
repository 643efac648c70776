import type { Serde } from '../serde/Serde.js'
import { checkLanes } from '../topology/Consumed.js'
import { checkName } from '../topology/checkName.js'
import type { StreamPartitioner } from '../topology/StreamPartitioner.js'
import { topologyError } from '../topology/topologyError.js'

interface RepartitionedOptions<K, V> {
  readonly keySerde?: Serde<K>
  readonly valueSerde?: Serde<V>
  readonly name?: string
  readonly numberOfPartitions?: number
  readonly numberOfLanes?: number
  readonly partitioner?: StreamPartitioner<K, V>
}

/** How `repartition()` writes and lanes what crosses it. Immutable. */
export class Repartitioned<K, V> {
  private constructor(readonly options: RepartitionedOptions<K, V>) {}

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Repartitioned<K, V> {
    return new Repartitioned({
      ...(keySerde !== undefined && { keySerde }),
      ...(valueSerde !== undefined && { valueSerde }),
    })
  }

  /** Names the repartition: its topic in `describe()` and its nodes. */
  static as<K = any, V = any>(name: string): Repartitioned<K, V> {
    return Repartitioned.with<K, V>(undefined, undefined).withName(name)
  }

  static numberOfPartitions<K = any, V = any>(numberOfPartitions: number): Repartitioned<K, V> {
    return Repartitioned.with<K, V>(undefined, undefined).withNumberOfPartitions(numberOfPartitions)
  }

  static streamPartitioner<K, V>(partitioner: StreamPartitioner<K, V>): Repartitioned<K, V> {
    return Repartitioned.with<K, V>(undefined, undefined).withStreamPartitioner(partitioner)
  }

  withName(name: string): Repartitioned<K, V> {
    checkName('node', name)
    return new Repartitioned({ ...this.options, name })
  }

  withKeySerde(keySerde: Serde<K>): Repartitioned<K, V> {
    return new Repartitioned({ ...this.options, keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): Repartitioned<K, V> {
    return new Repartitioned({ ...this.options, valueSerde })
  }

  /**
   * How many partitions Kafka Streams would give the topic. There is no topic here, the crossing is in memory (B1):
   * the number changes nothing. Lanes are set by `withNumberOfLanes`. At least 1.
   */
  withNumberOfPartitions(numberOfPartitions: number): Repartitioned<K, V> {
    if (!Number.isSafeInteger(numberOfPartitions) || numberOfPartitions < 1) {
      throw topologyError(`numberOfPartitions must be an integer of at least 1; got ${numberOfPartitions}.`)
    }
    return new Repartitioned({ ...this.options, numberOfPartitions })
  }

  /** Lanes of the sub-topology that the records enter (L5). At least 1. */
  withNumberOfLanes(numberOfLanes: number): Repartitioned<K, V> {
    checkLanes(numberOfLanes)
    return new Repartitioned({ ...this.options, numberOfLanes })
  }

  /** Picks the lane itself (L9): one, several, or none, which drops the record; undefined leaves it to the hash. */
  withStreamPartitioner(partitioner: StreamPartitioner<K, V>): Repartitioned<K, V> {
    return new Repartitioned({ ...this.options, partitioner })
  }
}
