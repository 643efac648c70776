import type { Serde } from '../serde/Serde.js'
import { checkName } from './checkName.js'

/** How a sink writes its topic. A side left undefined is inherited from the stream, else the default. Immutable. */
export class Produced<K, V> {
  private constructor(
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
    readonly name: string | undefined,
  ) {}

  static with<K = any, V = any>(keySerde: Serde<K> | undefined, valueSerde: Serde<V> | undefined): Produced<K, V> {
    return new Produced(keySerde, valueSerde, undefined)
  }

  /** Names the sink node in the DSL. */
  static as<K = any, V = any>(name: string): Produced<K, V> {
    checkName('node', name)
    return new Produced<K, V>(undefined, undefined, name)
  }

  withKeySerde(keySerde: Serde<K>): Produced<K, V> {
    return new Produced(keySerde, this.valueSerde, this.name)
  }

  withValueSerde(valueSerde: Serde<V>): Produced<K, V> {
    return new Produced(this.keySerde, valueSerde, this.name)
  }

  withName(name: string): Produced<K, V> {
    checkName('node', name)
    return new Produced(this.keySerde, this.valueSerde, name)
  }
}
