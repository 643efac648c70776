import { compareTimers, type PendingTimer } from './PendingTimer.js'
import type { TimerPosition } from './timerLayout.js'

/** How many timers are read at once. Twice as many are held at most. */
const readAhead = 64

/**
 * Walks a lane's stored timers in firing order and holds the few that come next, so that the store is not asked for
 * its first entry again at each step: what an epoch has fired still lies there, marked as deleted, to be passed over.
 *
 * Whoever changes the store says so here, by `added` and `removed`.
 */
export class TimerFront {
  /** In firing order: all that are stored behind what was shifted and up to where the store has been read. */
  #ahead: PendingTimer[] = []
  /** Up to here the store has been read; undefined: not at all. */
  #readTo: PendingTimer | undefined
  /** Nothing is stored beyond what is held. */
  #complete = false

  /** @param after reads the stored timers behind one, or all, in firing order */
  constructor(private readonly after: (position: PendingTimer | undefined) => Iterable<PendingTimer>) {}

  /** How many timers are held in memory. */
  get held(): number {
    return this.#ahead.length
  }

  peek(): PendingTimer | undefined {
    if (this.#ahead.length === 0 && !this.#complete) this.#fill()
    return this.#ahead[0]
  }

  /** Steps over the timer that `peek` gave; it is the caller's now. */
  shift(): void {
    this.#ahead.shift()
  }

  /** A timer was stored. */
  added(timer: PendingTimer): void {
    if (!this.#complete && !this.#hasRead(timer)) return
    this.#ahead.splice(this.#indexOf(timer), 0, timer)
    if (this.#ahead.length <= 2 * readAhead) return
    this.#ahead.length = readAhead
    this.#readTo = this.#ahead[readAhead - 1]
    this.#complete = false
  }

  /** A timer is stored no longer. */
  removed(position: TimerPosition): void {
    const index = this.#indexOf(position)
    const found = this.#ahead[index]
    if (found !== undefined && compareTimers(found, comparable(position)) === 0) this.#ahead.splice(index, 1)
  }

  /** Begins again at the first stored timer. */
  reset(): void {
    this.#ahead = []
    this.#readTo = undefined
    this.#complete = false
  }

  #fill(): void {
    for (const timer of this.after(this.#readTo)) {
      this.#ahead.push(timer)
      if (this.#ahead.length === readAhead) break
    }
    this.#complete = this.#ahead.length < readAhead
    this.#readTo = this.#ahead.at(-1) ?? this.#readTo
  }

  #hasRead(timer: PendingTimer): boolean {
    return this.#readTo !== undefined && compareTimers(timer, this.#readTo) <= 0
  }

  /** Where a timer stands, or would stand. */
  #indexOf(position: TimerPosition): number {
    const sought = comparable(position)
    let [low, high] = [0, this.#ahead.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareTimers(this.#ahead[middle] as PendingTimer, sought) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function comparable(position: TimerPosition): PendingTimer {
  return { ...position, sequence: 0 }
}
