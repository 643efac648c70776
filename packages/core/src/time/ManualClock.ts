import type { Cancellable, Clock } from './Clock.js'

interface Planned {
  readonly at: number
  readonly order: number
  readonly fn: () => void
}

/** A clock that moves only when told to: for the test driver and for tests. */
export class ManualClock implements Clock {
  #now: number
  #elapsed = 0
  #order = 0
  #planned: Planned[] = []

  constructor(startMs = 0) {
    this.#now = startMs
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#elapsed
  }

  after(delayMs: number, fn: () => void): Cancellable {
    const planned = { at: this.#elapsed + Math.max(0, delayMs), order: this.#order++, fn }
    this.#planned.push(planned)
    return {
      cancel: () => {
        this.#planned = this.#planned.filter((other) => other !== planned)
      },
    }
  }

  yield(): Promise<void> {
    return Promise.resolve()
  }

  /** Moves both clocks by `ms` and makes the calls that fall due, in order of their time, then of their planning. */
  advance(ms: number): void {
    const target = this.#elapsed + ms
    for (;;) {
      const next = this.#planned
        .filter((planned) => planned.at <= target)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!next) break
      this.#planned = this.#planned.filter((other) => other !== next)
      this.#now += next.at - this.#elapsed
      this.#elapsed = next.at
      next.fn()
    }
    this.#now += target - this.#elapsed
    this.#elapsed = target
  }

  /** Sets the wall clock alone, as when somebody corrects the host's clock. */
  jumpTo(now: number): void {
    this.#now = now
  }
}
