import { Headers } from '../model/Headers.js'
import type { ValueTimestampHeaders } from '../serde/valueTimestampHeaders.js'
import type { StoreIterable } from '../state/stores.js'

/** The time of a value that came from no record, as in Kafka's driver. */
const UNKNOWN_TIME = -1

/** A store with times, or times and headers, that is shown as one of values alone. */
export abstract class PlainStore {
  protected valueOf<V>(stored: { readonly value: V } | undefined): V | undefined {
    return stored?.value
  }

  /** What is stored of a value alone. Null and undefined stay: they delete, or are refused, as below. */
  protected stored<V>(value: V): ValueTimestampHeaders<V> {
    const isNone = value === undefined || value === null
    return (isNone ? value : { value, timestamp: UNKNOWN_TIME, headers: Headers.empty }) as ValueTimestampHeaders<V>
  }

  protected values<K, V>(entries: StoreIterable<readonly [K, { readonly value: V }]>): StoreIterable<readonly [K, V]> {
    return new PlainEntries(entries)
  }
}

class PlainEntries<K, V> implements StoreIterable<readonly [K, V]> {
  constructor(private readonly entries: StoreIterable<readonly [K, { readonly value: V }]>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly [K, V]> {
    for await (const [key, { value }] of this.entries) yield [key, value]
  }

  async toArray(): Promise<(readonly [K, V])[]> {
    return (await this.entries.toArray()).map(([key, { value }]) => [key, value])
  }
}
