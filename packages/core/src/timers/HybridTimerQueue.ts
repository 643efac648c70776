import type { StoredTimerQueue } from './PendingTimerQueue.js'
import { countDue, earliest } from './PersistentTimerQueue.js'
import type { StoredLaneTimers } from './StoredLaneTimers.js'
import { TimerFront } from './TimerFront.js'
import { compareTimers, type PendingTimer, type Registered, TimerQueue } from './TimerQueue.js'
import type { TimerPosition } from './timerLayout.js'

/** How far ahead of the clock timers are held on the heap (T10). */
const defaultAheadMs = 60_000

/** How many timers a refill brings onto the heap at most, for a clock that leaps. */
const refillLimit = 65_536

/**
 * All timers in the store, the near ones on a heap as well (T10 `hybrid`). Near is what is due within `aheadMs` of the
 * clock as it was when the heap was last filled; it is filled again when half of that time has passed.
 */
export class HybridTimerQueue implements StoredTimerQueue {
  #heap = new TimerQueue()
  /** The stored timers that are not on the heap. All of them come after all that are. */
  readonly #far: TimerFront
  /** What is not after this is near. With a timer: not after that timer; without: not after its time. */
  #edge: { readonly at: number; readonly timer?: PendingTimer } = { at: -1 }

  constructor(
    private readonly stored: StoredLaneTimers,
    private readonly aheadMs = defaultAheadMs,
    private readonly limit = refillLimit,
  ) {
    this.#far = new TimerFront(stored)
  }

  get size(): number {
    return this.stored.size
  }

  /** How many timers are held in memory. */
  get held(): number {
    return this.#heap.size + this.#far.held
  }

  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const timer: PendingTimer = { keyBytes, at, name, sequence }
    const registered = this.stored.register(timer)
    if (registered.outcome === 'unchanged') return registered
    if (registered.outcome === 'replaced') this.#forget({ keyBytes, at: registered.previousAt, name })
    if (this.#isNear(timer)) this.#heap.register(keyBytes, at, name, sequence)
    else this.#far.added(timer)
    return registered
  }

  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const gone = this.stored.delete(keyBytes, at, name)
    if (gone !== undefined) this.#forget(gone)
    return gone
  }

  peek(): PendingTimer | undefined {
    return this.#heap.peek() ?? this.#far.peek()
  }

  takeDue(clock: number): PendingTimer | undefined {
    if (clock + this.aheadMs / 2 > this.#edge.at) this.#refill(clock + this.aheadMs)
    const due = this.#heap.takeDue(clock)
    if (due !== undefined) this.stored.take(due)
    return due
  }

  countDue(clock: number): number {
    return countDue(this.stored, this.peek(), clock)
  }

  earliest(limit: number): PendingTimer[] {
    return earliest(this.stored, this.peek(), limit)
  }

  reload(): void {
    this.stored.reload()
    this.#far.reset()
    this.#heap = new TimerQueue()
    this.#edge = { at: -1 }
  }

  /** Brings timers up to a time onto the heap, in their order. */
  #refill(upTo: number): void {
    for (;;) {
      const next = this.#far.peek()
      if (next === undefined || next.at > upTo) break
      if (this.#heap.size >= this.limit) return
      this.#far.shift()
      this.#heap.register(next.keyBytes, next.at, next.name, next.sequence)
      this.#edge = { at: next.at, timer: next }
    }
    if (upTo >= this.#edge.at) this.#edge = { at: upTo }
  }

  #forget(timer: TimerPosition): void {
    if (this.#isNear(timer)) this.#heap.delete(timer.keyBytes, timer.at, timer.name)
    else this.#far.removed(timer)
  }

  #isNear(timer: TimerPosition): boolean {
    const { at, timer: last } = this.#edge
    if (last === undefined) return timer.at <= at
    return compareTimers({ ...timer, sequence: 0 }, last) <= 0
  }
}
