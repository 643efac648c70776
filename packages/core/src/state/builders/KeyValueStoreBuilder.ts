import type { Serde } from '../../serde/Serde.js'
import { KeyValueHandle, KeyValueReader, type KeyValueState } from '../KeyValueHandle.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInspection, StoreInstance } from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { KeyValueStore, ReadOnlyKeyValueStore } from '../stores.js'

/** Describes a key-value store. Made by `Stores.keyValue`. */
export class KeyValueStoreBuilder<K, V> implements StoreBuilder<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
  readonly kind = 'key-value'

  constructor(
    readonly name: string,
    readonly persistent: boolean,
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
  ) {}

  build(environment: StoreEnvironment): StoreInstance<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
    return new KeyValueInstance<K, V>(this.name, environment)
  }
}

class KeyValueInstance<K, V> implements StoreInstance<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
  readonly kind = 'key-value'
  readonly reader: ReadOnlyKeyValueStore<K, V>
  readonly #state: KeyValueState<K, V>

  constructor(
    readonly name: string,
    environment: StoreEnvironment,
  ) {
    this.#state = { name, codec: new StoreCodec<K, V>(name, environment), entries: environment.byteStores.store(name) }
    this.reader = new KeyValueReader(this.#state)
  }

  open(access: StoreAccess): KeyValueStore<K, V> {
    return new KeyValueHandle(this.#state, access)
  }

  inspect(): StoreInspection {
    const { size, bytes } = this.#state.entries
    return { name: this.name, kind: this.kind, entries: size, bytes }
  }

  wouldExpire(): readonly never[] {
    return []
  }

  countWindows(): number {
    return 0
  }

  clockMoved(): void {
    // Its entries do not expire.
  }
}
