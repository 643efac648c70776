/** A handle of a planned call. Cancelling twice, or after the call, does nothing. */
export interface Cancellable {
  cancel(): void
}

/**
 * The engine's only door to time (W1). Whoever starts an engine hands one in.
 * All times are milliseconds.
 */
export interface Clock {
  /** Wall-clock time since 1970. May jump. */
  now(): number
  /** Time since some fixed point; never goes back. For durations, with fractions of a millisecond. */
  monotonic(): number
  /** Calls `fn` once, no sooner than `delayMs` from now. */
  after(delayMs: number, fn: () => void): Cancellable
  /** Resolves in a later macrotask, so that sockets and timers get their turn (L12). */
  yield(): Promise<void>
}
