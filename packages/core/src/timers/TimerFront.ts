import type { ByteEntry } from '../state/OrderedByteStore.js'
import { TimerForm } from './TimerForm.js'
import { IN_FRONT, NO_ROW, type TimerRows } from './TimerRows.js'

/** How many timers are read at once. Twice as many are held at most. */
const readAhead = 64

/** Where a front reads from. */
export interface StoredSource {
  /** The stored timers behind one, or all, in firing order. Live. */
  open(position: TimerForm | undefined): Iterator<ByteEntry>
  /** Reads on, so many at most. @returns rows that nobody holds yet; fewer only at the end */
  read(stored: Iterator<ByteEntry>, limit: number): number[]
}

/**
 * Walks a lane's stored timers in firing order and holds the few that come next, so that the store is not asked for
 * its first entry again at each step: what an epoch has fired still lies there, marked as deleted, to be passed over.
 *
 * Whoever changes the store says so here, by `added` and `removed`.
 */
export class TimerFront {
  /** In firing order: from `#head` on all that are stored behind what was shifted, up to where the store has been read. */
  #ahead: number[] = []
  #head = 0
  readonly #readTo = new TimerForm()
  /** Up to `#readTo` the store has been read; else not at all. */
  #hasBegun = false
  /** Nothing is stored beyond what is held. */
  #complete = false
  /** Stands on `#readTo`. Kept from one reading to the next, because to find a place costs more than to go on. */
  #stored: Iterator<ByteEntry> | undefined

  constructor(
    private readonly rows: TimerRows,
    private readonly source: StoredSource,
  ) {}

  /** How many timers are held in memory. */
  get held(): number {
    return this.#ahead.length - this.#head
  }

  /** The next one; `NO_ROW` when there is none. */
  peek(): number {
    if (this.#head === this.#ahead.length && !this.#complete) this.#fill()
    return this.#head < this.#ahead.length ? (this.#ahead[this.#head] as number) : NO_ROW
  }

  /** Steps over the timer that `peek` gave. Who goes on with its row holds it first. */
  shift(): void {
    this.rows.release(this.#ahead[this.#head++] as number, IN_FRONT)
  }

  /** A timer was stored. */
  added(row: number): void {
    if (!this.#complete && !this.#hasRead(row)) return
    const copy = this.rows.copy(row)
    this.rows.hold(copy, IN_FRONT)
    this.#ahead.splice(this.#countBefore(copy), 0, copy)
    if (this.held > 2 * readAhead) this.#shorten()
  }

  /** A timer is stored no longer. */
  removed(form: TimerForm): void {
    const index = this.#countBeforeForm(form)
    if (index === this.#ahead.length) return
    const found = this.#ahead[index] as number
    if (this.rows.compareForm(found, form) !== 0) return
    this.#ahead.splice(index, 1)
    this.rows.release(found, IN_FRONT)
  }

  /** Lets go of its place in the store, for what that may take in memory. It is found again when it is needed. */
  pause(): void {
    this.#stored = undefined
  }

  #fill(): void {
    this.#stored ??= this.source.open(this.#hasBegun ? this.#readTo : undefined)
    this.#ahead = this.source.read(this.#stored, readAhead)
    this.#head = 0
    for (const row of this.#ahead) this.rows.hold(row, IN_FRONT)
    this.#complete = this.#ahead.length < readAhead
    if (this.#complete) this.#stored = undefined
    this.#noteRead()
  }

  #shorten(): void {
    const end = this.#head + readAhead
    for (const row of this.#ahead.slice(end)) this.rows.release(row, IN_FRONT)
    this.#ahead = this.#ahead.slice(this.#head, end)
    this.#head = 0
    this.#complete = false
    this.#stored = undefined
    this.#noteRead()
  }

  #noteRead(): void {
    const last = this.#ahead.at(-1)
    if (last === undefined) return
    this.rows.copyTo(this.#readTo, last)
    this.#hasBegun = true
  }

  #hasRead(row: number): boolean {
    return this.#hasBegun && this.rows.compareForm(row, this.#readTo) <= 0
  }

  #countBefore(row: number): number {
    let [low, high] = [this.#head, this.#ahead.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rows.compare(this.#ahead[middle] as number, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #countBeforeForm(form: TimerForm): number {
    let [low, high] = [this.#head, this.#ahead.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rows.compareForm(this.#ahead[middle] as number, form) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
