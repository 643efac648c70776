import type { Clock } from '../../time/Clock.js'

const JUMP_MS = 60_000
const FOLLOW_AFTER_MS = 600_000

/**
 * What "now" means to the future-timestamp guard (F2): the wall time at start plus monotonic time, so that
 * a host whose clock is set wrong while we run cannot make honest data look like the future, or the reverse.
 * A jump of the wall clock by more than a minute is told, and followed only after ten minutes.
 */
export class ReferenceClock {
  #offset: number
  #latest: number
  #jumpedSince: number | undefined

  constructor(
    private readonly clock: Clock,
    private readonly onJump: (byMs: number) => void,
  ) {
    this.#latest = clock.now()
    this.#offset = this.#latest - clock.monotonic()
  }

  /** Ms since 1970. */
  now(): number {
    this.#latest = this.clock.monotonic() + this.#offset
    return this.#latest
  }

  /** What it has said last: never above what it would say now, and it costs no look at the host's clock. */
  get latest(): number {
    return this.#latest
  }

  /** Compares with the wall clock; to be called now and then. */
  check(): void {
    this.#compare()
    // It may have gone back.
    this.now()
  }

  #compare(): void {
    const monotonic = this.clock.monotonic()
    const drift = this.clock.now() - (monotonic + this.#offset)
    if (Math.abs(drift) <= JUMP_MS) {
      this.#jumpedSince = undefined
      // Slow drift of the two clocks against each other is followed at once.
      this.#offset += drift
      return
    }
    if (this.#jumpedSince === undefined) {
      this.#jumpedSince = monotonic
      this.onJump(drift)
    } else if (monotonic - this.#jumpedSince >= FOLLOW_AFTER_MS) {
      this.#offset += drift
      this.#jumpedSince = undefined
    }
  }
}
