import type { StoredTimer } from './LaneTimerBytes.js'
import { compareTimers, type PendingTimer, type TimerPosition } from './PendingTimer.js'

/** How many timers are read at once. Twice as many are held at most. */
const readAhead = 64

/** Reads the stored timers behind one, or all, in firing order, so many at most. */
export type ReadTimers = (position: TimerPosition | undefined, limit: number) => StoredTimer[]

/**
 * Walks a lane's stored timers in firing order and holds the few that come next, so that the store is not asked for
 * its first entry again at each step: what an epoch has fired still lies there, marked as deleted, to be passed over.
 *
 * Whoever changes the store says so here, by `added` and `removed`.
 */
export class TimerFront {
  /** In firing order: from `#head` on all that are stored behind what was shifted, up to where the store has been read. */
  #ahead: StoredTimer[] = []
  #head = 0
  /** Up to here the store has been read; undefined: not at all. */
  #readTo: TimerPosition | undefined
  /** Nothing is stored beyond what is held. */
  #complete = false

  constructor(private readonly read: ReadTimers) {}

  /** How many timers are held in memory. */
  get held(): number {
    return this.#ahead.length - this.#head
  }

  peek(): StoredTimer | undefined {
    if (this.#head === this.#ahead.length && !this.#complete) this.#fill()
    return this.#ahead[this.#head]
  }

  /** Steps over the timer that `peek` gave; it is the caller's now. */
  shift(): void {
    this.#head++
  }

  /** A timer was stored. */
  added(timer: PendingTimer, dueKey: Uint8Array | undefined): void {
    if (!this.#complete && !this.#hasRead(timer)) return
    const { keyBytes, at, name, sequence } = timer
    this.#ahead.splice(this.#indexOf(timer), 0, { keyBytes, at, name, sequence, dueKey })
    if (this.held <= 2 * readAhead) return
    this.#ahead = this.#ahead.slice(this.#head, this.#head + readAhead)
    this.#head = 0
    this.#readTo = this.#ahead[readAhead - 1]
    this.#complete = false
  }

  /** A timer is stored no longer. */
  removed(position: TimerPosition): void {
    const index = this.#indexOf(position)
    const found = this.#ahead[index]
    if (found !== undefined && compareTimers(found, position) === 0) this.#ahead.splice(index, 1)
  }

  /** Begins again at the first stored timer. */
  reset(): void {
    this.#ahead = []
    this.#head = 0
    this.#readTo = undefined
    this.#complete = false
  }

  #fill(): void {
    this.#ahead = this.read(this.#readTo, readAhead)
    this.#head = 0
    this.#complete = this.#ahead.length < readAhead
    this.#readTo = this.#ahead.at(-1) ?? this.#readTo
  }

  #hasRead(timer: TimerPosition): boolean {
    return this.#readTo !== undefined && compareTimers(timer, this.#readTo) <= 0
  }

  /** Where a timer stands, or would stand. */
  #indexOf(position: TimerPosition): number {
    let [low, high] = [this.#head, this.#ahead.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareTimers(this.#ahead[middle] as StoredTimer, position) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
