import { compareTimers } from './PendingTimer.js'
import type { TimerEntry } from './TimerEntry.js'
import { TimerRun } from './TimerRun.js'

/** Children of a node: their times lie side by side, and there are half as many levels as in a binary heap. */
const WIDTH = 4

/** Husks are left alone in a heap of this size. */
const SWEPT_ABOVE = 64

/**
 * Timers in firing order (T5): a heap, beside it a run of those that came in order. One that is replaced or deleted
 * stays as a husk and is skipped, so that a deletion needs no search. Husks are swept when they outnumber the living.
 */
export class TimerHeap {
  #entries: TimerEntry[] = []
  /** The times of the entries, by themselves: nearly every comparison is decided by them. */
  #times: number[] = []
  readonly #run = new TimerRun()
  #husks = 0

  /** How many timers are in it, husks not counted. */
  get size(): number {
    return this.#entries.length + this.#run.length - this.#husks
  }

  push(entry: TimerEntry): void {
    if (this.#run.append(entry)) return
    this.#entries.push(entry)
    this.#times.push(entry.at)
    this.#rise(this.#entries.length - 1, entry)
  }

  /** The first timer, or undefined. */
  peek(): TimerEntry | undefined {
    const top = this.#livingTop()
    const first = this.#livingFirst()
    if (top === undefined || first === undefined) return top ?? first
    return compareTimers(first, top) < 0 ? first : top
  }

  /** Takes out the timer that `peek` gave. */
  pop(entry: TimerEntry): void {
    if (this.#run.first === entry) this.#run.shift()
    else this.#removeTop()
  }

  /** Makes a timer of this heap a husk. */
  drop(entry: TimerEntry): void {
    entry.gone = true
    this.#husks++
    if (this.#husks > SWEPT_ABOVE && this.#husks > this.size) this.#sweep()
  }

  /** How many timers have a time ≤ `clock`. */
  countDue(clock: number): number {
    let count = 0
    for (const entry of this.#run.living()) {
      if (entry.at > clock) break
      count++
    }
    // What lies below a timer of the heap is not earlier, so only due ones are visited.
    const visit = [0]
    for (let index = visit.pop(); index !== undefined; index = visit.pop()) {
      const entry = this.#entries[index]
      if (entry === undefined || entry.at > clock) continue
      if (!entry.gone) count++
      for (let child = 1; child <= WIDTH; child++) visit.push(WIDTH * index + child)
    }
    return count
  }

  /** The `limit` earliest, in firing order. */
  earliest(limit: number): TimerEntry[] {
    const found = this.#earliestOfHeap(limit)
    let ofRun = 0
    for (const entry of this.#run.living()) {
      if (++ofRun > limit) break
      found.push(entry)
    }
    return found.sort(compareTimers).slice(0, Math.max(0, limit))
  }

  #earliestOfHeap(limit: number): TimerEntry[] {
    const entries = this.#entries
    if (limit * limit > entries.length) return entries.filter((entry) => !entry.gone)
    const found: TimerEntry[] = []
    // Indices whose parents have been looked at, in firing order: the earliest of them comes next.
    const frontier = [0]
    while (found.length < limit) {
      const index = frontier.shift()
      const entry = index === undefined ? undefined : entries[index]
      if (index === undefined || entry === undefined) break
      if (!entry.gone) found.push(entry)
      for (let child = WIDTH * index + 1; child <= WIDTH * index + WIDTH; child++) {
        const timer = entries[child]
        if (timer === undefined) break
        const later = frontier.findIndex((other) => compareTimers(timer, entries[other] as TimerEntry) < 0)
        frontier.splice(later < 0 ? frontier.length : later, 0, child)
      }
    }
    return found
  }

  #livingTop(): TimerEntry | undefined {
    for (;;) {
      const top = this.#entries[0]
      if (top === undefined || !top.gone) return top
      this.#removeTop()
      this.#husks--
    }
  }

  #livingFirst(): TimerEntry | undefined {
    for (;;) {
      const { first } = this.#run
      if (first === undefined || !first.gone) return first
      this.#run.shift()
      this.#husks--
    }
  }

  #sweep(): void {
    this.#run.sweep()
    this.#entries = this.#entries.filter((entry) => !entry.gone)
    this.#times = this.#entries.map((entry) => entry.at)
    this.#husks = 0
    for (let index = Math.floor((this.#entries.length - 2) / WIDTH); index >= 0; index--) {
      this.#sink(index, this.#entries[index] as TimerEntry)
    }
  }

  #removeTop(): void {
    const last = this.#entries.pop() as TimerEntry
    this.#times.pop()
    if (this.#entries.length > 0) this.#sink(0, last)
  }

  /** Puts an entry where it belongs between the top and a place that is free. */
  #rise(free: number, entry: TimerEntry): void {
    const { at } = entry
    let index = free
    while (index > 0) {
      const parent = Math.floor((index - 1) / WIDTH)
      if (!this.#isLater(parent, at, entry)) break
      this.#move(parent, index)
      index = parent
    }
    this.#set(index, entry)
  }

  /** Puts an entry where it belongs between a place that is free and the leaves below it. */
  #sink(free: number, entry: TimerEntry): void {
    const { at } = entry
    const size = this.#entries.length
    let index = free
    for (;;) {
      const first = WIDTH * index + 1
      if (first >= size) break
      const least = this.#leastOf(first, Math.min(first + WIDTH, size))
      if (this.#isLater(least, at, entry)) break
      this.#move(least, index)
      index = least
    }
    this.#set(index, entry)
  }

  #leastOf(first: number, end: number): number {
    let least = first
    let at = this.#times[first] as number
    for (let child = first + 1; child < end; child++) {
      const time = this.#times[child] as number
      if (time > at || (time === at && !this.#isLater(least, time, this.#entries[child] as TimerEntry))) continue
      least = child
      at = time
    }
    return least
  }

  /** Whether the entry at an index comes after another one, whose time is given beside it. */
  #isLater(index: number, at: number, other: TimerEntry): boolean {
    const time = this.#times[index] as number
    return time === at ? compareTimers(this.#entries[index] as TimerEntry, other) > 0 : time > at
  }

  #move(from: number, to: number): void {
    this.#entries[to] = this.#entries[from] as TimerEntry
    this.#times[to] = this.#times[from] as number
  }

  #set(index: number, entry: TimerEntry): void {
    this.#entries[index] = entry
    this.#times[index] = entry.at
  }
}
