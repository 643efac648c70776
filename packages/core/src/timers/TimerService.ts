import type { TimerDomain } from '../events/EngineEvent.js'
import { type PendingTimer, type Registered, TimerQueue } from './TimerQueue.js'

/** Counts of one processor since the start. */
export interface TimerCounts {
  fired: number
  replaced: number
  deleted: number
  splits: number
}

/** Numbers the registrations of timers that are due already, so that a pass can tell which it made itself (T5). */
export class TimerSequence {
  #next = 0

  get upcoming(): number {
    return this.#next
  }

  take(): number {
    return this.#next++
  }
}

/** All keyed timers of one processor: a queue for each domain and running lane. */
export class TimerService {
  readonly counts: TimerCounts = { fired: 0, replaced: 0, deleted: 0, splits: 0 }
  readonly #queues: ReadonlyMap<TimerDomain, readonly TimerQueue[]>
  #pending = 0

  constructor(
    readonly domains: readonly TimerDomain[],
    lanes: number,
    private readonly sequence: TimerSequence,
  ) {
    this.#queues = new Map(domains.map((domain) => [domain, Array.from({ length: lanes }, () => new TimerQueue())]))
  }

  /** @param due whether its time has come already (T5) */
  register(
    domain: TimerDomain,
    lane: number,
    keyBytes: Uint8Array,
    at: number,
    name: string | undefined,
    due: boolean,
  ): Registered {
    const registered = this.#queue(domain, lane).register(keyBytes, at, name, due ? this.sequence.take() : -1)
    if (registered.outcome === 'added') this.#pending++
    if (registered.outcome === 'replaced') this.counts.replaced++
    return registered
  }

  delete(
    domain: TimerDomain,
    lane: number,
    keyBytes: Uint8Array,
    at: number,
    name: string | undefined,
  ): PendingTimer | undefined {
    const gone = this.#queue(domain, lane).delete(keyBytes, at, name)
    if (gone === undefined) return undefined
    this.counts.deleted++
    this.#pending--
    return gone
  }

  peek(domain: TimerDomain, lane: number): PendingTimer | undefined {
    return this.#queue(domain, lane).peek()
  }

  /** Takes the next timer whose time is ≤ `clock`; it counts as fired. */
  takeDue(domain: TimerDomain, lane: number, clock: number): PendingTimer | undefined {
    const due = this.#queue(domain, lane).takeDue(clock)
    if (due === undefined) return undefined
    this.counts.fired++
    this.#pending--
    return due
  }

  get pending(): number {
    return this.#pending
  }

  /** How many pending timers of a domain would be due at `clock`. */
  countDue(domain: TimerDomain, clock: number): number {
    let count = 0
    for (const queue of this.#queues.get(domain) ?? []) count += queue.countDue(clock)
    return count
  }

  /** The earliest time of a domain over all lanes; undefined when none is pending. */
  earliest(domain: TimerDomain): number | undefined {
    let earliest: number | undefined
    for (const queue of this.#queues.get(domain) ?? []) {
      const next = queue.peek()
      if (next !== undefined && (earliest === undefined || next.at < earliest)) earliest = next.at
    }
    return earliest
  }

  /** The `limit` earliest of a domain and lane. */
  inspect(domain: TimerDomain, lane: number, limit: number): PendingTimer[] {
    return this.#queue(domain, lane).earliest(limit)
  }

  #queue(domain: TimerDomain, lane: number): TimerQueue {
    const queue = this.#queues.get(domain)?.[lane]
    if (queue === undefined) throw new RangeError(`No timer queue for domain ${domain} on lane ${lane}`)
    return queue
  }
}
