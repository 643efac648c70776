import type { TimerDomain } from '../events/EngineEvent.js'
import type { PendingTimerQueue, StoredTimerQueue } from './PendingTimerQueue.js'
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

/** Makes the queue of a domain and lane. */
export type CreateTimerQueue<Q extends PendingTimerQueue = PendingTimerQueue> = (domain: TimerDomain, lane: number) => Q

/** All keyed timers of one processor: a queue for each domain and running lane, on the heap until `attach`. */
export class TimerService {
  readonly counts: TimerCounts = { fired: 0, replaced: 0, deleted: 0, splits: 0 }
  #queues: ReadonlyMap<TimerDomain, readonly PendingTimerQueue[]>
  #stored: ReadonlyMap<TimerDomain, readonly StoredTimerQueue[]> = new Map()
  #pending = 0

  constructor(
    readonly domains: readonly TimerDomain[],
    private readonly lanes: number,
    private readonly sequence: TimerSequence,
  ) {
    this.#queues = this.#create(() => new TimerQueue())
  }

  /** Goes on with stored timers: what is pending there is pending here (T8). Before anything is registered. */
  attach(create: CreateTimerQueue<StoredTimerQueue>): void {
    this.#stored = this.#create(create)
    this.#queues = this.#stored
    this.#count()
  }

  /** Goes by what the stores hold now, after an abort. */
  reload(): void {
    for (const queues of this.#stored.values()) for (const queue of queues) queue.reload()
    this.#count()
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

  /** The time of the timer that fires next, due or not; infinity when none is pending. */
  nextAt(domain: TimerDomain, lane: number): number {
    return this.#queue(domain, lane).nextAt
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
    let earliest = Number.POSITIVE_INFINITY
    for (const queue of this.#queues.get(domain) ?? []) earliest = Math.min(earliest, queue.nextAt)
    return earliest === Number.POSITIVE_INFINITY ? undefined : earliest
  }

  /** The `limit` earliest of a domain and lane. */
  inspect(domain: TimerDomain, lane: number, limit: number): PendingTimer[] {
    return this.#queue(domain, lane).earliest(limit)
  }

  #create<Q extends PendingTimerQueue>(create: CreateTimerQueue<Q>): ReadonlyMap<TimerDomain, readonly Q[]> {
    const laneQueues = (domain: TimerDomain) => Array.from({ length: this.lanes }, (_, lane) => create(domain, lane))
    return new Map(this.domains.map((domain) => [domain, laneQueues(domain)]))
  }

  #count(): void {
    this.#pending = 0
    for (const queues of this.#queues.values()) for (const queue of queues) this.#pending += queue.size
  }

  #queue(domain: TimerDomain, lane: number): PendingTimerQueue {
    const queue = this.#queues.get(domain)?.[lane]
    if (queue === undefined) throw new RangeError(`No timer queue for domain ${domain} on lane ${lane}`)
    return queue
  }
}
