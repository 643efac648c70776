import { ADDED, type PendingTimer, type Registered, UNCHANGED } from './PendingTimer.js'
import type { PendingTimerQueue } from './PendingTimerQueue.js'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'
import { TimerHeap } from './TimerHeap.js'
import { TimerIndex, timerHash } from './TimerIndex.js'

export { compareTimers, type PendingTimer, type Registered } from './PendingTimer.js'

/** The pending timers of one processor, domain and lane, in memory only: what the test driver runs on (T10). */
export class TimerQueue implements PendingTimerQueue {
  readonly #heap = new TimerHeap()
  readonly #live = new TimerIndex()

  /** How many timers are pending. */
  get size(): number {
    return this.#live.size
  }

  /** @param keyBytes kept without a copy: it must not change */
  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const hash = timerHash(keyBytes, at, name)
    const previous = this.#live.find(hash, keyBytes, at, name)
    if (previous !== undefined && previous.at === at) return UNCHANGED
    const entry = new TimerEntry(keyBytes, at, name, sequence, hash, NOT_STORED)
    if (previous !== undefined) this.#remove(previous)
    this.#live.add(entry)
    this.#heap.push(entry)
    return previous === undefined ? ADDED : { outcome: 'replaced', previousAt: previous.at }
  }

  /** @returns the timer that is gone, or undefined when there was none */
  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const entry = this.#live.find(timerHash(keyBytes, at, name), keyBytes, at, name)
    if (entry !== undefined) this.#remove(entry)
    return entry
  }

  /** The timer that fires next, or undefined. */
  peek(): PendingTimer | undefined {
    return this.#heap.peek()
  }

  /** Takes the timer that fires next if its time has come: at ≤ `clock` (T5). */
  takeDue(clock: number): PendingTimer | undefined {
    const top = this.#heap.peek()
    if (top === undefined || top.at > clock) return undefined
    this.#heap.pop(top)
    this.#live.delete(top)
    return top
  }

  /** How many pending timers have a time ≤ `clock`. */
  countDue(clock: number): number {
    return this.#heap.countDue(clock)
  }

  /** The `limit` earliest pending timers, in firing order. */
  earliest(limit: number): PendingTimer[] {
    return this.#heap.earliest(limit)
  }

  #remove(entry: TimerEntry): void {
    this.#live.delete(entry)
    this.#heap.drop(entry)
  }
}
