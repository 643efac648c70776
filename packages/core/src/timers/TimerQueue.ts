import { compareBytes, toHex } from '../model/bytes.js'

/** A pending timer as the heap holds it. */
export interface PendingTimer {
  readonly keyBytes: Uint8Array
  readonly at: number
  readonly name: string | undefined
  /** Order of registration over the whole service: tells which timers a pass has itself made (T5). */
  readonly sequence: number
}

export type Registered =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'replaced'; readonly previousAt: number }
  | { readonly outcome: 'unchanged' }

/** Firing order within a lane: time, then key bytes (unsigned), then name, an unnamed one first (T5). */
export function compareTimers(a: PendingTimer, b: PendingTimer): number {
  if (a.at !== b.at) return a.at - b.at
  const byKey = compareBytes(a.keyBytes, b.keyBytes)
  if (byKey !== 0) return byKey
  if (a.name === b.name) return 0
  if (a.name === undefined) return -1
  if (b.name === undefined) return 1
  return a.name < b.name ? -1 : 1
}

/** T2: a named timer is one per key and name, an unnamed one is one per key and time. */
function identity(keyBytes: Uint8Array, at: number, name: string | undefined): string {
  return name === undefined ? `${toHex(keyBytes)}@${at}` : `${toHex(keyBytes)}#${name}`
}

/**
 * The pending timers of one processor, domain and lane, on the heap (T10 `heap`).
 * A binary heap with a map of identities; a replaced or deleted timer stays in the heap as a husk
 * and is skipped, so that deletion needs no search. Husks are swept when they outnumber the living.
 */
export class TimerQueue {
  #heap: PendingTimer[] = []
  readonly #live = new Map<string, PendingTimer>()

  /** How many timers are pending. */
  get size(): number {
    return this.#live.size
  }

  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const id = identity(keyBytes, at, name)
    const previous = this.#live.get(id)
    if (previous !== undefined && previous.at === at) return { outcome: 'unchanged' }
    const timer: PendingTimer = { keyBytes, at, name, sequence }
    this.#live.set(id, timer)
    this.#push(timer)
    if (previous === undefined) return { outcome: 'added' }
    this.#sweep()
    return { outcome: 'replaced', previousAt: previous.at }
  }

  /** @returns the timer that is gone, or undefined when there was none */
  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const id = identity(keyBytes, at, name)
    const timer = this.#live.get(id)
    if (timer === undefined) return undefined
    this.#live.delete(id)
    this.#sweep()
    return timer
  }

  /** The timer that fires next, or undefined. */
  peek(): PendingTimer | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (top === undefined || this.#isLive(top)) return top
      this.#pop()
    }
  }

  /** Takes the timer that fires next if its time has come: at ≤ `clock` (T5). */
  takeDue(clock: number): PendingTimer | undefined {
    const top = this.peek()
    if (top === undefined || top.at > clock) return undefined
    this.#pop()
    this.#live.delete(identity(top.keyBytes, top.at, top.name))
    return top
  }

  /** How many pending timers have a time ≤ `clock`. */
  countDue(clock: number): number {
    let count = 0
    for (const timer of this.#live.values()) if (timer.at <= clock) count++
    return count
  }

  /** The `limit` earliest pending timers, in firing order. */
  earliest(limit: number): PendingTimer[] {
    if (limit <= 0 || this.#live.size === 0) return []
    return [...this.#live.values()].sort(compareTimers).slice(0, limit)
  }

  #isLive(timer: PendingTimer): boolean {
    return this.#live.get(identity(timer.keyBytes, timer.at, timer.name)) === timer
  }

  #sweep(): void {
    if (this.#heap.length <= 64 || this.#heap.length <= 2 * this.#live.size) return
    this.#heap = [...this.#live.values()].sort(compareTimers)
  }

  #push(timer: PendingTimer): void {
    const heap = this.#heap
    let index = heap.length
    heap.push(timer)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (compareTimers(heap[parent] as PendingTimer, timer) <= 0) break
      heap[index] = heap[parent] as PendingTimer
      index = parent
    }
    heap[index] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop() as PendingTimer
    const size = heap.length
    if (size === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      if (child + 1 < size && compareTimers(heap[child + 1] as PendingTimer, heap[child] as PendingTimer) < 0) child++
      if (compareTimers(last, heap[child] as PendingTimer) <= 0) break
      heap[index] = heap[child] as PendingTimer
      index = child
    }
    heap[index] = last
  }
}
