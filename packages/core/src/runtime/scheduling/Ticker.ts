import type { Cancellable, Clock } from '../../time/Clock.js'

/** How long a timer that is overdue may hide the one behind it. */
const LOOK_AGAIN_MS = 10

/** Calls `tick` every so often, and sooner when a processing-time timer falls due before (T5). */
export class Ticker {
  #planned: Cancellable | undefined
  /** The wall-clock time that the next tick is planned for. */
  #at = Number.POSITIVE_INFINITY

  /**
   * @param earliest the earliest processing-time timer; undefined when there is none
   * @param tick must not throw
   */
  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
    private readonly earliest: () => number | undefined,
    private readonly tick: () => void,
  ) {}

  start(): void {
    const now = this.clock.now()
    const earliest = this.earliest() ?? Number.POSITIVE_INFINITY
    // What is overdue waits for its lane, not for a tick; another may be hidden behind it.
    const next = earliest > now ? earliest : now + LOOK_AGAIN_MS
    this.#plan(Math.min(now + this.intervalMs, next), now)
  }

  /** A timer has been registered: the next tick comes no later than it is due. */
  plan(at: number): void {
    if (this.#planned === undefined || at >= this.#at) return
    this.#planned.cancel()
    const now = this.clock.now()
    this.#plan(Math.max(at, now + 1), now)
  }

  stop(): void {
    this.#planned?.cancel()
    this.#planned = undefined
  }

  #plan(at: number, now: number): void {
    this.#at = at
    this.#planned = this.clock.after(at - now, () => {
      this.tick()
      // The tick may have stopped it.
      if (this.#planned !== undefined) this.start()
    })
  }
}
