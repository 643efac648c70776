import imported from 'sorted-btree'
import { compareBytes } from '../../model/bytes.js'

/** A write that a later one of the same epoch replaces in place. */
interface Written {
  value: Uint8Array | undefined
}

/** The newest write of a key within one epoch: its bytes, or undefined when the epoch deleted it. */
export type LayerEntry = readonly [key: Uint8Array, value: Uint8Array | undefined]

interface Tree {
  readonly size: number
  get(key: Uint8Array): Written | undefined
  set(key: Uint8Array, value: Written): boolean
  clear(): void
  getPairOrNextHigher(key: Uint8Array): [Uint8Array, { readonly value: Uint8Array | undefined }] | undefined
  nextHigherPair(key: Uint8Array | undefined): [Uint8Array, { readonly value: Uint8Array | undefined }] | undefined
  nextLowerPair(key: Uint8Array | undefined): [Uint8Array, { readonly value: Uint8Array | undefined }] | undefined
}

// As in MemoryByteStore: the package's default export differs between hosts.
const BTree = ((imported as { default?: unknown }).default ?? imported) as new (
  entries: undefined,
  compare: typeof compareBytes,
) => Tree

/** What one epoch has written to one byte store, above what is committed (E2). */
export class EpochLayer {
  readonly #tree: Tree = new BTree(undefined, compareBytes)
  /** Everything below this layer is gone: the epoch cleared the store before what it holds was written. */
  cleared = false
  #bytes = 0

  /** @param grown gets by how many bytes the layer has grown, less than 0 when it has shrunk */
  constructor(
    readonly epoch: number,
    private readonly grown: (bytes: number) => void = () => undefined,
  ) {}

  /** Bytes of its keys and values: what it holds in memory until its epoch is committed (E3). */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#tree.size
  }

  /** The epoch's write of this key; undefined when it has none. */
  get(key: Uint8Array): { readonly value: Uint8Array | undefined } | undefined {
    return this.#tree.get(key)
  }

  put(key: Uint8Array, value: Uint8Array | undefined): void {
    const size = value?.length ?? 0
    const known = this.#tree.get(key)
    if (known === undefined) {
      this.#tree.set(key, { value })
      this.#grow(key.length + size)
    } else {
      this.#grow(size - (known.value?.length ?? 0))
      known.value = value
    }
  }

  clear(): void {
    this.#tree.clear()
    this.cleared = true
    this.#grow(-this.#bytes)
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.grown(bytes)
  }

  /** The least key ≥ `from`, or > `after` when that is given; the first when neither is. */
  ascending(from: Uint8Array | undefined, after: Uint8Array | undefined): Uint8Array | undefined {
    if (after !== undefined) return this.#tree.nextHigherPair(after)?.[0]
    if (from !== undefined) return this.#tree.getPairOrNextHigher(from)?.[0]
    return this.#tree.nextHigherPair(undefined)?.[0]
  }

  /** The greatest key < `below`; the last when it is absent. */
  descending(below: Uint8Array | undefined): Uint8Array | undefined {
    return this.#tree.nextLowerPair(below)?.[0]
  }

  /** Each key once, with its final value of the epoch, in order. */
  *entries(): Generator<LayerEntry> {
    let pair = this.#tree.nextHigherPair(undefined)
    while (pair !== undefined) {
      yield [pair[0], pair[1].value]
      pair = this.#tree.nextHigherPair(pair[0])
    }
  }
}
