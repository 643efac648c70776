import type { Clock } from '../../time/Clock.js'

/** Synchronous work yields a macrotask at least this often (L12). */
const LONGEST_MS = 10
/** The clock is read once in so many questions: it costs more than a record. */
const LOOK_ONE_IN = 32

/** How long this macrotask has been at work. */
export class Budget {
  #started: number
  #questions = 0

  constructor(private readonly clock: Clock) {
    this.#started = clock.monotonic()
  }

  /** A new macrotask begins. */
  begin(): void {
    this.#started = this.clock.monotonic()
  }

  isSpent(): boolean {
    if (++this.#questions % LOOK_ONE_IN !== 0) return false
    return this.clock.monotonic() - this.#started > LONGEST_MS
  }
}
