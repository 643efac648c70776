import type { Windowed } from '../model/Windowed.js'
import type { ClosingStore } from './closeWindows.js'
import { refusePromise } from './KeyValueHandle.js'
import { MemoryIterable } from './MemoryIterable.js'
import type { ByteEntry } from './OrderedByteStore.js'
import type { StoreAccess } from './StoreBuilder.js'
import type { StoreCodec } from './StoreCodec.js'
import { storeError } from './storeError.js'
import type { ReadOnlyWindowStore, StoreIterable, WindowStore } from './stores.js'
import type { WindowState } from './WindowState.js'

/** What all handles of one window store share. */
export interface WindowShared<K, V> {
  readonly name: string
  readonly endOf: (start: number) => number
  readonly codec: StoreCodec<K, V>
  readonly state: WindowState
  readonly closer: ClosingStore<K, V>
}

/**
 * What the DSL's aggregations ask of a window store beyond what users can: keys are written once a record, and nothing
 * is a promise (L8).
 *
 * @internal
 */
export interface WindowAccess<K, V> {
  readonly closer: ClosingStore<K, V>
  keyBytes(key: K): Uint8Array
  /** The value of a readable window; undefined when there is none. */
  valueAt(keyBytes: Uint8Array, start: number): V | undefined
  /** Undefined deletes. */
  putAt(key: K, keyBytes: Uint8Array, value: V | undefined, start: number): void
  /** The readable windows of a key with from ≤ start ≤ to, the latest first. */
  latestFirst(keyBytes: Uint8Array, from: number, to: number): Iterable<readonly [number, V]>
}

/** The internal form of a window store that `Stores`, or the DSL, has made. */
export function windowAccess<K, V>(store: ReadOnlyWindowStore<K, V>): WindowAccess<K, V> {
  return store as WindowHandle<K, V>
}

/** The reading half; alone it is the handle of `init`, queries and tests, and has no way to write. */
export class WindowReader<K, V> implements ReadOnlyWindowStore<K, V> {
  readonly name: string

  constructor(protected readonly shared: WindowShared<K, V>) {
    this.name = shared.name
  }

  get closer(): ClosingStore<K, V> {
    return this.shared.closer
  }

  /** Refuses the operation when the handle may no longer be used. A reader always may. */
  protected check(): void {}

  /** Which keys a scan yields (W5). Undefined: all of them. */
  protected get ownsKey(): StoreAccess['ownsKey'] {
    return undefined
  }

  fetch(key: K, windowStart: number): V | undefined {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    const bytes = state.get(keyBytes, wholeMs(this.name, windowStart))
    return bytes === undefined ? undefined : codec.value(bytes)
  }

  fetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]> {
    return this.#ofKey(key, from, to, false)
  }

  backwardFetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]> {
    return this.#ofKey(key, from, to, true)
  }

  fetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.#ofKeys(undefined, undefined, from, to, false)
  }

  backwardFetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.#ofKeys(undefined, undefined, from, to, true)
  }

  fetchKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    from: number,
    to: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.#ofKeys(keyFrom, keyTo, from, to, false)
  }

  backwardFetchKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    from: number,
    to: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.#ofKeys(keyFrom, keyTo, from, to, true)
  }

  all(): StoreIterable<readonly [Windowed<K>, V]> {
    return this.fetchAll(0, Number.MAX_SAFE_INTEGER)
  }

  backwardAll(): StoreIterable<readonly [Windowed<K>, V]> {
    return this.backwardFetchAll(0, Number.MAX_SAFE_INTEGER)
  }

  #ofKey(key: K, from: number, to: number, reverse: boolean): MemoryIterable<readonly [number, V]> {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    const starts = { from: someMs(this.name, from), to: someMs(this.name, to), reverse }
    return new MemoryIterable(() =>
      this.#checked(state.ofKey(keyBytes, starts), ([stored, value]) => [
        state.layout.timeOf(stored),
        codec.value(value),
      ]),
    )
  }

  #ofKeys(keyFrom: K | undefined, keyTo: K | undefined, from: number, to: number, reverse: boolean) {
    this.check()
    const { codec, state } = this.shared
    const keys = {
      from: keyFrom === undefined ? undefined : codec.keyBytes(keyFrom),
      to: keyTo === undefined ? undefined : codec.keyBytes(keyTo),
    }
    const starts = { from: someMs(this.name, from), to: someMs(this.name, to), reverse }
    return new MemoryIterable<readonly [Windowed<K>, V]>(() =>
      this.#checked(this.#owned(state.ofKeys(keys, starts)), ([stored, value]) => [
        this.#windowed(stored),
        codec.value(value),
      ]),
    )
  }

  #owned(entries: Iterable<ByteEntry>): Iterable<ByteEntry> {
    const { ownsKey } = this
    return ownsKey === undefined ? entries : this.#filtered(entries, ownsKey)
  }

  *#filtered(entries: Iterable<ByteEntry>, ownsKey: NonNullable<StoreAccess['ownsKey']>): Generator<ByteEntry> {
    const { codec, state } = this.shared
    for (const entry of entries) if (ownsKey(codec.laneBytes(state.layout.keyOf(entry[0])))) yield entry
  }

  #windowed(stored: Uint8Array): Windowed<K> {
    const { codec, state, endOf } = this.shared
    const start = state.layout.timeOf(stored)
    return { key: codec.key(state.layout.keyOf(stored)), window: { start, end: endOf(start) } }
  }

  *#checked<T>(entries: Iterable<ByteEntry>, decode: (entry: ByteEntry) => T): Generator<T> {
    this.check()
    for (const entry of entries) {
      yield decode(entry)
      this.check()
    }
  }
}

/** The handle of one callback: reads and writes until that callback has settled (L10). */
export class WindowHandle<K, V> extends WindowReader<K, V> implements WindowStore<K, V>, WindowAccess<K, V> {
  constructor(
    shared: WindowShared<K, V>,
    private readonly access: StoreAccess,
  ) {
    super(shared)
  }

  protected override check(): void {
    this.access.check()
  }

  protected override get ownsKey(): StoreAccess['ownsKey'] {
    return this.access.ownsKey
  }

  keyBytes(key: K): Uint8Array {
    this.check()
    return this.shared.codec.keyBytes(key, this.access)
  }

  valueAt(keyBytes: Uint8Array, start: number): V | undefined {
    const bytes = this.shared.state.get(keyBytes, start)
    return bytes === undefined ? undefined : this.shared.codec.value(bytes)
  }

  putAt(key: K, keyBytes: Uint8Array, value: V | undefined, start: number): void {
    this.#put(key, keyBytes, value, start)
  }

  *latestFirst(keyBytes: Uint8Array, from: number, to: number): Generator<readonly [number, V]> {
    const { codec, state } = this.shared
    for (const [stored, value] of state.ofKey(keyBytes, { from, to, reverse: true })) {
      yield [state.layout.timeOf(stored), codec.value(value)]
    }
  }

  put(key: K, value: V | undefined, windowStart: number): void {
    this.check()
    this.#put(key, this.shared.codec.keyBytes(key), value, wholeMs(this.name, windowStart))
  }

  compute(key: K, windowStart: number, fn: (value: V | undefined) => V | undefined): V | undefined {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    const start = wholeMs(this.name, windowStart)
    const present = state.get(keyBytes, start)
    const next = fn(present === undefined ? undefined : codec.value(present))
    refusePromise(this.name, next)
    return this.#put(key, keyBytes, next, start) ? next : undefined
  }

  #put(key: K, keyBytes: Uint8Array, value: V | undefined, start: number): boolean {
    if (value === null) {
      throw storeError(
        this.name,
        `The value for the window store "${this.name}" is null. To delete a window, put undefined.`,
      )
    }
    const valueBytes = value === undefined ? undefined : this.shared.codec.valueBytes(value)
    return this.shared.state.put({ key, keyBytes, start, valueBytes }, this.access)
  }
}

/** The start of one window. It may be negative, as in Kafka Streams: such a window can be put but never read. */
function wholeMs(store: string, value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw storeError(store, `A window of the store "${store}" cannot start at ${value}. Give an integer number of ms.`)
}

/** One end of a span of starts; it may lie anywhere, also at ±Infinity. */
function someMs(store: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw storeError(store, `The store "${store}" was asked for windows up to or from ${value}. Give a number of ms.`)
}
