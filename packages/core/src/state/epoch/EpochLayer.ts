import { HashSlots } from '../HashSlots.js'
import { OrderedReferences, type ReferenceCursor } from '../OrderedReferences.js'
import { type ChangeView, type LayerEntry, NO_VALUE, NOT_LOOKED_UP, type PackedChanges } from './PackedChanges.js'
import { type Extent, PackedEntries } from './PackedEntries.js'

const NOTHING: Extent = { size: 0, packedBytes: 0 }

/** How the number of entries and their bytes differ from what lies below a layer. */
export interface SizeChange {
  readonly entries: number
  readonly bytes: number
}

/** What one epoch has written to one byte store, above what is committed (E2). */
export class EpochLayer implements PackedChanges {
  /** Index + 1 of each key. */
  readonly #slots: HashSlots
  readonly #entries: PackedEntries
  readonly #order: OrderedReferences
  /** So many keys are in the order: most orders nobody asks for. */
  #ordered = 0
  #bytes = 0
  /** Everything below this layer is gone: the epoch cleared the store before what it holds was written. */
  #cleared = false
  /** So many keys are counted in the sizes that follow. */
  #counted = 0
  #sizeEntries = 0
  #sizeBytes = 0

  /**
   * @param grown gets by how many bytes the layer has grown, less than 0 when it has shrunk
   * @param like it will hold about as much as this
   */
  constructor(
    readonly epoch: number,
    private readonly grown: (bytes: number) => void = () => undefined,
    like = NOTHING,
  ) {
    this.#slots = new HashSlots(like.size)
    const entries = new PackedEntries(like)
    this.#entries = entries
    this.#order = new OrderedReferences({
      compare: (a, b) => entries.compare(a, b),
      compareKey: (index, key) => entries.compareKey(index, key),
      isGone: () => false,
    })
  }

  get cleared(): boolean {
    return this.#cleared
  }

  /** Bytes of its keys and values: what it holds in memory until its epoch is committed (E3). */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  get extent(): Extent {
    return this.#entries
  }

  /**
   * Where the epoch's write of this key lies; −1 when it has none.
   *
   * @param hash of the key, by `hashBytes`
   */
  find(hash: number, key: Uint8Array): number {
    const slots = this.#slots
    let at = slots.first(hash)
    while (at >= 0) {
      const index = slots.reference(at) - 1
      if (this.#entries.hasKey(index, key)) return index
      at = slots.next(at)
    }
    return -1
  }

  /** A copy. */
  keyAt(index: number): Uint8Array {
    return this.#entries.key(index)
  }

  /** Undefined when the epoch deleted it. To be read only. */
  valueAt(index: number): Uint8Array | undefined {
    return this.#entries.value(index)
  }

  look(index: number, view: ChangeView): void {
    this.#entries.look(index, view)
  }

  /**
   * Takes in a key that the epoch has not written yet.
   *
   * @param hash of the key, by `hashBytes`
   * @param value undefined deletes
   * @param below the length of its value below this layer, or `NO_VALUE`, or `NOT_LOOKED_UP`
   * @param place as in `ChangeView`
   * @returns its index
   */
  add(hash: number, key: Uint8Array, value: Uint8Array | undefined, below: number, place = 0): number {
    const index = this.#entries.add(key, value, this.#cleared ? NO_VALUE : below, place)
    this.#slots.add(hash, index + 1)
    this.#grow(key.length + (value?.length ?? 0))
    return index
  }

  replace(index: number, value: Uint8Array | undefined): void {
    const before = this.#entries.valueLength(index)
    this.#entries.setValue(index, value)
    this.#grow((value?.length ?? 0) - Math.max(0, before))
    if (index < this.#counted) this.#count(index, before, value?.length ?? NO_VALUE)
  }

  clear(): void {
    this.#slots.clear()
    this.#entries.clear()
    this.#order.clear()
    this.#ordered = 0
    this.#cleared = true
    this.#counted = 0
    this.#sizeEntries = 0
    this.#sizeBytes = 0
    this.#grow(-this.#bytes)
  }

  /**
   * What this layer adds to the size of what lies below. A key is looked for there once at most, and only if anybody
   * asks.
   *
   * @param below tells the length of a key's value below this layer, or `NO_VALUE`
   */
  sizeChange(below: (key: Uint8Array) => number): SizeChange {
    const entries = this.#entries
    for (; this.#counted < entries.size; this.#counted++) {
      const index = this.#counted
      if (entries.below(index) === NOT_LOOKED_UP) entries.setBelow(index, below(entries.key(index)))
      this.#count(index, entries.below(index), entries.valueLength(index))
    }
    return { entries: this.#sizeEntries, bytes: this.#sizeBytes }
  }

  /** Steps a cursor up, as `OrderedReferences` does. @returns an index for `keyAt`, or −1 */
  ascend(cursor: ReferenceCursor, from: Uint8Array | undefined, behind: boolean): number {
    return this.#inOrder.ascend(cursor, from, behind)
  }

  /** Steps a cursor down, as `OrderedReferences` does. @returns an index for `keyAt`, or −1 */
  descend(cursor: ReferenceCursor, below: Uint8Array | undefined): number {
    return this.#inOrder.descend(cursor, below)
  }

  /** Changes whenever a key has come that was not there. */
  get version(): number {
    return this.#inOrder.version
  }

  /** Each key once, with its final value of the epoch, in the order in which the keys were first written. */
  [Symbol.iterator](): Iterator<LayerEntry> {
    return new Entries(this)
  }

  get #inOrder(): OrderedReferences {
    while (this.#ordered < this.#entries.size) this.#order.add(this.#ordered++)
    return this.#order
  }

  /** One key's value has changed from one length to another. */
  #count(index: number, before: number, after: number): void {
    const keyLength = this.#entries.keyLength(index)
    if (before !== NO_VALUE) {
      this.#sizeEntries--
      this.#sizeBytes -= keyLength + before
    }
    if (after !== NO_VALUE) {
      this.#sizeEntries++
      this.#sizeBytes += keyLength + after
    }
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.grown(bytes)
  }
}

/** By hand, because a generator costs more than the rest of a commit to memory. */
class Entries implements Iterator<LayerEntry> {
  #index = 0

  constructor(private readonly layer: EpochLayer) {}

  next(): IteratorResult<LayerEntry> {
    const index = this.#index
    if (index >= this.layer.size) return { done: true, value: undefined }
    this.#index = index + 1
    return { done: false, value: [this.layer.keyAt(index), this.layer.valueAt(index)] }
  }
}
