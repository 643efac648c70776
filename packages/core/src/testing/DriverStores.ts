import { StreamError } from '../errors/StreamError.js'
import { noSuchStore } from '../runtime/engineErrors.js'
import type { ValueAndTimestamp } from '../serde/valueAndTimestamp.js'
import type { StoreAccess, StoreInstance, StoreKind, ValueFormat } from '../state/StoreBuilder.js'
import type { KeyValueStore, SessionStore, VersionedStore, WindowStore } from '../state/stores.js'
import type { CompiledStore } from '../topology/CompiledTopology.js'
import { PlainKeyValueStore } from './PlainKeyValueStore.js'
import { PlainSessionStore } from './PlainSessionStore.js'
import { PlainWindowStore } from './PlainWindowStore.js'

/** The access of a store that no callback has opened: it never ends, and goes back to no record. */
const outsideCallbacks: StoreAccess = { node: 'test driver', check: () => undefined, cause: () => null }

const anyFormat: readonly ValueFormat[] = ['plain', 'timestamped', 'headers']

/**
 * The stores of a test driver, as handles that read and write, to look into one, or to fill or change it, between two
 * steps. They are under no callback, so what is written belongs to none.
 */
export class DriverStores {
  constructor(
    private readonly instances: ReadonlyMap<string, StoreInstance<unknown, unknown>>,
    private readonly compiled: readonly CompiledStore[],
  ) {}

  /** The read-only handle. @throws StreamError STORE_INVALID when there is none */
  reader(name: string): unknown {
    return this.#instance(name).reader
  }

  open(name: string): unknown {
    return this.#instance(name).open(outsideCallbacks)
  }

  all(): ReadonlyMap<string, unknown> {
    return new Map([...this.instances.keys()].map((name) => [name, this.open(name)]))
  }

  keyValue<K, V>(name: string): KeyValueStore<K, V> {
    const store = this.#typed(name, 'key-value', anyFormat)
    if (this.#format(name) === 'plain') return store as KeyValueStore<K, V>
    return new PlainKeyValueStore(store as KeyValueStore<K, ValueAndTimestamp<V>>)
  }

  timestampedKeyValue<K, V>(name: string): KeyValueStore<K, ValueAndTimestamp<V>> {
    return this.#typed(name, 'key-value', ['timestamped', 'headers']) as KeyValueStore<K, ValueAndTimestamp<V>>
  }

  window<K, V>(name: string): WindowStore<K, V> {
    const store = this.#typed(name, 'window', anyFormat)
    if (this.#format(name) === 'plain') return store as WindowStore<K, V>
    return new PlainWindowStore(store as WindowStore<K, ValueAndTimestamp<V>>)
  }

  timestampedWindow<K, V>(name: string): WindowStore<K, ValueAndTimestamp<V>> {
    return this.#typed(name, 'window', ['timestamped', 'headers']) as WindowStore<K, ValueAndTimestamp<V>>
  }

  session<K, V>(name: string): SessionStore<K, V> {
    const store = this.#typed(name, 'session', anyFormat)
    if (this.#format(name) === 'plain') return store as SessionStore<K, V>
    return new PlainSessionStore(store as SessionStore<K, { readonly value: V }>)
  }

  versionedKeyValue<K, V>(name: string): VersionedStore<K, V> {
    return this.#typed(name, 'versioned', anyFormat) as VersionedStore<K, V>
  }

  #instance(name: string): StoreInstance<unknown, unknown> {
    const instance = this.instances.get(name)
    if (instance === undefined) throw noSuchStore(name)
    return instance
  }

  #format(name: string): ValueFormat {
    return this.compiled.find((one) => one.name === name)?.builder.format ?? 'plain'
  }

  #typed(name: string, kind: StoreKind, formats: readonly ValueFormat[]): unknown {
    const store = this.#instance(name)
    const format = this.#format(name)
    if (store.kind === kind && formats.includes(format)) return store.open(outsideCallbacks)
    const wanted = formats.includes('plain') ? kind : `${formats.join(' or ')} ${kind}`
    const is = [format === 'plain' ? '' : `${format} `, store.kind].join('')
    throw new StreamError(
      `The store "${name}" is a ${is} store, not a ${wanted} store. Ask for it by what it is, ` +
        'or by getStateStore.',
      { code: 'STORE_INVALID', kind: 'user', retriable: false, context: { store: name } },
    )
  }
}
