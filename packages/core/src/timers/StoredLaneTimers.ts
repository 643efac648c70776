import type { TimerDomain } from '../events/EngineEvent.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import { HeldChanges } from './HeldChanges.js'
import { LaneTimerBytes, type StoredTimer } from './LaneTimerBytes.js'
import {
  ADDED,
  compareTimers,
  type PendingTimer,
  type Registered,
  type TimerPosition,
  UNCHANGED,
} from './PendingTimer.js'
import type { StoredTimerQueue } from './PendingTimerQueue.js'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'
import { TimerFront } from './TimerFront.js'
import { TimerHeap } from './TimerHeap.js'
import { TimerIndex, timerHash } from './TimerIndex.js'

/** Which stored timers are held in memory as well (T10). */
export interface TimerHorizon {
  /** How far ahead of the clock, ms. */
  readonly aheadMs: number
  /** How many are brought into memory at most, for a clock that leaps. */
  readonly limit: number
}

/** So many are brought into memory at a time, so that a leap of the clock holds up no lane: between two callbacks, … */
const BROUGHT_AT_ONCE = 64
/** … and at a cut. */
const BROUGHT_AT_CUT = 1024

const NOTHING_AHEAD: TimerHorizon = { aheadMs: Number.NEGATIVE_INFINITY, limit: 0 }

/**
 * The pending timers of one domain and lane over a byte store. Changes are held back in memory, seen at once by every
 * read, and written by `flush`, each timer once in its final state (E8): one that is registered and gone again between
 * two flushes never comes near the store.
 *
 * In memory are the changes that are held back and the near timers: those up to an edge, which moves ahead with the
 * clock as far as the horizon says. The others are read when their turn comes.
 */
export class StoredLaneTimers implements StoredTimerQueue {
  readonly #bytes: LaneTimerBytes
  /** The stored timers that are not in the index, in firing order. */
  readonly #front: TimerFront
  /** By identity: all that are in the heap, and those that are gone while the store has them yet. */
  #index = new TimerIndex()
  #heap = new TimerHeap()
  #changes = new HeldChanges()
  #horizon = NOTHING_AHEAD
  /** What is not after this is near. With a timer: not after that timer; without: not after its time. */
  #edge: { readonly at: number; readonly timer?: PendingTimer } = { at: -1 }
  #size: number
  /** As the store has it. */
  #storedSize: number

  constructor(store: OrderedByteStore, domain: TimerDomain, lane: number, run: number) {
    this.#bytes = new LaneTimerBytes(store, domain, lane, run)
    this.#front = new TimerFront((position, limit) => this.#readUnknown(position, limit))
    this.#storedSize = this.#bytes.count
    this.#size = this.#storedSize
  }

  get size(): number {
    return this.#size
  }

  /** How many timers are held in memory, those that are gone and still to be deleted in the store included. */
  get held(): number {
    return this.#index.size + this.#front.held
  }

  /** Sets which stored timers are held in memory from now on. */
  hold(horizon: TimerHorizon): this {
    this.#horizon = horizon
    this.#holdAll()
    return this
  }

  /** @throws RangeError when the time is no integer of 0 … 2^53−1: its bytes would stand in the wrong place */
  register(keyBytes: Uint8Array, at: number, name: string | undefined, sequence: number): Registered {
    if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`Not the time of a timer: ${at}`)
    const hash = timerHash(keyBytes, at, name)
    const known = this.#index.find(hash, keyBytes, at, name)
    if (known === undefined) return this.#registerUnknown(keyBytes, at, name, sequence, hash)
    if (!known.gone && known.at === at) return UNCHANGED
    const entry = new TimerEntry(keyBytes, at, name, sequence, hash, known.storedAt)
    this.#index.delete(known)
    this.#changes.remove(known)
    this.#insert(entry)
    this.#changes.add(entry)
    if (known.gone) {
      this.#size++
      return ADDED
    }
    this.#heap.drop(known)
    return { outcome: 'replaced', previousAt: known.at }
  }

  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const hash = timerHash(keyBytes, at, name)
    const known = this.#index.find(hash, keyBytes, at, name)
    if (known === undefined) return this.#deleteUnknown(keyBytes, at, name)
    if (known.gone) return undefined
    this.#heap.drop(known)
    this.#end(known)
    return known
  }

  /** Whether a timer of this key and name, or without a name of this key and time, is pending (T2). */
  has(keyBytes: Uint8Array, at: number, name: string | undefined): boolean {
    const known = this.#index.find(timerHash(keyBytes, at, name), keyBytes, at, name)
    if (known !== undefined) return !known.gone
    return this.#mayBeStored(keyBytes, at, name) && this.#storedTime(keyBytes, at, name) !== NOT_STORED
  }

  peek(): PendingTimer | undefined {
    const held = this.#heap.peek()
    if (!this.#hasFar || (held !== undefined && this.#isNear(held))) return held
    const far = this.#front.peek()
    if (held === undefined || far === undefined) return held ?? far
    return compareTimers(held, far) < 0 ? held : far
  }

  takeDue(clock: number): PendingTimer | undefined {
    // What is due already gains nothing by being held: a few of it, so that they come without a search.
    if (this.#edge.at >= clock || this.#heap.size < BROUGHT_AT_ONCE) this.#moveEdge(clock, BROUGHT_AT_ONCE)
    const next = this.peek()
    if (next === undefined || next.at > clock) return undefined
    const held = this.#heap.peek()
    if (held === next) {
      this.#heap.pop(held)
      held.gone = true
      this.#end(held)
    } else {
      this.#front.shift()
      this.#endStored(next as StoredTimer)
    }
    return next
  }

  countDue(clock: number): number {
    let count = this.#heap.countDue(clock)
    for (const _ of this.#far(clock)) count++
    return count
  }

  earliest(limit: number): PendingTimer[] {
    const found: PendingTimer[] = this.#heap.earliest(limit).map(plain)
    let far = 0
    for (const timer of this.#far()) {
      if (++far > limit) break
      found.push(timer)
    }
    return found.sort(compareTimers).slice(0, Math.max(0, limit))
  }

  /**
   * Writes into the byte store what has changed since the last flush, and lets go of what is not near.
   *
   * @param clock the domain's clock, by which the near ones are told
   */
  flush(clock?: number): void {
    if (clock !== undefined) this.#moveEdge(clock, BROUGHT_AT_CUT)
    for (const entry of this.#changes.take()) this.#flush(entry)
    if (this.#size === this.#storedSize) return
    this.#bytes.count = this.#size
    this.#storedSize = this.#size
  }

  #flush(entry: TimerEntry): void {
    if (entry.gone) this.#bytes.remove(entry)
    else this.#bytes.write(entry)
    entry.storedAt = entry.at
    const { dueKey } = entry
    entry.dueKey = undefined
    if (!entry.gone && this.#isNear(entry)) return
    this.#index.delete(entry)
    if (entry.gone) return
    this.#heap.drop(entry)
    this.#front.added(entry, dueKey)
  }

  /** Throws away what is held back and held in memory, and goes by what the store holds now. */
  reload(): void {
    this.#index = new TimerIndex()
    this.#heap = new TimerHeap()
    this.#changes = new HeldChanges()
    this.#front.reset()
    this.#edge = { at: -1 }
    this.#storedSize = this.#bytes.count
    this.#size = this.#storedSize
    this.#holdAll()
  }

  #registerUnknown(
    keyBytes: Uint8Array,
    at: number,
    name: string | undefined,
    sequence: number,
    hash: number,
  ): Registered {
    const entry = new TimerEntry(keyBytes, at, name, sequence, hash, NOT_STORED)
    let previousAt = NOT_STORED
    if (this.#mayBeStored(keyBytes, at, name)) {
      if (name === undefined) entry.dueKey = this.#bytes.dueKey(entry)
      previousAt = this.#storedTime(keyBytes, at, name, entry.dueKey)
      if (previousAt === at) return UNCHANGED
      entry.storedAt = previousAt
    }
    this.#insert(entry)
    this.#changes.add(entry)
    if (previousAt === NOT_STORED) {
      this.#size++
      return ADDED
    }
    this.#front.removed({ keyBytes, at: previousAt, name })
    return { outcome: 'replaced', previousAt }
  }

  #deleteUnknown(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    if (!this.#mayBeStored(keyBytes, at, name)) return undefined
    const storedAt = this.#storedTime(keyBytes, at, name)
    if (storedAt === NOT_STORED) return undefined
    const position = { keyBytes, at: storedAt, name }
    const dueKey = this.#bytes.dueKey(position)
    const timer = { ...position, sequence: this.#bytes.sequenceOf(position), dueKey }
    this.#front.removed(position)
    this.#endStored(timer)
    return timer
  }

  #insert(entry: TimerEntry): void {
    this.#index.add(entry)
    this.#heap.push(entry)
  }

  /** A timer of the heap is pending no more. */
  #end(entry: TimerEntry): void {
    this.#size--
    if (entry.storedAt !== NOT_STORED) {
      this.#changes.add(entry)
      return
    }
    this.#changes.remove(entry)
    this.#index.delete(entry)
  }

  /** A stored timer that is not in the index is pending no more. */
  #endStored({ keyBytes, at, name, sequence, dueKey }: StoredTimer): void {
    const entry = new TimerEntry(keyBytes, at, name, sequence, timerHash(keyBytes, at, name), at)
    entry.dueKey = dueKey
    entry.gone = true
    this.#index.add(entry)
    this.#changes.add(entry)
    this.#size--
  }

  /** Whether the store may have a timer that is not in the index. */
  #mayBeStored(keyBytes: Uint8Array, at: number, name: string | undefined): boolean {
    // A near one without a name would be in the index. A named one may lie at any time.
    return this.#hasFar && (name !== undefined || !this.#isNear({ keyBytes, at, name }))
  }

  /** Where a timer that is not in the index lies in the store. */
  #storedTime(keyBytes: Uint8Array, at: number, name: string | undefined, dueKey?: Uint8Array): number {
    if (name !== undefined) return this.#bytes.timeOfNamed(keyBytes, name)
    return this.#bytes.has(dueKey ?? this.#bytes.dueKey({ keyBytes, at, name })) ? at : NOT_STORED
  }

  /** Whether the store has pending timers that are not in memory. */
  get #hasFar(): boolean {
    return this.#size > this.#heap.size
  }

  /** The pending timers that are not in memory, in firing order, up to a clock. */
  #far(clock?: number): Iterable<PendingTimer> {
    const first = this.#hasFar ? this.#front.peek() : undefined
    // From the first pending one on: what is gone and not deleted yet is not passed over again.
    return first === undefined ? [] : this.#unknown(this.#bytes.from(first, clock))
  }

  *#unknown(timers: Iterable<PendingTimer>): Generator<PendingTimer> {
    for (const timer of timers) if (!this.#isKnown(timer)) yield timer
  }

  #readUnknown(position: TimerPosition | undefined, limit: number): StoredTimer[] {
    const found: StoredTimer[] = []
    for (const timer of this.#bytes.after(position)) {
      if (this.#isKnown(timer)) continue
      found.push(timer)
      if (found.length === limit) break
    }
    return found
  }

  #isKnown({ keyBytes, at, name }: TimerPosition): boolean {
    return this.#index.find(timerHash(keyBytes, at, name), keyBytes, at, name) !== undefined
  }

  /** Without a horizon all is near from the start. */
  #holdAll(): void {
    if (this.#horizon.aheadMs === Number.POSITIVE_INFINITY)
      this.#refill(-1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  }

  /** The edge is moved again when half of what lies ahead of the clock is left. */
  #moveEdge(clock: number, most: number): void {
    const { aheadMs } = this.#horizon
    if (clock + aheadMs / 2 > this.#edge.at) this.#refill(clock, clock + aheadMs, most)
  }

  /** Brings timers up to a time into memory, in their order, so many at most. */
  #refill(clock: number, upTo: number, most: number): void {
    for (let brought = 0; this.#hasFar; brought++) {
      const next = this.#front.peek()
      if (next === undefined || next.at > upTo) break
      if (brought >= most || this.#heap.size >= this.#horizon.limit) return
      this.#front.shift()
      const { keyBytes, at, name, sequence } = next
      const entry = new TimerEntry(keyBytes, at, name, sequence, timerHash(keyBytes, at, name), at)
      // Held for long it would be a waste; one that is due soon is soon deleted.
      if (at <= clock) entry.dueKey = next.dueKey
      this.#insert(entry)
      this.#edge = { at, timer: next }
    }
    if (upTo >= this.#edge.at) this.#edge = { at: upTo }
  }

  #isNear(position: TimerPosition): boolean {
    const { at, timer } = this.#edge
    if (timer === undefined || position.at !== at) return position.at <= at
    return compareTimers(position, timer) <= 0
  }
}

function plain({ keyBytes, at, name, sequence }: PendingTimer): PendingTimer {
  return { keyBytes, at, name, sequence }
}
