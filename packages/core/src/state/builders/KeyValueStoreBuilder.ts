import type { Serde } from '../../serde/Serde.js'
import { BoundedByteStore } from '../BoundedByteStore.js'
import { KeyValueHandle, KeyValueReader, type KeyValueState } from '../KeyValueHandle.js'
import type {
  StoreAccess,
  StoreBuilder,
  StoreEnvironment,
  StoreInspection,
  StoreInstance,
  ValueFormat,
} from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import { storeError } from '../storeError.js'
import type { KeyValueStore, ReadOnlyKeyValueStore } from '../stores.js'
import { ConfigurableStore } from './ConfigurableStore.js'
import { storedForm } from './storedForm.js'

/** What a key-value store is told apart from its name and serdes. */
export interface KeyValueSettings {
  readonly persistent: boolean
  /** Above this many entries the least recently used one goes; undefined: all stay. */
  readonly maxEntries?: number
  /** What handles give and take. Default: the value alone. */
  readonly format?: ValueFormat
  /** What the bytes hold. Default: what handles give; anything less is lost, and read as unknown (`kafka-streams.md` A.9). */
  readonly stored?: ValueFormat
}

/** Describes a key-value store. Made by `Stores.keyValue` and its relatives. */
export class KeyValueStoreBuilder<K, V>
  extends ConfigurableStore
  implements StoreBuilder<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>>
{
  readonly kind = 'key-value'
  readonly persistent: boolean
  readonly format: ValueFormat

  constructor(
    readonly name: string,
    private readonly settings: KeyValueSettings,
    readonly keySerde: Serde<K> | undefined,
    /** Of the value alone, whatever the format. */
    readonly valueSerde: Serde<any> | undefined,
  ) {
    super()
    this.persistent = settings.persistent
    this.format = settings.format ?? 'plain'
  }

  /**
   * This store as the DSL keeps a table in it: with times, or with headers too. A persistent one that was asked for
   * without times has no room for them; one in memory has (`kafka-streams.md` A.9).
   */
  withFormat(format: 'timestamped' | 'headers'): KeyValueStoreBuilder<K, any> {
    const own = this.settings.stored ?? this.format
    const stored = own === 'plain' && !this.persistent ? format : own
    const settings = { ...this.settings, format, stored }
    return this.passOn(new KeyValueStoreBuilder<K, any>(this.name, settings, this.keySerde, this.valueSerde))
  }

  storedValue(value: Serde<any>): Serde<any> {
    return storedForm(value, this.format, this.settings.stored ?? this.format)
  }

  build(environment: StoreEnvironment): StoreInstance<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
    return new KeyValueInstance<K, V>(this.name, this.settings.maxEntries, environment)
  }
}

/** @throws StreamError STORE_INVALID for a store of another kind, or one that `Stores` did not make */
export function withFormat<K>(
  store: StoreBuilder<KeyValueStore<K, any>, any>,
  format: 'timestamped' | 'headers',
): KeyValueStoreBuilder<K, any> {
  if (store instanceof KeyValueStoreBuilder) return store.withFormat(format)
  throw storeError(
    store.name,
    `The store "${store.name}" is no key-value store made by Stores: it cannot be a table's.`,
  )
}

class KeyValueInstance<K, V> implements StoreInstance<KeyValueStore<K, V>, ReadOnlyKeyValueStore<K, V>> {
  readonly kind = 'key-value'
  readonly reader: ReadOnlyKeyValueStore<K, V>
  readonly #state: KeyValueState<K, V>

  constructor(
    readonly name: string,
    maxEntries: number | undefined,
    environment: StoreEnvironment,
  ) {
    const { byteStores } = environment
    const codec = new StoreCodec<K, V>(name, environment)
    const bounded = (usedByReads: boolean) =>
      maxEntries === undefined
        ? byteStores.store(name)
        : new BoundedByteStore(name, maxEntries, byteStores, usedByReads)
    this.#state = { name, codec, entries: bounded(true) }
    this.reader = new KeyValueReader({ name, codec, entries: bounded(false) })
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
