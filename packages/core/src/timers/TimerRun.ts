import { compareTimers } from './PendingTimer.js'
import type { TimerEntry } from './TimerEntry.js'

/** Places that were left are given back in one go, once so many are empty and they are half of all. */
const GIVEN_BACK_ABOVE = 1024

/**
 * Timers that came in firing order (T5), as a queue. Most do: those that are read from a store, and those of one
 * time-out after the other. Here they cost no search. Husks stay in their places, as in `TimerHeap`.
 */
export class TimerRun {
  #entries: (TimerEntry | undefined)[] = []
  #head = 0

  /** How many entries there are, husks included. */
  get length(): number {
    return this.#entries.length - this.#head
  }

  /** The first entry, a husk or not. */
  get first(): TimerEntry | undefined {
    return this.#entries[this.#head]
  }

  /** Appends a timer if it comes after all others. @returns whether it does */
  append(entry: TimerEntry): boolean {
    const last = this.#entries[this.#entries.length - 1]
    if (last !== undefined && compareTimers(last, entry) >= 0) return false
    this.#entries.push(entry)
    return true
  }

  /** Takes out the first entry. */
  shift(): void {
    this.#entries[this.#head++] = undefined
    if (this.#head === this.#entries.length) {
      this.#entries = []
      this.#head = 0
    } else if (this.#head > GIVEN_BACK_ABOVE && 2 * this.#head > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
  }

  /** Takes out all husks. */
  sweep(): void {
    this.#entries = this.#entries.filter((entry) => entry !== undefined && !entry.gone)
    this.#head = 0
  }

  /** Those that are no husks, in firing order. */
  *living(): Generator<TimerEntry> {
    for (let index = this.#head; index < this.#entries.length; index++) {
      const entry = this.#entries[index] as TimerEntry
      if (!entry.gone) yield entry
    }
  }
}
