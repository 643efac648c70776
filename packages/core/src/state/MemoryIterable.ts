import type { StoreIterable } from './stores.js'

/**
 * Entries of a store in memory. The DSL's operators use it as a plain iterable, which answers at once (P4, L8).
 *
 * `toArray` collects at the moment of the call, so it is a snapshot. `for await` is live: it steps to the next
 * entry that is there by then, never twice to one key, and sees what other lanes write ahead of it (L6).
 *
 * @internal
 */
export class MemoryIterable<T> implements StoreIterable<T>, Iterable<T> {
  constructor(private readonly source: () => Iterable<T>) {}

  [Symbol.iterator](): Iterator<T> {
    return this.source()[Symbol.iterator]()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    yield* this.source()
  }

  async toArray(): Promise<T[]> {
    return [...this.source()]
  }
}
