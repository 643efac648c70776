import type { Serializer } from '../serde/Serde.js'
import type { ValueAndTimestamp } from '../serde/valueAndTimestamp.js'
import type { KeyValueStore, StoreIterable } from '../state/stores.js'
import { PlainStore } from './PlainStore.js'

/** A key-value store with times, as one of values alone. What is put by it has the unknown time −1. */
export class PlainKeyValueStore<K, V> extends PlainStore implements KeyValueStore<K, V> {
  constructor(private readonly inner: KeyValueStore<K, ValueAndTimestamp<V>>) {
    super()
  }

  get name(): string {
    return this.inner.name
  }

  get(key: K): V | undefined {
    return this.valueOf(this.inner.get(key))
  }

  range(from?: K, to?: K): StoreIterable<readonly [K, V]> {
    return this.values(this.inner.range(from, to))
  }

  reverseRange(from?: K, to?: K): StoreIterable<readonly [K, V]> {
    return this.values(this.inner.reverseRange(from, to))
  }

  all(): StoreIterable<readonly [K, V]> {
    return this.values(this.inner.all())
  }

  reverseAll(): StoreIterable<readonly [K, V]> {
    return this.values(this.inner.reverseAll())
  }

  prefixScan<P = K>(prefix: P, serializer?: Serializer<P>): StoreIterable<readonly [K, V]> {
    return this.values(this.inner.prefixScan(prefix, serializer))
  }

  count(): number {
    return this.inner.count()
  }

  put(key: K, value: V): void {
    this.inner.put(key, this.stored(value))
  }

  putIfAbsent(key: K, value: V): V | undefined {
    return this.valueOf(this.inner.putIfAbsent(key, this.stored(value)))
  }

  putAll(entries: Iterable<readonly [K, V]>): void {
    this.inner.putAll(Array.from(entries, ([key, value]) => [key, this.stored(value)] as const))
  }

  delete(key: K): V | undefined {
    return this.valueOf(this.inner.delete(key))
  }

  compute(key: K, fn: (value: V | undefined) => V | undefined): V | undefined {
    const next = this.inner.compute(key, (old) => this.stored(fn(this.valueOf(old)) as V))
    return this.valueOf(next)
  }

  merge(key: K, value: V, merger: (old: V, value: V) => V): V {
    return this.inner.merge(key, this.stored(value), (old) => this.stored(merger(old.value, value))).value
  }
}
