import type { RareEvent } from '@lanescope/shared'

/** Kinds that come all the time, and of which the newest few tell enough. */
const FREQUENT: ReadonlySet<RareEvent['type']> = new Set(['epoch', 'log', 'idle'])

/**
 * The rare events of a run so far, for pages that come later. Bounded: the oldest go first, those of the frequent
 * kinds from a share of their own, so that a split is not lost behind a thousand commits. A gap in `n` says that
 * something was cut, and how much.
 */
export class RareHistory {
  readonly #most: number
  readonly #mostFrequent: number
  #frequent: RareEvent[] = []
  #others: RareEvent[] = []

  constructor(most = 5_000, mostFrequent = 1_000) {
    this.#most = most
    this.#mostFrequent = mostFrequent
  }

  add(events: readonly RareEvent[]): void {
    for (const event of events) (FREQUENT.has(event.type) ? this.#frequent : this.#others).push(event)
    this.#frequent = newest(this.#frequent, this.#mostFrequent)
    this.#others = newest(this.#others, this.#most)
  }

  /** In the order in which they happened. */
  all(): readonly RareEvent[] {
    return [...this.#frequent, ...this.#others].sort((a, b) => a.n - b.n)
  }
}

/** Cuts at twice the bound, so that a full history does not copy itself with each event. */
function newest(events: RareEvent[], most: number): RareEvent[] {
  return events.length >= 2 * most ? events.slice(-most) : events
}
