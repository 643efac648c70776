import { IN_HEAP, NO_ROW, type TimerRows } from './TimerRows.js'
import { TimerRun, withoutHusks } from './TimerRun.js'

/** Children of a node: their times lie side by side, and there are half as many levels as in a binary heap. */
const WIDTH = 4

/** Husks are left alone in a heap of this size. */
const SWEPT_ABOVE = 64

/**
 * Timers in firing order (T5): a heap of rows, beside it a run of those that came in order. One that is replaced or
 * deleted stays as a husk and is skipped, so that a deletion needs no search. Husks are swept when they outnumber the
 * living.
 */
export class TimerHeap {
  #entries: number[] = []
  /** The times of the entries, by themselves: nearly every comparison is decided by them. */
  #times: number[] = []
  readonly #run: TimerRun
  #husks = 0

  constructor(private readonly rows: TimerRows) {
    this.#run = new TimerRun(rows)
  }

  /** How many timers are in it, husks not counted. */
  get size(): number {
    return this.#entries.length + this.#run.length - this.#husks
  }

  push(row: number): void {
    this.rows.hold(row, IN_HEAP)
    if (this.#run.append(row)) return
    this.#entries.push(row)
    this.#times.push(this.rows.at(row))
    this.#rise(this.#entries.length - 1, row)
  }

  /** The first timer; `NO_ROW` when there is none. */
  peek(): number {
    const top = this.#livingTop()
    const first = this.#livingFirst()
    if (top === NO_ROW) return first
    if (first === NO_ROW) return top
    return this.rows.compare(first, top) < 0 ? first : top
  }

  /** Takes out the timer that `peek` gave. */
  pop(row: number): void {
    if (this.#run.first === row) this.#run.shift()
    else this.#removeTop()
    this.rows.release(row, IN_HEAP)
  }

  /** Makes a timer of this heap a husk, which may be swept at once. */
  drop(row: number): void {
    this.rows.setGone(row)
    this.#husks++
    if (this.#husks > SWEPT_ABOVE && this.#husks > this.size) this.#sweep()
  }

  /** How many timers have a time ≤ `clock`. */
  countDue(clock: number): number {
    let count = 0
    for (const row of this.#run.living()) {
      if (this.rows.at(row) > clock) break
      count++
    }
    // What lies below a timer of the heap is not earlier, so only due ones are visited.
    const visit = [0]
    for (let index = visit.pop(); index !== undefined; index = visit.pop()) {
      if (index >= this.#entries.length || (this.#times[index] as number) > clock) continue
      if (!this.rows.isGone(this.#entries[index] as number)) count++
      for (let child = 1; child <= WIDTH; child++) visit.push(WIDTH * index + child)
    }
    return count
  }

  /** The `limit` earliest, in firing order. */
  earliest(limit: number): number[] {
    const found = this.#earliestOfHeap(limit)
    let ofRun = 0
    for (const row of this.#run.living()) {
      if (++ofRun > limit) break
      found.push(row)
    }
    return found.sort((a, b) => this.rows.compare(a, b)).slice(0, Math.max(0, limit))
  }

  #earliestOfHeap(limit: number): number[] {
    const entries = this.#entries
    if (limit * limit > entries.length) return entries.filter((row) => !this.rows.isGone(row))
    const found: number[] = []
    // Indices whose parents have been looked at, in firing order: the earliest of them comes next.
    const frontier = [0]
    while (found.length < limit) {
      const index = frontier.shift()
      const row = index === undefined ? undefined : entries[index]
      if (index === undefined || row === undefined) break
      if (!this.rows.isGone(row)) found.push(row)
      for (let child = WIDTH * index + 1; child <= WIDTH * index + WIDTH; child++) {
        const timer = entries[child]
        if (timer === undefined) break
        const later = frontier.findIndex((other) => this.rows.compare(timer, entries[other] as number) < 0)
        frontier.splice(later < 0 ? frontier.length : later, 0, child)
      }
    }
    return found
  }

  #livingTop(): number {
    for (;;) {
      if (this.#entries.length === 0) return NO_ROW
      const top = this.#entries[0] as number
      if (!this.rows.isGone(top)) return top
      this.#removeTop()
      this.#husks--
      this.rows.release(top, IN_HEAP)
    }
  }

  #livingFirst(): number {
    for (;;) {
      const { first } = this.#run
      if (first === NO_ROW || !this.rows.isGone(first)) return first
      this.#run.shift()
      this.#husks--
      this.rows.release(first, IN_HEAP)
    }
  }

  #sweep(): void {
    this.#run.sweep()
    this.#entries = withoutHusks(this.rows, this.#entries)
    this.#times = this.#entries.map((row) => this.rows.at(row))
    this.#husks = 0
    for (let index = Math.floor((this.#entries.length - 2) / WIDTH); index >= 0; index--) {
      this.#sink(index, this.#entries[index] as number)
    }
  }

  #removeTop(): void {
    const last = this.#entries.pop() as number
    this.#times.pop()
    if (this.#entries.length > 0) this.#sink(0, last)
  }

  /** Puts a row where it belongs between the top and a place that is free. */
  #rise(free: number, row: number): void {
    const at = this.rows.at(row)
    let index = free
    while (index > 0) {
      const parent = Math.floor((index - 1) / WIDTH)
      if (!this.#isLater(parent, at, row)) break
      this.#move(parent, index)
      index = parent
    }
    this.#set(index, row, at)
  }

  /** Puts a row where it belongs between a place that is free and the leaves below it. */
  #sink(free: number, row: number): void {
    const at = this.rows.at(row)
    const size = this.#entries.length
    let index = free
    for (;;) {
      const first = WIDTH * index + 1
      if (first >= size) break
      const least = this.#leastOf(first, Math.min(first + WIDTH, size))
      if (this.#isLater(least, at, row)) break
      this.#move(least, index)
      index = least
    }
    this.#set(index, row, at)
  }

  #leastOf(first: number, end: number): number {
    let least = first
    let at = this.#times[first] as number
    for (let child = first + 1; child < end; child++) {
      const time = this.#times[child] as number
      if (time > at || (time === at && !this.#isLater(least, time, this.#entries[child] as number))) continue
      least = child
      at = time
    }
    return least
  }

  /** Whether the row at an index comes after another one, whose time is given beside it. */
  #isLater(index: number, at: number, other: number): boolean {
    const time = this.#times[index] as number
    return time === at ? this.rows.compare(this.#entries[index] as number, other) > 0 : time > at
  }

  #move(from: number, to: number): void {
    this.#entries[to] = this.#entries[from] as number
    this.#times[to] = this.#times[from] as number
  }

  #set(index: number, row: number, at: number): void {
    this.#entries[index] = row
    this.#times[index] = at
  }
}
