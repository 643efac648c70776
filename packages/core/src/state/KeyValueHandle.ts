import { isPromise, refusedPromise } from '../errors/index.js'
import { afterPrefix } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import type { Serializer } from '../serde/Serde.js'
import { MemoryIterable } from './MemoryIterable.js'
import { justAfter, type OrderedByteStore } from './OrderedByteStore.js'
import type { StoreAccess } from './StoreBuilder.js'
import type { StoreCodec } from './StoreCodec.js'
import { storeError } from './storeError.js'
import type { KeyValueStore, ReadOnlyKeyValueStore, StoreIterable } from './stores.js'

/** What all handles of one key-value store share. */
export interface KeyValueState<K, V> {
  readonly name: string
  readonly codec: StoreCodec<K, V>
  readonly entries: OrderedByteStore
}

/** The reading half; alone it is the handle of `init`, queries and tests, and has no way to write. */
export class KeyValueReader<K, V> implements ReadOnlyKeyValueStore<K, V> {
  readonly name: string

  constructor(protected readonly state: KeyValueState<K, V>) {
    this.name = state.name
  }

  /** Refuses the operation when the handle may no longer be used. A reader always may. */
  protected check(): void {}

  protected keyBytes(key: K): Uint8Array {
    return this.state.codec.keyBytes(key)
  }

  /** Which keys a scan yields (W5). Undefined: all of them. */
  protected get ownsKey(): StoreAccess['ownsKey'] {
    return undefined
  }

  get(key: K): V | undefined {
    this.check()
    const bytes = this.state.entries.get(this.keyBytes(key))
    return bytes === undefined ? undefined : this.state.codec.value(bytes)
  }

  range(from?: K, to?: K): StoreIterable<readonly [K, V]> {
    return this.#entries(from, to, false)
  }

  reverseRange(from?: K, to?: K): StoreIterable<readonly [K, V]> {
    return this.#entries(from, to, true)
  }

  all(): StoreIterable<readonly [K, V]> {
    return this.#entries(undefined, undefined, false)
  }

  reverseAll(): StoreIterable<readonly [K, V]> {
    return this.#entries(undefined, undefined, true)
  }

  prefixScan<P = K>(prefix: P, serializer?: Serializer<P>): StoreIterable<readonly [K, V]> {
    this.check()
    const { codec } = this.state
    const from =
      serializer === undefined
        ? codec.keyBytes(prefix as unknown as K)
        : serializer.serialize(codec.topic, Headers.empty, prefix)
    const range = { from, to: afterPrefix(from) }
    return new MemoryIterable(() => this.#decoded(range))
  }

  count(): number {
    this.check()
    return this.state.entries.size
  }

  #entries(from: K | undefined, to: K | undefined, reverse: boolean): MemoryIterable<readonly [K, V]> {
    this.check()
    const { codec } = this.state
    const range = {
      from: from === undefined ? undefined : codec.keyBytes(from),
      to: to === undefined ? undefined : justAfter(codec.keyBytes(to)),
      reverse,
    }
    return new MemoryIterable(() => this.#decoded(range))
  }

  *#decoded(range: Parameters<OrderedByteStore['range']>[0]): Generator<readonly [K, V]> {
    const { codec, entries } = this.state
    this.check()
    const { ownsKey } = this
    for (const [key, value] of entries.range(range)) {
      if (ownsKey?.(codec.laneBytes(key)) === false) continue
      yield [codec.key(key), codec.value(value)]
      this.check()
    }
  }
}

/** The handle of one callback: reads and writes until that callback has settled (L10). */
export class KeyValueHandle<K, V> extends KeyValueReader<K, V> implements KeyValueStore<K, V> {
  constructor(
    state: KeyValueState<K, V>,
    private readonly access: StoreAccess,
  ) {
    super(state)
  }

  protected override check(): void {
    this.access.check()
  }

  protected override keyBytes(key: K): Uint8Array {
    return this.state.codec.keyBytes(key, this.access)
  }

  protected override get ownsKey(): StoreAccess['ownsKey'] {
    return this.access.ownsKey
  }

  put(key: K, value: V): void {
    this.check()
    const keyBytes = this.keyBytes(key)
    this.state.entries.set(keyBytes, this.#valueBytes(value))
  }

  putIfAbsent(key: K, value: V): V | undefined {
    this.check()
    const { codec, entries } = this.state
    const keyBytes = this.keyBytes(key)
    const valueBytes = this.#valueBytes(value)
    const present = entries.get(keyBytes)
    if (present !== undefined) return codec.value(present)
    entries.set(keyBytes, valueBytes)
    return undefined
  }

  putAll(list: Iterable<readonly [K, V]>): void {
    this.check()
    // Everything is serialised before anything is put: one bad entry leaves the store as it was.
    const encoded = Array.from(
      list,
      ([key, value]) => [this.state.codec.keyBytes(key), this.#valueBytes(value)] as const,
    )
    for (const [keyBytes, valueBytes] of encoded) this.state.entries.set(keyBytes, valueBytes)
  }

  delete(key: K): V | undefined {
    this.check()
    const previous = this.state.entries.delete(this.keyBytes(key))
    return previous === undefined ? undefined : this.state.codec.value(previous)
  }

  compute(key: K, fn: (value: V | undefined) => V | undefined): V | undefined {
    this.check()
    const { codec, entries } = this.state
    const keyBytes = this.keyBytes(key)
    const present = entries.get(keyBytes)
    const next = fn(present === undefined ? undefined : codec.value(present))
    refusePromise(this.name, next)
    if (next === undefined) entries.remove(keyBytes)
    else entries.set(keyBytes, this.#valueBytes(next))
    return next
  }

  merge(key: K, value: V, merger: (old: V, value: V) => V): V {
    this.check()
    const { codec, entries } = this.state
    const keyBytes = this.keyBytes(key)
    const present = entries.get(keyBytes)
    const next = present === undefined ? value : merger(codec.value(present), value)
    refusePromise(this.name, next)
    entries.set(keyBytes, this.#valueBytes(next))
    return next
  }

  #valueBytes(value: V): Uint8Array {
    if (value === null || value === undefined) {
      throw storeError(
        this.name,
        `The value for the store "${this.name}" is ${value}. To remove a key, call delete(key); in compute, return undefined.`,
      )
    }
    return this.state.codec.valueBytes(value)
  }
}

/** A function that reads and writes in one step must not wait between the two (P4). */
export function refusePromise(store: string, result: unknown): void {
  if (!isPromise(result)) return
  throw refusedPromise(
    result,
    `The function given to the store "${store}" returned a promise. It reads and writes in one step, so it must ` +
      'answer at once: await before you call the store.',
    { store },
  )
}
