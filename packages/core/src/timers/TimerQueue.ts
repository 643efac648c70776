import { compareBytes } from '../model/bytes.js'

/** A pending timer as the heap holds it. */
export interface PendingTimer {
  readonly keyBytes: Uint8Array
  readonly at: number
  readonly name: string | undefined
  /** Order among those that were due when they were registered; −1 for one that was not (T5). */
  readonly sequence: number
}

export type Registered =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'replaced'; readonly previousAt: number }
  | { readonly outcome: 'unchanged' }

interface Entry extends PendingTimer {
  readonly id: string
  /** Replaced or deleted: a husk, skipped when it comes to the top. */
  gone: boolean
}

const ADDED: Registered = { outcome: 'added' }
const UNCHANGED: Registered = { outcome: 'unchanged' }

/** Husks are left alone in a heap of this size. */
const SWEPT_ABOVE = 64

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
  let id = name === undefined ? `@${at}:` : `#${name.length}:${name}`
  // One character a byte: the text is never shown, and hex would cost three times as much.
  for (let i = 0; i < keyBytes.length; i++) id += String.fromCharCode(keyBytes[i] as number)
  return id
}

/**
 * The pending timers of one processor, domain and lane, on the heap (T10 `heap`).
 * A binary heap with a map of identities; a replaced or deleted timer stays in the heap as a husk
 * and is skipped, so that deletion needs no search. Husks are swept when they outnumber the living.
 */
export class TimerQueue {
  #heap: Entry[] = []
  readonly #live = new Map<string, Entry>()

  /** How many timers are pending. */
  get size(): number {
    return this.#live.size
  }

  /** @param keyBytes kept without a copy: it must not change */
  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    const id = identity(keyBytes, at, name)
    const previous = this.#live.get(id)
    if (previous !== undefined && previous.at === at) return UNCHANGED
    const entry: Entry = { keyBytes, at, name, sequence, id, gone: false }
    this.#live.set(id, entry)
    this.#push(entry)
    if (previous === undefined) return ADDED
    previous.gone = true
    this.#sweep()
    return { outcome: 'replaced', previousAt: previous.at }
  }

  /** @returns the timer that is gone, or undefined when there was none */
  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const id = identity(keyBytes, at, name)
    const entry = this.#live.get(id)
    if (entry === undefined) return undefined
    this.#live.delete(id)
    entry.gone = true
    this.#sweep()
    return entry
  }

  /** The timer that fires next, or undefined. */
  peek(): PendingTimer | undefined {
    return this.#top()
  }

  /** Takes the timer that fires next if its time has come: at ≤ `clock` (T5). */
  takeDue(clock: number): PendingTimer | undefined {
    const top = this.#top()
    if (top === undefined || top.at > clock) return undefined
    this.#pop()
    this.#live.delete(top.id)
    return top
  }

  /** How many pending timers have a time ≤ `clock`. */
  countDue(clock: number): number {
    const heap = this.#heap
    let count = 0
    // What lies below a timer of the heap is not earlier, so only due ones are visited.
    const visit = [0]
    for (let index = visit.pop(); index !== undefined; index = visit.pop()) {
      const entry = heap[index]
      if (entry === undefined || entry.at > clock) continue
      if (!entry.gone) count++
      visit.push(2 * index + 1, 2 * index + 2)
    }
    return count
  }

  /** The `limit` earliest pending timers, in firing order. */
  earliest(limit: number): PendingTimer[] {
    const heap = this.#heap
    if (limit * limit > heap.length) return [...this.#live.values()].sort(compareTimers).slice(0, Math.max(0, limit))
    const found: PendingTimer[] = []
    // Indices whose parents have been looked at, in firing order: the earliest of them comes next.
    const frontier = [0]
    while (found.length < limit) {
      const index = frontier.shift()
      const entry = index === undefined ? undefined : heap[index]
      if (index === undefined || entry === undefined) break
      if (!entry.gone) found.push(entry)
      for (const child of [2 * index + 1, 2 * index + 2]) {
        const timer = heap[child]
        if (timer === undefined) continue
        const later = frontier.findIndex((other) => compareTimers(timer, heap[other] as Entry) < 0)
        frontier.splice(later < 0 ? frontier.length : later, 0, child)
      }
    }
    return found
  }

  #top(): Entry | undefined {
    for (;;) {
      const top = this.#heap[0]
      if (top === undefined || !top.gone) return top
      this.#pop()
    }
  }

  #sweep(): void {
    if (this.#heap.length <= SWEPT_ABOVE || this.#heap.length <= 2 * this.#live.size) return
    this.#heap = [...this.#live.values()].sort(compareTimers)
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let index = heap.length
    heap.push(entry)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (compareTimers(heap[parent] as Entry, entry) <= 0) break
      heap[index] = heap[parent] as Entry
      index = parent
    }
    heap[index] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop() as Entry
    const size = heap.length
    if (size === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      if (child + 1 < size && compareTimers(heap[child + 1] as Entry, heap[child] as Entry) < 0) child++
      if (compareTimers(last, heap[child] as Entry) <= 0) break
      heap[index] = heap[child] as Entry
      index = child
    }
    heap[index] = last
  }
}
