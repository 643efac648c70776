import type { TimerDomain } from '../events/EngineEvent.js'
import type { ByteEntry, OrderedByteStore } from '../state/OrderedByteStore.js'
import { HeldChanges } from './HeldChanges.js'
import { LaneTimerBytes } from './LaneTimerBytes.js'
import { ADDED, compareTimers, type PendingTimer, type Registered, UNCHANGED } from './PendingTimer.js'
import type { StoredTimerQueue } from './PendingTimerQueue.js'
import { compareForms, TimerForm } from './TimerForm.js'
import { TimerFront } from './TimerFront.js'
import { TimerHeap } from './TimerHeap.js'
import { TimerIndex } from './TimerIndex.js'
import { IN_FRONT, NO_ROW, NOT_STORED, TimerRows } from './TimerRows.js'
import { readDueKey } from './timerLayout.js'

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

/** What a lane holds in memory. */
interface Held {
  readonly rows: TimerRows
  /** By identity: all that are in the heap, and those that are gone while the store has them yet. */
  readonly index: TimerIndex
  readonly heap: TimerHeap
  readonly changes: HeldChanges
  /** The stored timers that are not in the index, in firing order. */
  readonly front: TimerFront
}

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
  #held: Held
  #horizon = NOTHING_AHEAD
  /** What is not after this is near. With a timer: not after that timer; without: not after its time. */
  #edgeAt = -1
  #edgeHasTimer = false
  readonly #edge = new TimerForm()
  #size: number
  /** As the store has it. */
  #storedSize: number
  /** No timer is stored after this one; undefined while the store has not been asked. `false`: none is stored at all. */
  #last: TimerForm | false | undefined
  /** The timer that a call is about. */
  readonly #given = new TimerForm()
  /** The timer that was read last. */
  readonly #read = new TimerForm()

  constructor(store: OrderedByteStore, domain: TimerDomain, lane: number, run: number) {
    this.#bytes = new LaneTimerBytes(store, domain, lane, run)
    this.#held = this.#nothingHeld()
    this.#storedSize = this.#bytes.count
    this.#size = this.#storedSize
  }

  get size(): number {
    return this.#size
  }

  /** How many timers are held in memory, those that are gone and still to be deleted in the store included. */
  get held(): number {
    return this.#held.index.size + this.#held.front.held
  }

  /** How many bytes those take. */
  get heldBytes(): number {
    return this.#held.rows.byteLength
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
    const form = this.#given.set(keyBytes, at, name)
    const { rows, index } = this.#held
    const known = index.find(form)
    if (known === NO_ROW) return this.#registerUnknown(form, sequence)
    const wasGone = rows.isGone(known)
    const previousAt = rows.at(known)
    if (!wasGone && previousAt === at) return UNCHANGED
    const row = rows.add(form, sequence, rows.storedAt(known))
    this.#held.changes.remove(known)
    index.delete(known)
    this.#insert(row)
    this.#held.changes.add(row)
    if (wasGone) {
      this.#size++
      return ADDED
    }
    this.#held.heap.drop(known)
    return { outcome: 'replaced', previousAt }
  }

  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const form = this.#given.set(keyBytes, at, name)
    const { rows, index, heap } = this.#held
    const known = index.find(form)
    if (known === NO_ROW) return this.#deleteUnknown(form)
    if (rows.isGone(known)) return undefined
    const timer = rows.timer(known)
    heap.drop(known)
    this.#end(known)
    return timer
  }

  /** Whether a timer of this key and name, or without a name of this key and time, is pending (T2). */
  has(keyBytes: Uint8Array, at: number, name: string | undefined): boolean {
    const form = this.#given.set(keyBytes, at, name)
    const known = this.#held.index.find(form)
    if (known !== NO_ROW) return !this.#held.rows.isGone(known)
    return this.#mayBeStored(form) && this.#bytes.timeOf(form) !== NOT_STORED
  }

  get nextAt(): number {
    const next = this.#next()
    return next === NO_ROW ? Number.POSITIVE_INFINITY : this.#held.rows.at(next)
  }

  peek(): PendingTimer | undefined {
    const next = this.#next()
    return next === NO_ROW ? undefined : this.#held.rows.timer(next)
  }

  takeDue(clock: number): PendingTimer | undefined {
    const { rows, index, heap, front, changes } = this.#held
    // What is due already gains nothing by being held: a few of it, so that they come without a search.
    if (this.#edgeAt >= clock || heap.size < BROUGHT_AT_ONCE) this.#moveEdge(clock, BROUGHT_AT_ONCE)
    const next = this.#next()
    if (next === NO_ROW || rows.at(next) > clock) return undefined
    const timer = rows.timer(next)
    rows.setGone(next)
    if (rows.isHeldBy(next, IN_FRONT)) {
      index.add(next)
      front.shift()
      changes.add(next)
      this.#size--
    } else {
      heap.pop(next)
      this.#end(next)
    }
    return timer
  }

  countDue(clock: number): number {
    let count = this.#held.heap.countDue(clock)
    for (const _ of this.#far(clock)) count++
    return count
  }

  earliest(limit: number): PendingTimer[] {
    const found = this.#held.heap.earliest(limit).map((row) => this.#held.rows.timer(row))
    let far = 0
    for (const [key, value] of this.#far()) {
      if (++far > limit) break
      const { keyBytes, at, name } = readDueKey(key)
      found.push({ keyBytes, at, name, sequence: this.#bytes.sequence(value) })
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
    for (const row of this.#held.changes.take()) this.#flush(row)
    this.#held.front.pause()
    if (this.#size === this.#storedSize) return
    this.#bytes.count = this.#size
    this.#storedSize = this.#size
  }

  #flush(row: number): void {
    const { rows, index, heap, front } = this.#held
    if (rows.isGone(row)) {
      this.#bytes.remove(rows, row)
      index.delete(row)
      return
    }
    this.#bytes.write(rows, row)
    this.#noteStored(row)
    rows.setStoredAt(row, rows.at(row))
    if (this.#isNearRow(row)) return
    front.added(row)
    index.delete(row)
    heap.drop(row)
  }

  /** Throws away what is held back and held in memory, and goes by what the store holds now. */
  reload(): void {
    this.#held = this.#nothingHeld()
    this.#edgeAt = -1
    this.#edgeHasTimer = false
    this.#last = undefined
    this.#storedSize = this.#bytes.count
    this.#size = this.#storedSize
    this.#holdAll()
  }

  #nothingHeld(): Held {
    const rows = new TimerRows()
    return {
      rows,
      index: new TimerIndex(rows),
      heap: new TimerHeap(rows),
      changes: new HeldChanges(rows),
      front: new TimerFront(rows, {
        open: (position) => this.#bytes.after(position)[Symbol.iterator](),
        read: (stored, limit) => this.#readUnknown(stored, limit),
      }),
    }
  }

  #registerUnknown(form: TimerForm, sequence: number): Registered {
    const previousAt = this.#mayBeStored(form) ? this.#bytes.timeOf(form) : NOT_STORED
    if (previousAt === form.at) return UNCHANGED
    const row = this.#held.rows.add(form, sequence, previousAt)
    this.#insert(row)
    this.#held.changes.add(row)
    if (previousAt === NOT_STORED) {
      this.#size++
      return ADDED
    }
    form.at = previousAt
    this.#held.front.removed(form)
    return { outcome: 'replaced', previousAt }
  }

  #deleteUnknown(form: TimerForm): PendingTimer | undefined {
    const storedAt = this.#mayBeStored(form) ? this.#bytes.timeOf(form) : NOT_STORED
    if (storedAt === NOT_STORED) return undefined
    // Its hash stays: a named one's is not of its time.
    form.at = storedAt
    const { rows, index, changes, front } = this.#held
    const row = rows.add(form, this.#bytes.sequenceOf(form), storedAt)
    front.removed(form)
    rows.setGone(row)
    index.add(row)
    changes.add(row)
    this.#size--
    return rows.timer(row)
  }

  #insert(row: number): void {
    this.#held.index.add(row)
    this.#held.heap.push(row)
  }

  /** A timer that was in the heap is pending no more. */
  #end(row: number): void {
    const { rows, index, changes } = this.#held
    this.#size--
    if (rows.storedAt(row) !== NOT_STORED) {
      changes.add(row)
      return
    }
    changes.remove(row)
    index.delete(row)
  }

  /** The next timer, in the heap or the front; `NO_ROW` when there is none. */
  #next(): number {
    const { rows, heap, front } = this.#held
    const near = heap.peek()
    if (!this.#hasFar || (near !== NO_ROW && this.#isNearRow(near))) return near
    const far = front.peek()
    if (near === NO_ROW) return far
    return far === NO_ROW || rows.compare(near, far) < 0 ? near : far
  }

  /** Whether the store may have a timer that is not in the index. */
  #mayBeStored(form: TimerForm): boolean {
    if (!this.#hasFar) return false
    // A named one may lie at any time. A near one without a name would be in the index, …
    return form.isNamed || !(this.#isNear(form) || this.#isAfterStored(form))
  }

  /** … and most are registered for a time after all others, which costs no look at the store. */
  #isAfterStored(form: TimerForm): boolean {
    if (this.#last === undefined) {
      const last = this.#bytes.last()
      this.#last = last === undefined ? false : new TimerForm().setStored(last)
    }
    return this.#last === false || compareForms(form, this.#last) > 0
  }

  #noteStored(row: number): void {
    if (this.#last === undefined || (this.#last !== false && this.#held.rows.compareForm(row, this.#last) <= 0)) return
    this.#last = this.#held.rows.copyTo(this.#last || new TimerForm(), row)
  }

  /** Whether the store has pending timers that are not in memory. */
  get #hasFar(): boolean {
    return this.#size > this.#held.heap.size
  }

  /** The pending timers that are not in memory, in firing order, up to a clock. */
  *#far(clock?: number): Generator<ByteEntry> {
    const { rows, front, index } = this.#held
    const first = this.#hasFar ? front.peek() : NO_ROW
    if (first === NO_ROW) return
    // From the first pending one on: what is gone and not deleted yet is not passed over again.
    const from = rows.copyTo(this.#read, first)
    for (const entry of this.#bytes.from(from, clock)) {
      if (index.find(this.#read.setStored(entry[0])) === NO_ROW) yield entry
    }
  }

  /** In rows that nobody holds yet. */
  #readUnknown(stored: Iterator<ByteEntry>, limit: number): number[] {
    const { rows, index } = this.#held
    const found: number[] = []
    while (found.length < limit) {
      const { done, value: entry } = stored.next()
      if (done) break
      const form = this.#read.setStored(entry[0])
      if (index.find(form) !== NO_ROW) continue
      found.push(rows.add(form, this.#bytes.sequence(entry[1]), form.at))
    }
    return found
  }

  /** Without a horizon all is near from the start. */
  #holdAll(): void {
    if (this.#horizon.aheadMs === Number.POSITIVE_INFINITY)
      this.#refill(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  }

  /** The edge is moved again when half of what lies ahead of the clock is left. */
  #moveEdge(clock: number, most: number): void {
    const { aheadMs } = this.#horizon
    if (clock + aheadMs / 2 > this.#edgeAt) this.#refill(clock + aheadMs, most)
  }

  /** Brings timers up to a time into memory, in their order, so many at most. */
  #refill(upTo: number, most: number): void {
    const { rows, heap, front } = this.#held
    let last = NO_ROW
    let full = false
    for (let brought = 0; this.#hasFar; brought++) {
      const next = front.peek()
      if (next === NO_ROW || rows.at(next) > upTo) break
      full = brought >= most || heap.size >= this.#horizon.limit
      if (full) break
      this.#insert(next)
      front.shift()
      last = next
    }
    if (last !== NO_ROW) {
      rows.copyTo(this.#edge, last)
      this.#edgeAt = this.#edge.at
      this.#edgeHasTimer = true
    }
    if (full || upTo < this.#edgeAt) return
    this.#edgeAt = upTo
    this.#edgeHasTimer = false
  }

  #isNear(form: TimerForm): boolean {
    if (!this.#edgeHasTimer || form.at !== this.#edgeAt) return form.at <= this.#edgeAt
    return compareForms(form, this.#edge) <= 0
  }

  #isNearRow(row: number): boolean {
    const at = this.#held.rows.at(row)
    if (!this.#edgeHasTimer || at !== this.#edgeAt) return at <= this.#edgeAt
    return this.#held.rows.compareForm(row, this.#edge) <= 0
  }
}
