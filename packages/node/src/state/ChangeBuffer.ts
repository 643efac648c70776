import { NO_VALUE, NOT_LOOKED_UP } from '@lanescope/core'
import { copyOf, EntryView } from './entry.js'
import { KeyOrder, type OrderedRun } from './KeyOrder.js'

const FIRST_SLOTS = 16
const FIRST_ENTRIES = 8
/** So many slots are moved between two looks at the clock. */
const SLOTS_AT_ONCE = 1 << 13

/**
 * The changes of one store that are in no run yet. The entries themselves lie in pieces of the log, side by side; here
 * is where each begins, by a hash of its key, and the order of the keys (KeyOrder.ts). Of a key the last change counts.
 *
 * A commit takes its keys in before it is written, piece by piece: `stage`. They count once each is shown where its
 * change lies: so what takes long does not have to happen at once, and what happens at once does not take long.
 */
export class ChangeBuffer {
  /** Of each entry: its piece, −1 − that while it does not count yet; where it begins there, −1 − that once it is gone. */
  #refs = new Int32Array(2 * FIRST_ENTRIES)
  #entries = 0
  /** Two numbers a slot: hash, and entry + 1. With open addressing, at most half full. */
  #slots = new Int32Array(2 * FIRST_SLOTS)
  #size = 0
  /** Of the key that was looked for last. */
  #slot = 0
  #found = -1
  readonly #view = new EntryView()
  readonly #order = new KeyOrder({
    look: (view, entry) => this.#look(view, entry),
    isGone: (entry) => (this.#refs[2 * entry + 1] as number) < 0,
    isHidden: (entry) => this.#isHidden(entry),
  })
  /** Keys that have come since the last `endPiece`, in order. */
  #added: number[] = []

  /**
   * @param pieces by number, as `stage` is given it; they only ever become more
   * @param firstPlace of the place of the first entry; those of a store's buffers follow each other
   */
  constructor(
    private readonly pieces: readonly Uint8Array[],
    private readonly firstPlace = 1,
  ) {}

  /** Where the key lies that was looked for last: for `entryAt`. */
  get place(): number {
    return this.#found < 0 ? 0 : (this.firstPlace + this.#found) | 0
  }

  /** That of the buffer that follows this one. */
  get nextPlace(): number {
    return (this.firstPlace + this.#entries) | 0
  }

  /** The entry at a place that a buffer of the store has given, if it is one of this buffer and counts; else −1. */
  entryAt(place: number): number {
    const entry = (place - this.firstPlace) | 0
    return place === 0 || entry < 0 || entry >= this.#entries || this.#isHidden(entry) ? -1 : entry
  }

  /** How many keys are in it: deleted ones too, and those that do not count yet. */
  get size(): number {
    return this.#size
  }

  /**
   * Looks for a key: the bytes from an offset on, before another one.
   *
   * @param hash of the key, by `hashKey`
   * @returns its entry, whether it counts or not; −1 when there is none
   */
  find(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots
    const wrap = slots.length - 1
    let slot = (hash << 1) & wrap
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & wrap) {
      if (slots[slot] === hash && this.#hasKey((slots[slot + 1] as number) - 1, bytes, from, to)) break
    }
    this.#slot = slot
    this.#found = (slots[slot + 1] as number) - 1
    return this.#found
  }

  /** @returns a copy of the value, null when the key is deleted here, undefined when it was not changed */
  get(hash: number, key: Uint8Array): Uint8Array | null | undefined {
    const entry = this.find(hash, key, 0, key.length)
    if (entry < 0 || this.#isHidden(entry)) return undefined
    const view = this.#view
    this.#look(view, entry)
    return view.isDeleted ? null : copyOf(view.bytes, view.keyEnd, view.end)
  }

  /** How long the value of an entry is; `NO_VALUE`: it is deleted here; `NOT_LOOKED_UP`: it was not changed here. */
  lengthOf(entry: number): number {
    if (entry < 0 || this.#isHidden(entry)) return NOT_LOOKED_UP
    const view = this.#view
    this.#look(view, entry)
    return view.isDeleted ? NO_VALUE : view.end - view.keyEnd
  }

  /** Sees to it that so many keys more have room. */
  async makeRoom(keys: number, pause: () => Promise<void>): Promise<void> {
    while (4 * (this.#size + keys) > this.#slots.length) await this.#grow(pause)
  }

  /**
   * Takes in the key that `find` has just not found, for which there is room. It does not count before it is shown. Keys
   * of a piece come in order, then `endPiece`.
   *
   * @param start where its entry is to begin in the piece of this number
   * @returns its entry
   */
  stage(hash: number, piece: number, start: number): number {
    const entry = this.#entries++
    if (2 * this.#entries > this.#refs.length) {
      const larger = new Int32Array(2 * this.#refs.length)
      larger.set(this.#refs)
      this.#refs = larger
    }
    this.#refs[2 * entry] = -1 - piece
    this.#refs[2 * entry + 1] = start
    this.#slots[this.#slot] = hash
    this.#slots[this.#slot + 1] = entry + 1
    this.#size++
    this.#added.push(entry)
    return entry
  }

  /** The piece that the keys are in is there. */
  async endPiece(pause: () => Promise<void>): Promise<void> {
    const added = this.#added
    this.#added = []
    if (added.length > 0) await this.#order.add(Int32Array.from(added), pause)
  }

  /** From now on this is the change that counts of an entry's key. */
  show(entry: number, piece: number, start: number): void {
    this.#refs[2 * entry] = piece
    this.#refs[2 * entry + 1] = start
  }

  /** From now on an entry does not count any more. It takes its place until it is swept. */
  hide(entry: number): void {
    this.#refs[2 * entry + 1] = -1 - (this.#refs[2 * entry + 1] as number)
  }

  /** @param hash of the key of an entry that was hidden */
  sweep(entry: number, hash: number): void {
    const slots = this.#slots
    const wrap = slots.length - 1
    let slot = (hash << 1) & wrap
    while (slots[slot + 1] !== entry + 1) slot = (slot + 2) & wrap
    this.#free(slot)
    this.#size--
  }

  /** What was staged and not shown will not come to count. */
  abandon(): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length)
    this.#added = []
    for (let at = 0; at < before.length; at += 2) {
      const entry = (before[at + 1] as number) - 1
      if (entry < 0) continue
      if ((this.#refs[2 * entry] as number) >= 0) place(this.#slots, before[at] as number, entry + 1)
      else {
        this.hide(entry)
        this.#size--
      }
    }
  }

  /** The keys in order, in runs that together have all of them. It holds until one is shown, or hidden. */
  get runs(): readonly OrderedRun[] {
    return this.#order.runs
  }

  /** Makes the runs one, and gives others their turn. Nothing is added any more. */
  async settle(pause: () => Promise<void>): Promise<void> {
    await this.#order.settle(pause)
  }

  #isHidden(entry: number): boolean {
    return (this.#refs[2 * entry] as number) < 0 || (this.#refs[2 * entry + 1] as number) < 0
  }

  #look(view: EntryView, entry: number): void {
    const start = this.#refs[2 * entry + 1] as number
    view.set(this.#pieceOf(entry), start < 0 ? -1 - start : start)
  }

  #pieceOf(entry: number): Uint8Array {
    const piece = this.#refs[2 * entry] as number
    return this.pieces[piece < 0 ? -1 - piece : piece] as Uint8Array
  }

  #hasKey(entry: number, bytes: Uint8Array, from: number, to: number): boolean {
    const piece = this.#pieceOf(entry)
    // Staged, in a piece that is not there yet: that has each key once.
    if (piece === undefined) return false
    const known = this.#refs[2 * entry + 1] as number
    const start = known < 0 ? -1 - known : known
    const length = to - from
    // Nearly always each of the two lengths is one byte.
    if (length < 128 && (piece[start + 1] as number) < 128) {
      if (piece[start] !== length) return false
      for (let i = 0; i < length; i++) if (piece[start + 2 + i] !== bytes[from + i]) return false
      return true
    }
    const long = new EntryView()
    long.set(piece, start)
    if (long.keyEnd - long.keyStart !== length) return false
    for (let i = 0; i < length; i++) if (piece[long.keyStart + i] !== bytes[from + i]) return false
    return true
  }

  async #grow(pause: () => Promise<void>): Promise<void> {
    const before = this.#slots
    const slots = new Int32Array(2 * before.length)
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] !== 0) place(slots, before[at] as number, before[at + 1] as number)
      if (at % SLOTS_AT_ONCE === 0) await pause()
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

/** Puts what is not there yet into a table that has room. */
function place(slots: Int32Array, hash: number, content: number): void {
  const wrap = slots.length - 1
  let slot = (hash << 1) & wrap
  while (slots[slot + 1] !== 0) slot = (slot + 2) & wrap
  slots[slot] = hash
  slots[slot + 1] = content
}
