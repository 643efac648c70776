import type { Windowed } from '../model/Windowed.js'
import type { SessionStore, StoreIterable } from '../state/stores.js'
import { PlainStore } from './PlainStore.js'

/** A session store with headers, as one of values alone. What is put by it has none. */
export class PlainSessionStore<K, V> extends PlainStore implements SessionStore<K, V> {
  constructor(private readonly inner: SessionStore<K, { readonly value: V }>) {
    super()
  }

  get name(): string {
    return this.inner.name
  }

  fetchSession(key: K, start: number, end: number): V | undefined {
    return this.valueOf(this.inner.fetchSession(key, start, end))
  }

  fetch(key: K): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.fetch(key))
  }

  backwardFetch(key: K): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFetch(key))
  }

  fetchKeys(keyFrom: K | undefined, keyTo: K | undefined): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.fetchKeys(keyFrom, keyTo))
  }

  backwardFetchKeys(keyFrom: K | undefined, keyTo: K | undefined): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFetchKeys(keyFrom, keyTo))
  }

  findSessions(key: K, earliestEnd: number, latestStart: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.findSessions(key, earliestEnd, latestStart))
  }

  backwardFindSessions(key: K, earliestEnd: number, latestStart: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFindSessions(key, earliestEnd, latestStart))
  }

  findSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.findSessionsKeys(keyFrom, keyTo, earliestEnd, latestStart))
  }

  backwardFindSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFindSessionsKeys(keyFrom, keyTo, earliestEnd, latestStart))
  }

  findSessionsTime(earliestEnd: number, latestEnd: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.findSessionsTime(earliestEnd, latestEnd))
  }

  put(session: Windowed<K>, value: V | undefined): void {
    this.inner.put(session, this.stored(value as V))
  }

  remove(session: Windowed<K>): void {
    this.inner.remove(session)
  }
}
