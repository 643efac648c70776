const HOUR = 3_600_000

/** So far ahead of the clock the timers begin, and so long is the span over which they lie, in ms. */
const AHEAD = HOUR
const SPAN = 10 * 24 * HOUR

/** The times of the timers by their number: over ten days from the clock at which each was registered, in no order. */
export class DueTimes {
  /** From which number on timers were registered at which clock. */
  readonly #since: { readonly first: number; readonly clock: number }[] = []
  /** Prime to the span, so that neighbours lie far apart and few fall on one time. */
  readonly #step = 7_368_787

  /** Timers from this number on are registered at this clock. */
  registerFrom(first: number, clock: number): void {
    this.#since.push({ first, clock })
  }

  /** The time of a timer that is registered at the present clock. */
  next(index: number): number {
    return (this.#since.at(-1)?.clock ?? 0) + this.#offset(index)
  }

  /** How many of the first `count` are due at a clock. */
  due(count: number, clock: number): number {
    let due = 0
    this.#since.forEach(({ first, clock: start }, i) => {
      const end = Math.min(count, this.#since[i + 1]?.first ?? count)
      for (let index = first; index < end; index++) if (start + this.#offset(index) <= clock) due++
    })
    return due
  }

  #offset(index: number): number {
    return AHEAD + ((index * this.#step) % SPAN)
  }
}
