import type { Windowed } from '../model/Windowed.js'

/** Several entries, one at a time; `toArray` collects them. */
export interface StoreIterable<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>
}

/** Reads of a key-value store. Point reads answer at once (P4). */
export interface ReadOnlyKeyValueStore<K, V> {
  readonly name: string
  get(key: K): V | undefined
  /** Entries with from ≤ key ≤ to, by unsigned order of the key's bytes; an absent end is open. */
  range(from?: K, to?: K): StoreIterable<readonly [K, V]>
  reverseRange(from?: K, to?: K): StoreIterable<readonly [K, V]>
  all(): StoreIterable<readonly [K, V]>
  reverseAll(): StoreIterable<readonly [K, V]>
  /** How many entries there are. */
  count(): number
}

/** A map from keys to values, shared by all lanes (L6). Single operations are atomic. */
export interface KeyValueStore<K, V> extends ReadOnlyKeyValueStore<K, V> {
  put(key: K, value: V): void
  /** Puts only when the key is absent. @returns what was there, or undefined when it put */
  putIfAbsent(key: K, value: V): V | undefined
  putAll(entries: Iterable<readonly [K, V]>): void
  /** @returns what was there */
  delete(key: K): V | undefined
  /** Reads and writes in one step: `fn` gets the value or undefined and gives the new one; undefined deletes. */
  compute(key: K, fn: (value: V | undefined) => V | undefined): V | undefined
  /** Puts the value, or `merger(old, value)` when there is one. */
  merge(key: K, value: V, merger: (old: V, value: V) => V): V
}

/**
 * Reads of a window store. Only windows with start > observed − retention are visible (S1),
 * whatever is asked for; `from` and `to` are window starts in ms, both inclusive.
 */
export interface ReadOnlyWindowStore<K, V> {
  readonly name: string
  /** The value of the window that starts at `windowStart`, or undefined. */
  fetch(key: K, windowStart: number): V | undefined
  /** Windows of one key, by ascending start. */
  fetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]>
  backwardFetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]>
  /** Windows of all keys; by segment, then key bytes, then start (persistent), or by start, then key (in memory). */
  fetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]>
  backwardFetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]>
  fetchKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    from: number,
    to: number,
  ): StoreIterable<readonly [Windowed<K>, V]>
  all(): StoreIterable<readonly [Windowed<K>, V]>
  backwardAll(): StoreIterable<readonly [Windowed<K>, V]>
}

/** Values per key and window start, kept for the retention time in segments that expire as a whole (S1). */
export interface WindowStore<K, V> extends ReadOnlyWindowStore<K, V> {
  /**
   * Stores the value, or deletes the window when the value is undefined. Either moves the store's observed time
   * (in `stream-time` mode). A put for an expired segment is refused: counted, evented and logged, never silent (S3).
   *
   * @throws StreamError STORE_INVALID for a null key, a null value, or a start that is no integer within ±(2^53−1)
   */
  put(key: K, value: V | undefined, windowStart: number): void
  /**
   * Reads and writes in one step: `fn` gets the window's value or undefined and gives the new one; undefined deletes.
   *
   * @returns what the window then holds: undefined also when the put was refused or cannot be read
   */
  compute(key: K, windowStart: number, fn: (value: V | undefined) => V | undefined): V | undefined
}
