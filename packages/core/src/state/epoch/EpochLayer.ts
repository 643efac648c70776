import { EntryArena } from '../EntryArena.js'
import { HashSlots } from '../HashSlots.js'
import { hashBytes } from '../hashBytes.js'
import { OrderedReferences, type ReferenceCursor } from '../OrderedReferences.js'

/** The newest write of a key within one epoch: its bytes, or undefined when the epoch deleted it. */
export type LayerEntry = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** In the place of a value's length: there is none. */
export const ABSENT = -1

const NOTHING = new Uint8Array(0)

/** How the number of entries and their bytes differ from what lies below a layer. */
export interface SizeChange {
  readonly entries: number
  readonly bytes: number
}

/** What one epoch has written to one byte store, above what is committed (E2). */
export class EpochLayer {
  /** Index + 1 of each key. */
  readonly #slots: HashSlots
  /** The keys side by side: an epoch lives too long for each to be an object of its own. */
  #keys = new EntryArena()
  /** Of each key, in `#keys`. */
  readonly #references: number[] = []
  readonly #values: (Uint8Array | undefined)[] = []
  /** Lengths of the values below, or `ABSENT`; of the first so many keys, as far as anybody has asked. */
  readonly #below: number[] = []
  readonly #order = new OrderedReferences({
    compare: (a, b) => this.#keys.compare(this.#references[a] as number, this.#references[b] as number),
    compareKey: (index, key) => this.#keys.compareKey(this.#references[index] as number, key),
    isGone: () => false,
  })
  #bytes = 0
  /** Everything below this layer is gone: the epoch cleared the store before what it holds was written. */
  #cleared = false
  #sizeEntries = 0
  #sizeBytes = 0

  /**
   * @param grown gets by how many bytes the layer has grown, less than 0 when it has shrunk
   * @param expected how many keys it will hold, about
   */
  constructor(
    readonly epoch: number,
    private readonly grown: (bytes: number) => void = () => undefined,
    expected = 0,
  ) {
    this.#slots = new HashSlots(expected)
  }

  get cleared(): boolean {
    return this.#cleared
  }

  /** Bytes of its keys and values: what it holds in memory until its epoch is committed (E3). */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#references.length
  }

  /** Where the epoch's write of this key lies; −1 when it has none. */
  find(key: Uint8Array): number {
    return this.#slots.size === 0 ? -1 : this.#find(hashBytes(key), key)
  }

  #find(hash: number, key: Uint8Array): number {
    const slots = this.#slots
    let at = slots.first(hash)
    while (at >= 0) {
      const index = slots.reference(at) - 1
      if (this.#keys.hasKey(this.#references[index] as number, key)) return index
      at = slots.next(at)
    }
    return -1
  }

  /** A copy. */
  keyAt(index: number): Uint8Array {
    return this.#keys.key(this.#references[index] as number)
  }

  /** Undefined when the epoch deleted it. */
  valueAt(index: number): Uint8Array | undefined {
    return this.#values[index]
  }

  put(key: Uint8Array, value: Uint8Array | undefined): void {
    const hash = hashBytes(key)
    const index = this.#find(hash, key)
    if (index < 0) this.#add(hash, key, value)
    else this.#replace(index, value)
  }

  clear(): void {
    this.#slots.clear()
    this.#keys = new EntryArena()
    this.#references.length = 0
    this.#values.length = 0
    this.#below.length = 0
    this.#order.clear()
    this.#cleared = true
    this.#sizeEntries = 0
    this.#sizeBytes = 0
    this.#grow(-this.#bytes)
  }

  /**
   * What this layer adds to the size of what lies below. Each key is looked for below once, and only if anybody asks.
   *
   * @param below tells the length of a key's value below this layer, or `ABSENT`
   */
  sizeChange(below: (key: Uint8Array) => number): SizeChange {
    for (let index = this.#below.length; index < this.#references.length; index++) {
      const key = this.keyAt(index)
      const before = this.#cleared ? ABSENT : below(key)
      this.#below.push(before)
      this.#count(key, before, this.#values[index]?.length ?? ABSENT)
    }
    return { entries: this.#sizeEntries, bytes: this.#sizeBytes }
  }

  /** Steps a cursor up, as `OrderedReferences` does. @returns an index for `keyAt`, or −1 */
  ascend(cursor: ReferenceCursor, from: Uint8Array | undefined, behind: boolean): number {
    return this.#order.ascend(cursor, from, behind)
  }

  /** Steps a cursor down, as `OrderedReferences` does. @returns an index for `keyAt`, or −1 */
  descend(cursor: ReferenceCursor, below: Uint8Array | undefined): number {
    return this.#order.descend(cursor, below)
  }

  /** Changes whenever a key has come that was not there. */
  get version(): number {
    return this.#order.version
  }

  /** Each key once, with its final value of the epoch, in the order in which the keys were first written. */
  entries(): IterableIterator<LayerEntry> {
    return new Entries(this)
  }

  #add(hash: number, key: Uint8Array, value: Uint8Array | undefined): void {
    const index = this.#references.length
    this.#references.push(this.#keys.add(hash, key, NOTHING))
    this.#values.push(value)
    this.#slots.add(hash, index + 1)
    this.#order.add(index)
    this.#grow(key.length + (value?.length ?? 0))
  }

  #replace(index: number, value: Uint8Array | undefined): void {
    const known = this.#values[index]
    this.#values[index] = value
    this.#grow((value?.length ?? 0) - (known?.length ?? 0))
    if (index < this.#below.length) {
      this.#count(this.keyAt(index), known?.length ?? ABSENT, value?.length ?? ABSENT)
    }
  }

  /** One key's value has changed from one length to another. */
  #count(key: Uint8Array, before: number, after: number): void {
    if (before !== ABSENT) {
      this.#sizeEntries--
      this.#sizeBytes -= key.length + before
    }
    if (after !== ABSENT) {
      this.#sizeEntries++
      this.#sizeBytes += key.length + after
    }
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.grown(bytes)
  }
}

/** By hand, because a generator costs more than the rest of a commit to memory. */
class Entries implements IterableIterator<LayerEntry> {
  #index = 0

  constructor(private readonly layer: EpochLayer) {}

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<LayerEntry> {
    const index = this.#index
    if (index >= this.layer.size) return { done: true, value: undefined }
    this.#index = index + 1
    return { done: false, value: [this.layer.keyAt(index), this.layer.valueAt(index)] }
  }
}
