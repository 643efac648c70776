import type { ByteEntry, ByteRange, OrderedByteStore } from '../state/OrderedByteStore.js'

/** A byte store that tells of each write of one key. What expires goes untold, as it does in a changelog. */
export class WatchedByteStore implements OrderedByteStore {
  constructor(
    private readonly inner: OrderedByteStore,
    private readonly written: (key: Uint8Array, value: Uint8Array | undefined) => void,
  ) {}

  get size(): number {
    return this.inner.size
  }

  get bytes(): number {
    return this.inner.bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.inner.get(key)
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    this.written(key, value)
    return this.inner.put(key, value)
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.written(key, value)
    this.inner.set(key, value)
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    this.written(key, undefined)
    return this.inner.delete(key)
  }

  remove(key: Uint8Array): void {
    this.written(key, undefined)
    this.inner.remove(key)
  }

  range(range?: ByteRange): Iterable<ByteEntry> {
    return this.inner.range(range)
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    return this.inner.deleteRange(from, to)
  }

  clear(): void {
    this.inner.clear()
  }
}
