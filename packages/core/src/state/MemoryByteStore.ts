import imported from 'sorted-btree'
import { compareBytes } from '../model/bytes.js'
import type { ByteEntry, ByteRange, OrderedByteStore } from './OrderedByteStore.js'

type Pair = [key: Uint8Array, value: Uint8Array]

/** What is used of the package's B+ tree. */
interface Tree {
  readonly size: number
  get(key: Uint8Array): Uint8Array | undefined
  set(key: Uint8Array, value: Uint8Array): boolean
  delete(key: Uint8Array): boolean
  clear(): void
  getPairOrNextHigher(key: Uint8Array): Pair | undefined
  nextHigherPair(key: Uint8Array | undefined): Pair | undefined
  nextLowerPair(key: Uint8Array | undefined): Pair | undefined
}

// The package is CommonJS: Node gives its exports object as the default import, some bundlers the class itself,
// and the compiler's types differ in the same way. Hence the interface above.
const BTree = ((imported as { default?: unknown }).default ?? imported) as new (
  entries: undefined,
  compare: typeof compareBytes,
) => Tree

/** An ordered byte store in memory, over a B+ tree: every operation and every step of a range is O(log n). */
export class MemoryByteStore implements OrderedByteStore {
  readonly #tree: Tree = new BTree(undefined, compareBytes)
  #bytes = 0

  get size(): number {
    return this.#tree.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tree.get(key)
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    const previous = this.#tree.get(key)
    this.#tree.set(key, value)
    this.#bytes += previous === undefined ? key.length + value.length : value.length - previous.length
    return previous
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    const previous = this.#tree.get(key)
    if (previous === undefined) return undefined
    this.#tree.delete(key)
    this.#bytes -= key.length + previous.length
    return previous
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return range.reverse ? this.#descending(range) : this.#ascending(range)
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    // Keys are collected first: the tree must not change under its own traversal.
    const keys = [...this.range({ from, to })].map(([key]) => key)
    for (const key of keys) this.delete(key)
    return keys.length
  }

  clear(): void {
    this.#tree.clear()
    this.#bytes = 0
  }

  *#ascending({ from, to }: ByteRange): Generator<ByteEntry> {
    let entry = from === undefined ? this.#tree.nextHigherPair(undefined) : this.#tree.getPairOrNextHigher(from)
    while (entry !== undefined && (to === undefined || compareBytes(entry[0], to) < 0)) {
      yield entry
      entry = this.#tree.nextHigherPair(entry[0])
    }
  }

  *#descending({ from, to }: ByteRange): Generator<ByteEntry> {
    let entry = this.#tree.nextLowerPair(to)
    while (entry !== undefined && (from === undefined || compareBytes(entry[0], from) >= 0)) {
      yield entry
      entry = this.#tree.nextLowerPair(entry[0])
    }
  }
}
