import type { Windowed } from '../model/Windowed.js'
import type { StoreIterable, WindowStore } from '../state/stores.js'
import { PlainStore } from './PlainStore.js'

/** A window store with times, as one of values alone. What is put by it has the unknown time −1. */
export class PlainWindowStore<K, V> extends PlainStore implements WindowStore<K, V> {
  constructor(private readonly inner: WindowStore<K, { readonly value: V }>) {
    super()
  }

  get name(): string {
    return this.inner.name
  }

  fetch(key: K, windowStart: number): V | undefined {
    return this.valueOf(this.inner.fetch(key, windowStart))
  }

  fetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]> {
    return this.values(this.inner.fetchRange(key, from, to))
  }

  backwardFetchRange(key: K, from: number, to: number): StoreIterable<readonly [number, V]> {
    return this.values(this.inner.backwardFetchRange(key, from, to))
  }

  fetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.fetchAll(from, to))
  }

  backwardFetchAll(from: number, to: number): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFetchAll(from, to))
  }

  fetchKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    from: number,
    to: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.fetchKeys(keyFrom, keyTo, from, to))
  }

  backwardFetchKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    from: number,
    to: number,
  ): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardFetchKeys(keyFrom, keyTo, from, to))
  }

  all(): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.all())
  }

  backwardAll(): StoreIterable<readonly [Windowed<K>, V]> {
    return this.values(this.inner.backwardAll())
  }

  put(key: K, value: V | undefined, windowStart: number): void {
    this.inner.put(key, this.stored(value as V), windowStart)
  }

  compute(key: K, windowStart: number, fn: (value: V | undefined) => V | undefined): V | undefined {
    const next = this.inner.compute(key, windowStart, (old) => this.stored(fn(this.valueOf(old)) as V))
    return this.valueOf(next)
  }
}
