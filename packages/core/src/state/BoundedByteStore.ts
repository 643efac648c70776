import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'
import type { ByteEntry, ByteRange, OrderedByteStore } from './OrderedByteStore.js'
import type { ByteStores } from './StoreBuilder.js'

/**
 * Keeps at most so many entries: one more, and the least recently used goes. A read is a use. When each was used is
 * state too, in a byte store of its own: it commits, aborts and comes back with the entries.
 */
export class BoundedByteStore implements OrderedByteStore {
  /** Key → when it was used, value. */
  readonly #entries: OrderedByteStore
  /** When → key. */
  readonly #uses: OrderedByteStore

  constructor(
    name: string,
    private readonly maxEntries: number,
    byteStores: ByteStores,
    /** Whether a read is a use. Not for those who may only read: an answer to them changes nothing. */
    private readonly usedByReads: boolean = true,
  ) {
    this.#entries = byteStores.store(name)
    // A slash is no part of a store's name, so this is no other store's.
    this.#uses = byteStores.store(`${name}/uses`)
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#entries.bytes - this.size * int64Length
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const present = this.#entries.get(key)
    if (present === undefined) return undefined
    const value = valueOf(present)
    if (this.usedByReads) this.#use(key, value, present)
    return value
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    const previous = this.#entries.get(key)
    this.#use(key, value, previous)
    if (this.size > this.maxEntries) {
      for (const [, eldest] of this.#uses.range()) {
        this.delete(eldest)
        break
      }
    }
    return previous && valueOf(previous)
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.put(key, value)
  }

  remove(key: Uint8Array): void {
    this.delete(key)
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    const previous = this.#entries.delete(key)
    if (previous === undefined) return undefined
    this.#uses.delete(whenOf(previous))
    return valueOf(previous)
  }

  /** By key; a scan uses nothing. */
  *range(range?: ByteRange): Generator<ByteEntry> {
    for (const [key, stored] of this.#entries.range(range)) yield [key, valueOf(stored)]
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    const keys = [...this.#entries.range({ from, to })].map(([key]) => key)
    for (const key of keys) this.delete(key)
    return keys.length
  }

  clear(): void {
    this.#entries.clear()
    this.#uses.clear()
  }

  #use(key: Uint8Array, value: Uint8Array, previous: Uint8Array | undefined): void {
    const when = this.#next()
    if (previous !== undefined) this.#uses.delete(whenOf(previous))
    const stored = new Uint8Array(int64Length + value.length)
    stored.set(when)
    stored.set(value, int64Length)
    this.#entries.put(key, stored)
    this.#uses.put(when, key)
  }

  /** One after the newest use there is. */
  #next(): Uint8Array {
    const next = new Uint8Array(int64Length)
    for (const [newest] of this.#uses.range({ reverse: true })) {
      writeInt64(next, 0, readInt64(newest, 0) + 1)
      break
    }
    return next
  }
}

function whenOf(stored: Uint8Array): Uint8Array {
  return stored.subarray(0, int64Length)
}

function valueOf(stored: Uint8Array): Uint8Array {
  return stored.subarray(int64Length)
}
