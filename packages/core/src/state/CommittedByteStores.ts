import type { ByteEntry, ByteRange, OrderedByteStore } from './OrderedByteStore.js'
import type { ByteStores } from './StoreBuilder.js'

/** What a backend holds, for a store that only reads it: without the epochs that are alive, and safe from them. */
export class CommittedByteStores implements ByteStores {
  constructor(
    private readonly committed: {
      open(store: string): OrderedByteStore
      names(prefix: string): readonly string[]
    },
  ) {}

  store(name: string): OrderedByteStore {
    return new ReadOnlyByteStore(name, this.committed.open(name))
  }

  names(prefix: string): readonly string[] {
    return this.committed.names(prefix)
  }
}

class ReadOnlyByteStore implements OrderedByteStore {
  constructor(
    private readonly name: string,
    private readonly entries: OrderedByteStore,
  ) {}

  get size(): number {
    return this.entries.size
  }

  get bytes(): number {
    return this.entries.bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.entries.get(key)
  }

  range(range?: ByteRange): Iterable<ByteEntry> {
    return this.entries.range(range)
  }

  /** A store drops what has expired when it is built. Here it only looks away from it: the epoch deletes it (S8). */
  clear(): void {}

  put(): never {
    throw this.#refused()
  }

  set(): never {
    throw this.#refused()
  }

  delete(): never {
    throw this.#refused()
  }

  remove(): never {
    throw this.#refused()
  }

  deleteRange(): never {
    throw this.#refused()
  }

  #refused(): RangeError {
    return new RangeError(`What is committed of "${this.name}" was to be written by one who may only read it`)
  }
}
