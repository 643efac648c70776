import { endOfEscaped, readEscaped } from './orderedBytes.js'
import type { PendingTimer } from './PendingTimer.js'
import { compareParts, TimerForm } from './TimerForm.js'
import { readName } from './timerLayout.js'

/** The `storedAt` of a timer that no store has. */
export const NOT_STORED = -1
/** In the place of a row: there is none. */
export const NO_ROW = 0

/** A slab has at most so many words, unless one row needs more. A power of two: a row names slab and word. */
const SLAB_BITS = 18
const SLAB_WORDS = 1 << SLAB_BITS
const FIRST_SLAB_WORDS = 256
const MOST_SLABS = 1 << (31 - SLAB_BITS)
/** When nothing is held so many slabs are kept, 340 KiB: most timers come and go with each epoch. */
const MOST_KEPT_SLABS = 5

/*
 * A row, in words of 4 bytes: hash, length of the tail, state, place among the changes; in words of 8: time, the time at
 * which the store has it, sequence; then the tail. A row that is free: in the place of its hash the next free one.
 */
const LENGTH = 1
const STATE = 2
const SLOT = 3
const TIME = 2
const STORED_TIME = 3
const SEQUENCE = 4
const HEAD_WORDS = 10
const HEAD_BYTES = 4 * HEAD_WORDS

/** Fired, deleted or replaced: in the heap a husk. */
const GONE = 1
/** Who holds a row. It is free once nobody does. */
export const IN_HEAP = 2
export const IN_INDEX = 4
export const IN_FRONT = 8
const HELD = IN_HEAP | IN_INDEX | IN_FRONT
const NAMED = 16

interface Slab {
  readonly words: Int32Array
  readonly doubles: Float64Array
  readonly bytes: Uint8Array
}

/**
 * Timers in memory, side by side in slabs: what `TimerHeap` orders, `TimerIndex` finds and `StoredLaneTimers` writes. A
 * million of them are a few objects to the garbage collector, and each has its key and name in the bytes that the store
 * gets. A row is a number above 0; one that nobody holds any more is used again.
 */
export class TimerRows {
  readonly #slabs: Slab[] = []
  /** The slab that rows are taken from; those before it are used up, those behind it are not begun. */
  #current = 0
  /** Its first free word. Row 0 stays free: it means none. */
  #end = 2
  /** By half the number of their words, the first of the rows that are free. */
  #free: number[] = []
  #live = 0
  readonly #copied = new TimerForm()

  /** How many rows are held. */
  get size(): number {
    return this.#live
  }

  /** How many bytes of memory they take. */
  get byteLength(): number {
    return this.#slabs.reduce((sum, { words }) => sum + words.byteLength, 0)
  }

  /** Adds a timer, held by nobody yet. `hash` of the form must be right. */
  add(form: TimerForm, sequence: number, storedAt: number): number {
    const { length, bytes } = form
    const row = this.#allocate(sizeOf(length))
    const slab = this.#slabs[row >>> SLAB_BITS] as Slab
    const word = row & (SLAB_WORDS - 1)
    slab.words[word] = form.hash
    slab.words[word + LENGTH] = length
    slab.words[word + STATE] = form.isNamed ? NAMED : 0
    slab.words[word + SLOT] = -1
    const double = word >>> 1
    slab.doubles[double + TIME] = form.at
    slab.doubles[double + STORED_TIME] = storedAt
    slab.doubles[double + SEQUENCE] = sequence
    const start = 4 * word + HEAD_BYTES
    const target = slab.bytes
    for (let i = 0; i < length; i++) target[start + i] = bytes[i] as number
    return row
  }

  /** Another row for the same timer, held by nobody yet. */
  copy(row: number): number {
    return this.add(this.copyTo(this.#copied, row), this.sequence(row), this.storedAt(row))
  }

  hash(row: number): number {
    return this.#slab(row).words[row & (SLAB_WORDS - 1)] as number
  }

  at(row: number): number {
    return this.#slab(row).doubles[((row & (SLAB_WORDS - 1)) >>> 1) + TIME] as number
  }

  sequence(row: number): number {
    return this.#slab(row).doubles[((row & (SLAB_WORDS - 1)) >>> 1) + SEQUENCE] as number
  }

  /** The time at which the store has this timer (T2); `NOT_STORED` when it does not. */
  storedAt(row: number): number {
    return this.#slab(row).doubles[((row & (SLAB_WORDS - 1)) >>> 1) + STORED_TIME] as number
  }

  setStoredAt(row: number, at: number): void {
    this.#slab(row).doubles[((row & (SLAB_WORDS - 1)) >>> 1) + STORED_TIME] = at
  }

  /** Its place among the changes that are held back; −1: it is as the store has it. */
  slot(row: number): number {
    return this.#slab(row).words[(row & (SLAB_WORDS - 1)) + SLOT] as number
  }

  setSlot(row: number, slot: number): void {
    this.#slab(row).words[(row & (SLAB_WORDS - 1)) + SLOT] = slot
  }

  isNamed(row: number): boolean {
    return ((this.#slab(row).words[(row & (SLAB_WORDS - 1)) + STATE] as number) & NAMED) !== 0
  }

  isGone(row: number): boolean {
    return ((this.#slab(row).words[(row & (SLAB_WORDS - 1)) + STATE] as number) & GONE) !== 0
  }

  setGone(row: number): void {
    this.#set(row, GONE)
  }

  /** @param holder one of `IN_HEAP`, `IN_INDEX`, `IN_FRONT` */
  hold(row: number, holder: number): void {
    this.#set(row, holder)
  }

  isHeldBy(row: number, holder: number): boolean {
    return ((this.#slab(row).words[(row & (SLAB_WORDS - 1)) + STATE] as number) & holder) !== 0
  }

  /** One of those that hold a row lets go of it. After the last one it may be another timer's at any time. */
  release(row: number, holder: number): void {
    const { words } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    const state = (words[word + STATE] as number) & ~holder
    words[word + STATE] = state
    if ((state & HELD) !== 0) return
    const size = sizeOf(words[word + LENGTH] as number)
    words[word] = this.#free[size] ?? NO_ROW
    this.#free[size] = row
    if (--this.#live === 0) this.#reset()
  }

  tailLength(row: number): number {
    return this.#slab(row).words[(row & (SLAB_WORDS - 1)) + LENGTH] as number
  }

  writeTail(row: number, target: Uint8Array, offset: number): void {
    const { words, bytes } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    const start = 4 * word + HEAD_BYTES
    const length = words[word + LENGTH] as number
    for (let i = 0; i < length; i++) target[offset + i] = bytes[start + i] as number
  }

  /** The timer of a row. */
  timer(row: number): PendingTimer {
    const slab = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    const start = 4 * word + HEAD_BYTES
    const end = start + (slab.words[word + LENGTH] as number)
    const keyEnd = endOfEscaped(slab.bytes, start, end)
    const double = word >>> 1
    return {
      keyBytes: readEscaped(slab.bytes, start, keyEnd),
      at: slab.doubles[double + TIME] as number,
      name: readName(slab.bytes, keyEnd, end),
      sequence: slab.doubles[double + SEQUENCE] as number,
    }
  }

  /** Fills a form with a row's timer. */
  copyTo(form: TimerForm, row: number): TimerForm {
    const { words, bytes } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    form.hash = words[word] as number
    return form.setTail(this.at(row), bytes, 4 * word + HEAD_BYTES, words[word + LENGTH] as number)
  }

  /** Whether a row is the same timer (T2), given that the hashes are the same. */
  isSame(row: number, form: TimerForm): boolean {
    const { words, doubles, bytes } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    const { length } = form
    if (words[word + LENGTH] !== length) return false
    if (!form.isNamed && doubles[(word >>> 1) + TIME] !== form.at) return false
    const start = 4 * word + HEAD_BYTES
    const tail = form.bytes
    for (let i = 0; i < length; i++) if (bytes[start + i] !== tail[i]) return false
    return true
  }

  /** Firing order (T5). */
  compare(a: number, b: number): number {
    const left = this.#slab(a)
    const right = this.#slab(b)
    const leftWord = a & (SLAB_WORDS - 1)
    const rightWord = b & (SLAB_WORDS - 1)
    const byTime =
      (left.doubles[(leftWord >>> 1) + TIME] as number) - (right.doubles[(rightWord >>> 1) + TIME] as number)
    if (byTime !== 0) return byTime
    return compareParts(
      left.bytes,
      4 * leftWord + HEAD_BYTES,
      left.words[leftWord + LENGTH] as number,
      right.bytes,
      4 * rightWord + HEAD_BYTES,
      right.words[rightWord + LENGTH] as number,
    )
  }

  /** Firing order of a row and a form. */
  compareForm(row: number, form: TimerForm): number {
    const { words, doubles, bytes } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    const byTime = (doubles[(word >>> 1) + TIME] as number) - form.at
    if (byTime !== 0) return byTime
    return compareParts(bytes, 4 * word + HEAD_BYTES, words[word + LENGTH] as number, form.bytes, 0, form.length)
  }

  #set(row: number, bit: number): void {
    const { words } = this.#slab(row)
    const word = row & (SLAB_WORDS - 1)
    words[word + STATE] = (words[word + STATE] as number) | bit
  }

  #slab(row: number): Slab {
    return this.#slabs[row >>> SLAB_BITS] as Slab
  }

  #allocate(size: number): number {
    this.#live++
    const free = this.#free[size] ?? NO_ROW
    if (free !== NO_ROW) {
      this.#free[size] = this.hash(free)
      return free
    }
    const words = 2 * size
    let slab = this.#slabs[this.#current]
    while (slab === undefined || this.#end + words > slab.words.length) {
      if (slab !== undefined) this.#current++
      this.#end = 2
      slab = this.#slabs[this.#current] ?? this.#addSlab(words)
    }
    const row = (this.#current << SLAB_BITS) | this.#end
    this.#end += words
    return row
  }

  #addSlab(words: number): Slab {
    const { length } = this.#slabs
    if (length === MOST_SLABS) {
      throw new RangeError('A lane cannot hold more than 8 GiB of timers in memory. Set timers.backend to "hybrid".')
    }
    const usual = Math.min(SLAB_WORDS, FIRST_SLAB_WORDS * 4 ** length)
    const buffer = new ArrayBuffer(4 * Math.max(usual, words + 2))
    const slab = { words: new Int32Array(buffer), doubles: new Float64Array(buffer), bytes: new Uint8Array(buffer) }
    this.#slabs.push(slab)
    return slab
  }

  /** Nothing is held: all begins again, and what a peak has taken is given back. */
  #reset(): void {
    this.#free = []
    this.#current = 0
    this.#end = 2
    if (this.#slabs.length > MOST_KEPT_SLABS) this.#slabs.length = MOST_KEPT_SLABS
  }
}

/** Of a row whose tail has this length: half of its words, so that each row begins at a word of 8 bytes. */
function sizeOf(tailLength: number): number {
  return (HEAD_WORDS >> 1) + ((tailLength + 7) >>> 3)
}
