import { IN_HEAP, NO_ROW, type TimerRows } from './TimerRows.js'

/** Places that were left are given back in one go, once so many are empty and they are half of all. */
const GIVEN_BACK_ABOVE = 1024

/**
 * Timers that came in firing order (T5), as a queue. Most do: those that are read from a store, and those of one
 * time-out after the other. Here they cost no search. Husks stay in their places, as in `TimerHeap`.
 */
export class TimerRun {
  #entries: number[] = []
  #head = 0

  constructor(private readonly rows: TimerRows) {}

  /** How many entries there are, husks included. */
  get length(): number {
    return this.#entries.length - this.#head
  }

  /** The first entry, a husk or not; `NO_ROW` when there is none. */
  get first(): number {
    return this.#head < this.#entries.length ? (this.#entries[this.#head] as number) : NO_ROW
  }

  /** Appends a timer if it comes after all others. @returns whether it does */
  append(row: number): boolean {
    const { length } = this.#entries
    if (length > 0 && this.rows.compare(this.#entries[length - 1] as number, row) >= 0) return false
    this.#entries.push(row)
    return true
  }

  /** Takes out the first entry. */
  shift(): void {
    this.#head++
    if (this.#head === this.#entries.length) {
      this.#entries = []
      this.#head = 0
    } else if (this.#head > GIVEN_BACK_ABOVE && 2 * this.#head > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
  }

  /** Takes out all husks, and lets go of them. */
  sweep(): void {
    this.#entries = withoutHusks(this.rows, this.#entries.slice(this.#head))
    this.#head = 0
  }

  /** Those that are no husks, in firing order. */
  *living(): Generator<number> {
    for (let index = this.#head; index < this.#entries.length; index++) {
      const row = this.#entries[index] as number
      if (!this.rows.isGone(row)) yield row
    }
  }
}

/** Those that are no husks; the others are let go of. */
export function withoutHusks(rows: TimerRows, held: readonly number[]): number[] {
  const living: number[] = []
  for (const row of held) {
    if (rows.isGone(row)) rows.release(row, IN_HEAP)
    else living.push(row)
  }
  return living
}
