import type { Windowed } from '../model/Windowed.js'
import type { Serializer } from '../serde/Serde.js'

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
  /** Entries whose key's bytes begin with those of the prefix, in their order. Default: it is written as keys are. */
  prefixScan<P = K>(prefix: P, serializer?: Serializer<P>): StoreIterable<readonly [K, V]>
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
  backwardFetchKeys(
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

/**
 * Reads of a session store. Only sessions with end > observed − retention are visible (S1); both ends of a session are
 * inclusive. Order: by segment, then key bytes, end, start (persistent); by end, then key, then the latest start first
 * (in memory).
 */
export interface ReadOnlySessionStore<K, V> {
  readonly name: string
  /** The value of the session with exactly this start and end, or undefined. */
  fetchSession(key: K, start: number, end: number): V | undefined
  /** The sessions of one key, by end. */
  fetch(key: K): StoreIterable<readonly [Windowed<K>, V]>
  backwardFetch(key: K): StoreIterable<readonly [Windowed<K>, V]>
  /** The sessions of the keys from ≤ key ≤ to, by their bytes; an absent end is open. */
  fetchKeys(keyFrom: K | undefined, keyTo: K | undefined): StoreIterable<readonly [Windowed<K>, V]>
  backwardFetchKeys(keyFrom: K | undefined, keyTo: K | undefined): StoreIterable<readonly [Windowed<K>, V]>
  /** The sessions of one key with end ≥ earliestEnd and start ≤ latestStart: those that a record between the two meets. */
  findSessions(key: K, earliestEnd: number, latestStart: number): StoreIterable<readonly [Windowed<K>, V]>
  backwardFindSessions(key: K, earliestEnd: number, latestStart: number): StoreIterable<readonly [Windowed<K>, V]>
  findSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): StoreIterable<readonly [Windowed<K>, V]>
  backwardFindSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): StoreIterable<readonly [Windowed<K>, V]>
  /**
   * The sessions of all keys with earliestEnd ≤ end ≤ latestEnd.
   *
   * @throws StreamError STORE_INVALID in a persistent store, which keeps its sessions by key
   */
  findSessionsTime(earliestEnd: number, latestEnd: number): StoreIterable<readonly [Windowed<K>, V]>
}

/** Values per key and session, kept for the retention time, by their end, in segments that expire as a whole (S1). */
export interface SessionStore<K, V> extends ReadOnlySessionStore<K, V> {
  /**
   * Stores the value of a session, or deletes it when the value is undefined. Either moves the store's observed time
   * to the session's end (in `stream-time` mode). A put for an expired segment is refused: counted, evented and logged (S3).
   *
   * @throws StreamError STORE_INVALID for a null key, a null value, or a session that is not 0 ≤ start ≤ end
   */
  put(session: Windowed<K>, value: V | undefined): void
  /** Deletes a session. In a persistent store it moves the observed time as a put does (`kafka-streams.md` A.2). */
  remove(session: Windowed<K>): void
}

/** A value of a versioned store, and the time in ms from which it holds. */
export interface VersionedRecord<V> {
  readonly value: V
  readonly timestamp: number
}

/** Reads of a versioned store. Point reads answer at once (P4). */
export interface ReadOnlyVersionedStore<K, V> {
  readonly name: string
  /** The newest version, however old it is; undefined when the key was deleted last. */
  get(key: K): VersionedRecord<V> | undefined
  /**
   * The version that held at a time in ms, inclusive. Undefined where there was none, and, with a WARN, where the time is
   * older than the history and the newest version is younger.
   */
  getAsOf(key: K, timestamp: number): VersionedRecord<V> | undefined
}

/** Values per key with the times from which they hold, kept as long as the history (`kafka-streams.md` A.10). */
export interface VersionedStore<K, V> extends ReadOnlyVersionedStore<K, V> {
  /**
   * Puts a value as of a time, in any order of times; null or undefined deletes the key as of then. One older than
   * observed − history is refused: counted, evented and logged, never silent.
   *
   * @returns until when the value holds, in ms: −1 when it is the newest, −2^63 when it was refused
   * @throws StreamError STORE_INVALID for a null key, or a time that is no integer of 0 … 2^53−1
   */
  put(key: K, value: V | null | undefined, timestamp: number): number
  /** Deletes the key as of a time. @returns the version that it ends */
  delete(key: K, timestamp: number): VersionedRecord<V> | undefined
}
