import { EntryArena } from './EntryArena.js'
import { HashSlots } from './HashSlots.js'
import { hashBytes } from './hashBytes.js'
import type { ByteEntry, ByteRange, OrderedByteStore } from './OrderedByteStore.js'
import { OrderedReferences, ReferenceCursor } from './OrderedReferences.js'

/** So many words may be unused before the arena is rewritten, whatever lives in it. */
const SPARED_WORDS = 1 << 18

/**
 * An ordered byte store in memory. Points go by a hash table, ranges by an order that is kept only once it is asked
 * for; keys and values lie side by side in an arena, so that millions of entries are no work for the garbage collector.
 */
export class MemoryByteStore implements OrderedByteStore {
  readonly #slots = new HashSlots()
  #arena = new EntryArena()
  #order = new OrderedReferences(this.#arena)
  #bytes = 0
  readonly #stepReader = (reader: MemoryReader) => this.#step(reader)

  get size(): number {
    return this.#slots.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const at = this.#find(hashBytes(key), key)
    return at < 0 ? undefined : this.#arena.value(this.#slots.reference(at))
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    const hash = hashBytes(key)
    const at = this.#find(hash, key)
    const previous = at < 0 ? undefined : this.#arena.value(this.#slots.reference(at))
    this.#write(hash, at, key, value)
    return previous
  }

  set(key: Uint8Array, value: Uint8Array): void {
    const hash = hashBytes(key)
    this.#write(hash, this.#find(hash, key), key, value)
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    const at = this.#find(hashBytes(key), key)
    if (at < 0) return undefined
    const previous = this.#arena.value(this.#slots.reference(at))
    this.#remove(at, key)
    return previous
  }

  remove(key: Uint8Array): void {
    const at = this.#find(hashBytes(key), key)
    if (at >= 0) this.#remove(at, key)
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return { [Symbol.iterator]: () => new MemoryReader(range, this.#stepReader) }
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    let count = 0
    for (const [key] of this.range({ from, to })) {
      this.remove(key)
      count++
    }
    return count
  }

  clear(): void {
    this.#slots.clear()
    this.#arena = new EntryArena()
    this.#order = new OrderedReferences(this.#arena, undefined, this.#order.nextVersion)
    this.#bytes = 0
  }

  #find(hash: number, key: Uint8Array): number {
    const slots = this.#slots
    let at = slots.first(hash)
    while (at >= 0 && !this.#arena.hasKey(slots.reference(at), key)) at = slots.next(at)
    return at
  }

  /** @param at where the key is, −1 when it is not there */
  #write(hash: number, at: number, key: Uint8Array, value: Uint8Array): void {
    if (at < 0) {
      const added = this.#arena.add(hash, key, value)
      this.#slots.add(hash, added)
      this.#order.add(added)
      this.#bytes += key.length + value.length
      return
    }
    const reference = this.#slots.reference(at)
    this.#bytes += value.length - this.#arena.valueLength(reference)
    if (this.#arena.overwrite(reference, value)) return
    const moved = this.#arena.add(hash, key, value)
    this.#slots.replace(at, moved)
    this.#order.add(moved)
    this.#drop(reference)
  }

  #remove(at: number, key: Uint8Array): void {
    const reference = this.#slots.reference(at)
    this.#bytes -= key.length + this.#arena.valueLength(reference)
    this.#slots.remove(at)
    this.#drop(reference)
  }

  #drop(reference: number): void {
    this.#arena.drop(reference)
    const { liveWords, goneWords } = this.#arena
    if (goneWords > SPARED_WORDS && goneWords > 2 * liveWords) this.#rewrite()
  }

  /** Copies what lives into a fresh arena, in order if there is one. Entries that went have paid for it. */
  #rewrite(): void {
    const before = this.#arena
    const after = new EntryArena()
    const living = this.#order.isRead ? [...this.#order.all()] : this.#slots.references()
    this.#slots.clear()
    const copied = living.map((reference) => {
      const copy = after.copy(before, reference)
      this.#slots.add(before.hash(reference), copy)
      return copy
    })
    const { isRead } = this.#order
    const order = new OrderedReferences(after, isRead ? copied : undefined, this.#order.nextVersion)
    if (!isRead) for (const reference of copied) order.add(reference)
    this.#arena = after
    this.#order = order
  }

  /** Steps a reader to the next entry of its range. */
  #step(reader: MemoryReader): ByteEntry | undefined {
    const { range, cursor, last } = reader
    const reference = range.reverse
      ? this.#order.descend(cursor, last ?? range.to)
      : this.#order.ascend(cursor, last ?? range.from, last !== undefined)
    if (reference === -1 || this.#isBeyond(reference, range)) return undefined
    reader.last = this.#arena.key(reference)
    return [reader.last, this.#arena.value(reference)]
  }

  #isBeyond(reference: number, { from, to, reverse }: ByteRange): boolean {
    if (reverse) return from !== undefined && this.#arena.compareKey(reference, from) < 0
    return to !== undefined && this.#arena.compareKey(reference, to) >= 0
  }
}

/** Where a range is read: from the last key on, whatever has become of the store since. */
class MemoryReader implements Iterator<ByteEntry> {
  readonly cursor = new ReferenceCursor()
  last: Uint8Array | undefined
  #done = false

  constructor(
    readonly range: ByteRange,
    private readonly step: (reader: MemoryReader) => ByteEntry | undefined,
  ) {}

  next(): IteratorResult<ByteEntry> {
    const value = this.#done ? undefined : this.step(this)
    if (value !== undefined) return { done: false, value }
    this.#done = true
    return { done: true, value: undefined }
  }
}
