import { copyOf, EntryView } from './entry.js'
import { hashKey } from './KeyFilter.js'
import { KeyOrder, type OrderedRun } from './KeyOrder.js'

const FIRST_SLOTS = 16
const FIRST_ENTRIES = 8

/**
 * The changes of one store that are in no run yet. The entries themselves lie in pieces of the log, side by side; here
 * is where each begins, by a hash of its key, and the order of the keys (KeyOrder.ts). Of a key the last change counts.
 */
export class ChangeBuffer {
  /** Of each entry: its piece, and where it begins there; −1 − that once it was taken out. */
  #refs = new Int32Array(2 * FIRST_ENTRIES)
  #entries = 0
  /** Two numbers a slot: hash, and entry + 1. With open addressing, at most half full. */
  #slots = new Int32Array(2 * FIRST_SLOTS)
  #size = 0
  readonly #view = new EntryView()
  readonly #other = new EntryView()
  readonly #order = new KeyOrder({
    look: (view, entry) => this.#look(view, entry),
    isGone: (entry) => (this.#refs[2 * entry + 1] as number) < 0,
  })
  /** Keys that have come since the last `endPiece`, in order. */
  #added: number[] = []

  /**
   * @param store its id
   * @param pieces by number, as `add` is given it; they only ever become more
   */
  constructor(
    private readonly store: number,
    private readonly pieces: readonly Uint8Array[],
  ) {}

  /** How many keys are in it, deleted ones too. */
  get size(): number {
    return this.#size
  }

  /** Adds the entry that begins at an offset of a piece. Entries of a piece come in order, then `endPiece`. */
  add(piece: number, start: number): void {
    const view = this.#view
    view.set(this.pieces[piece] as Uint8Array, start)
    const hash = hashKey(this.store, view.bytes, view.keyStart, view.keyEnd)
    const slot = this.#find(hash, view)
    const known = (this.#slots[slot + 1] as number) - 1
    const entry = known < 0 ? this.#append(slot, hash) : known
    this.#refs[2 * entry] = piece
    this.#refs[2 * entry + 1] = start
  }

  endPiece(): void {
    if (this.#added.length > 0) this.#order.add(Int32Array.from(this.#added))
    this.#added = []
  }

  /** Takes a key out. */
  remove(key: Uint8Array): void {
    const slot = this.#slotOf(hashKey(this.store, key, 0, key.length), key)
    const entry = (this.#slots[slot + 1] as number) - 1
    if (entry < 0) return
    this.#refs[2 * entry + 1] = -1 - (this.#refs[2 * entry + 1] as number)
    this.#free(slot)
    this.#size--
  }

  /**
   * @param hash of the key, by `hashKey`
   * @returns a copy of the value, null when the key is deleted here, undefined when it was not changed
   */
  get(hash: number, key: Uint8Array): Uint8Array | null | undefined {
    const entry = (this.#slots[this.#slotOf(hash, key) + 1] as number) - 1
    if (entry < 0) return undefined
    const view = this.#view
    this.#look(view, entry)
    return view.isDeleted ? null : copyOf(view.bytes, view.keyEnd, view.end)
  }

  /** The keys in order, in runs that together have all of them. It holds until the next `add` or `remove`. */
  get runs(): readonly OrderedRun[] {
    return this.#order.runs
  }

  /** Makes the runs one, and gives others their turn. Nothing is added any more. */
  async settle(pause: () => Promise<void>): Promise<void> {
    await this.#order.settle(pause)
  }

  #look(view: EntryView, entry: number): void {
    const start = this.#refs[2 * entry + 1] as number
    view.set(this.pieces[this.#refs[2 * entry] as number] as Uint8Array, start < 0 ? -1 - start : start)
  }

  #slotOf(hash: number, key: Uint8Array): number {
    const other = this.#other
    other.bytes = key
    other.keyStart = 0
    other.keyEnd = key.length
    return this.#find(hash, other)
  }

  /** The slot of a key; the free one where it belongs when it is not there. */
  #find(hash: number, key: EntryView): number {
    const slots = this.#slots
    const wrap = slots.length - 1
    let slot = (hash << 1) & wrap
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & wrap) {
      if (slots[slot] === hash && this.#hasKey((slots[slot + 1] as number) - 1, key)) break
    }
    return slot
  }

  #hasKey(entry: number, { bytes, keyStart, keyEnd }: EntryView): boolean {
    const piece = this.pieces[this.#refs[2 * entry] as number] as Uint8Array
    const start = this.#refs[2 * entry + 1] as number
    const length = keyEnd - keyStart
    // Nearly always each of the two lengths is one byte.
    if (length < 128 && (piece[start + 1] as number) < 128) {
      if (piece[start] !== length) return false
      for (let i = 0; i < length; i++) if (piece[start + 2 + i] !== bytes[keyStart + i]) return false
      return true
    }
    const long = new EntryView()
    long.set(piece, start)
    if (long.keyEnd - long.keyStart !== length) return false
    for (let i = 0; i < length; i++) if (piece[long.keyStart + i] !== bytes[keyStart + i]) return false
    return true
  }

  /** A new entry. @returns its number */
  #append(slot: number, hash: number): number {
    const entry = this.#entries++
    if (2 * this.#entries > this.#refs.length) {
      const larger = new Int32Array(2 * this.#refs.length)
      larger.set(this.#refs)
      this.#refs = larger
    }
    this.#slots[slot] = hash
    this.#slots[slot + 1] = entry + 1
    this.#added.push(entry)
    if (4 * ++this.#size > this.#slots.length) this.#grow()
    return entry
  }

  #grow(): void {
    const before = this.#slots
    const slots = new Int32Array(2 * before.length)
    const wrap = slots.length - 1
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue
      let slot = ((before[at] as number) << 1) & wrap
      while (slots[slot + 1] !== 0) slot = (slot + 2) & wrap
      slots[slot] = before[at] as number
      slots[slot + 1] = before[at + 1] as number
    }
    this.#slots = slots
  }

  /** Those behind a slot move up, so that no way to them has a gap. */
  #free(slot: number): void {
    const slots = this.#slots
    const wrap = slots.length - 1
    let hole = slot
    for (let at = (slot + 2) & wrap; slots[at + 1] !== 0; at = (at + 2) & wrap) {
      const home = ((slots[at] as number) << 1) & wrap
      if (((at - home) & wrap) < ((at - hole) & wrap)) continue
      slots[hole] = slots[at] as number
      slots[hole + 1] = slots[at + 1] as number
      hole = at
    }
    slots[hole + 1] = 0
  }
}
