import type { Clock } from '../../time/Clock.js'

/**
 * Synchronous work yields a macrotask at least this often. L12 allows for 10 ms, but an answer of the log that has come
 * waits for the end of the macrotask, and a commit waits for several answers, one after the other.
 */
const LONGEST_MS = 4
/** The clock is read about once in so much time: reading it at each record would cost as much as the record. */
const LOOK_EVERY_MS = 0.5
/** Never fewer looks than this, whatever the pace so far: a slow record may follow quick ones. */
const MOST_UNLOOKED = 8

/** How long this macrotask has been at work. */
export class Budget {
  #started: number
  #looked: number
  /** Questions from one look at the clock to the next, and how many of them are left. */
  #stride = 1
  #left = 1

  constructor(private readonly clock: Clock) {
    this.#started = clock.monotonic()
    this.#looked = this.#started
  }

  /** A new macrotask begins. */
  begin(): void {
    this.#started = this.clock.monotonic()
    this.#looked = this.#started
  }

  isSpent(): boolean {
    if (--this.#left > 0) return false
    const now = this.clock.monotonic()
    const took = now - this.#looked
    this.#stride =
      took > LOOK_EVERY_MS
        ? Math.max(1, Math.floor((this.#stride * LOOK_EVERY_MS) / took))
        : Math.min(MOST_UNLOOKED, this.#stride * 2)
    this.#left = this.#stride
    this.#looked = now
    return now - this.#started > LONGEST_MS
  }
}
