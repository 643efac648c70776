import type { Serde } from '../serde/Serde.js'
import { checkName } from './checkName.js'
import type { StreamPartitioner } from './StreamPartitioner.js'

/** How a sink writes its topic. A side left undefined is inherited from the stream, else the default. Immutable. */
export class Produced<K, V> {
  private constructor(
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
    readonly name: string | undefined,
    readonly partitioner: StreamPartitioner<K, V> | undefined,
  ) {}

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Produced<K, V> {
    return new Produced(keySerde, valueSerde, undefined, undefined)
  }

  /** Names the sink node in the DSL. */
  static as<K = any, V = any>(name: string): Produced<K, V> {
    checkName('node', name)
    return new Produced<K, V>(undefined, undefined, name, undefined)
  }

  static streamPartitioner<K, V>(partitioner: StreamPartitioner<K, V>): Produced<K, V> {
    return new Produced<K, V>(undefined, undefined, undefined, partitioner)
  }

  withKeySerde(keySerde: Serde<K>): Produced<K, V> {
    return new Produced(keySerde, this.valueSerde, this.name, this.partitioner)
  }

  withValueSerde(valueSerde: Serde<V>): Produced<K, V> {
    return new Produced(this.keySerde, valueSerde, this.name, this.partitioner)
  }

  withName(name: string): Produced<K, V> {
    checkName('node', name)
    return new Produced(this.keySerde, this.valueSerde, name, this.partitioner)
  }

  /**
   * Picks the partition itself: one, several, which write the record to each, or none, which drops it (G3). Undefined
   * leaves it to Kafka's hash of the key.
   */
  withStreamPartitioner(partitioner: StreamPartitioner<K, V>): Produced<K, V> {
    return new Produced(this.keySerde, this.valueSerde, this.name, partitioner)
  }
}
