import type { RunLimits } from '../config/limits.js'

/** What is wrong with a run's process. */
export type Verdict = 'well' | 'unresponsive' | 'too-much-memory'

/** Judges a process by its heartbeats and its memory. Times in ms of a clock that never goes back. */
export class Watchdog {
  readonly #limits: RunLimits
  #lastBeat: number
  #lastCheck: number
  #running = false

  constructor(limits: RunLimits, now: number) {
    this.#limits = limits
    this.#lastBeat = now
    this.#lastCheck = now
  }

  beat(now: number): void {
    this.#lastBeat = now
  }

  /** It runs; until then it may be silent for longer. */
  started(): void {
    this.#running = true
  }

  /** How long it may be silent now. */
  get patienceMs(): number {
    return this.#running ? this.#limits.unresponsiveMs : this.#limits.startMs
  }

  check(now: number, residentBytes: number | undefined): Verdict {
    // When this process did not get its turn either, beats may wait unread: that is not the run's fault.
    const late = now - this.#lastCheck > 4 * this.#limits.heartbeatMs
    this.#lastCheck = now
    if (late) this.#lastBeat = now
    if (residentBytes !== undefined && residentBytes > this.#limits.residentMb * 1024 * 1024) return 'too-much-memory'
    return now - this.#lastBeat > this.patienceMs ? 'unresponsive' : 'well'
  }
}
