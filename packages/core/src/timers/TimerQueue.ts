import { ADDED, type PendingTimer, type Registered, UNCHANGED } from './PendingTimer.js'
import type { PendingTimerQueue } from './PendingTimerQueue.js'
import { TimerForm } from './TimerForm.js'
import { TimerHeap } from './TimerHeap.js'
import { TimerIndex } from './TimerIndex.js'
import { NO_ROW, NOT_STORED, TimerRows } from './TimerRows.js'

export { compareTimers, type PendingTimer, type Registered } from './PendingTimer.js'

/** The pending timers of one processor, domain and lane, in memory only: what the test driver runs on (T10). */
export class TimerQueue implements PendingTimerQueue {
  readonly #rows = new TimerRows()
  readonly #form = new TimerForm()
  readonly #heap = new TimerHeap(this.#rows)
  readonly #live = new TimerIndex(this.#rows)

  get size(): number {
    return this.#live.size
  }

  get nextAt(): number {
    const top = this.#heap.peek()
    return top === NO_ROW ? Number.POSITIVE_INFINITY : this.#rows.at(top)
  }

  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const form = this.#form.set(keyBytes, at, name)
    const previous = this.#live.find(form)
    const previousAt = previous === NO_ROW ? NOT_STORED : this.#rows.at(previous)
    if (previousAt === at) return UNCHANGED
    if (previous !== NO_ROW) this.#remove(previous)
    const row = this.#rows.add(form, sequence, NOT_STORED)
    this.#live.add(row)
    this.#heap.push(row)
    return previous === NO_ROW ? ADDED : { outcome: 'replaced', previousAt }
  }

  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const row = this.#live.find(this.#form.set(keyBytes, at, name))
    if (row === NO_ROW) return undefined
    const timer = this.#rows.timer(row)
    this.#remove(row)
    return timer
  }

  peek(): PendingTimer | undefined {
    const top = this.#heap.peek()
    return top === NO_ROW ? undefined : this.#rows.timer(top)
  }

  takeDue(clock: number): PendingTimer | undefined {
    const top = this.#heap.peek()
    if (top === NO_ROW || this.#rows.at(top) > clock) return undefined
    const timer = this.#rows.timer(top)
    this.#heap.pop(top)
    this.#live.delete(top)
    return timer
  }

  countDue(clock: number): number {
    return this.#heap.countDue(clock)
  }

  earliest(limit: number): PendingTimer[] {
    return this.#heap.earliest(limit).map((row) => this.#rows.timer(row))
  }

  #remove(row: number): void {
    this.#live.delete(row)
    this.#heap.drop(row)
  }
}
