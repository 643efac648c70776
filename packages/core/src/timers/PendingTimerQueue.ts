import type { PendingTimer, Registered } from './PendingTimer.js'

/**
 * The pending timers of one processor, domain and lane, in firing order (T5): time, key bytes, name. What the three
 * backends have in common (T10); every one of them passes the suite in `test/timerQueueContract.ts`.
 */
export interface PendingTimerQueue {
  /** How many timers are pending. */
  readonly size: number
  /**
   * Adds a timer, or moves the named one that is there (T2).
   *
   * @param keyBytes copied
   * @param at ms, an integer of 0 … 2^53−1
   */
  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered
  /** @returns the timer that is gone, or undefined when there was none. `at` does not matter for a named one */
  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined
  /** The time of the timer that fires next, due or not; infinity when none is pending. */
  readonly nextAt: number
  /** The timer that fires next, due or not. */
  peek(): PendingTimer | undefined
  /** Takes the timer that fires next if its time has come: at ≤ `clock` (T5). */
  takeDue(clock: number): PendingTimer | undefined
  /** How many pending timers have a time ≤ `clock`. */
  countDue(clock: number): number
  /** The `limit` earliest pending timers, in firing order. */
  earliest(limit: number): PendingTimer[]
}

/** A queue whose timers are kept in a byte store, so that they commit and abort with the epoch (T8). */
export interface StoredTimerQueue extends PendingTimerQueue {
  /** Throws away what is held in memory, and goes by what the store holds now: after an abort, or a restore. */
  reload(): void
}
