import type { StoredTimerQueue } from './PendingTimerQueue.js'
import type { StoredLaneTimers } from './StoredLaneTimers.js'
import { TimerFront } from './TimerFront.js'
import type { PendingTimer, Registered } from './TimerQueue.js'

/** Timers read straight from the store, with no more than a small read-ahead in memory (T10 `persistent`). */
export class PersistentTimerQueue implements StoredTimerQueue {
  readonly #front: TimerFront

  constructor(private readonly stored: StoredLaneTimers) {
    this.#front = new TimerFront(stored)
  }

  get size(): number {
    return this.stored.size
  }

  /** How many timers are held in memory. */
  get held(): number {
    return this.#front.held
  }

  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const timer: PendingTimer = { keyBytes, at, name, sequence }
    const registered = this.stored.register(timer)
    if (registered.outcome === 'unchanged') return registered
    if (registered.outcome === 'replaced') this.#front.removed({ keyBytes, at: registered.previousAt, name })
    this.#front.added(timer)
    return registered
  }

  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const gone = this.stored.delete(keyBytes, at, name)
    if (gone !== undefined) this.#front.removed(gone)
    return gone
  }

  peek(): PendingTimer | undefined {
    return this.#front.peek()
  }

  takeDue(clock: number): PendingTimer | undefined {
    const next = this.#front.peek()
    if (next === undefined || next.at > clock) return undefined
    this.#front.shift()
    this.stored.take(next)
    return next
  }

  countDue(clock: number): number {
    return countDue(this.stored, this.peek(), clock)
  }

  earliest(limit: number): PendingTimer[] {
    return earliest(this.stored, this.peek(), limit)
  }

  reload(): void {
    this.stored.reload()
    this.#front.reset()
  }
}

/** Counts in the store, from the first pending timer on: what was fired before it is not passed over again. */
export function countDue(stored: StoredLaneTimers, first: PendingTimer | undefined, clock: number): number {
  if (first === undefined || first.at > clock) return 0
  let count = 0
  for (const _ of stored.dueBy(clock, first)) count++
  return count
}

export function earliest(stored: StoredLaneTimers, first: PendingTimer | undefined, limit: number): PendingTimer[] {
  const found: PendingTimer[] = []
  if (first === undefined || limit <= 0) return found
  for (const timer of stored.from(first)) {
    found.push(timer)
    if (found.length === limit) break
  }
  return found
}
