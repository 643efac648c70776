import type { TimerDomain } from '../events/EngineEvent.js'
import { readInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from '../state/OrderedByteStore.js'
import type { PendingTimer, TimerPosition } from './PendingTimer.js'
import { NOT_STORED, type TimerEntry } from './TimerEntry.js'
import {
  countKey,
  dueFrom,
  dueKey,
  duePrefix,
  int64Bytes,
  namedKey,
  prefixRange,
  readDuePosition,
  readDueValue,
  writeDueValue,
} from './timerLayout.js'

/** A timer as the store has it. */
export interface StoredTimer extends PendingTimer {
  /** Its key in the due index, if at hand. */
  readonly dueKey: Uint8Array | undefined
}

/** The timers of one domain and lane as they lie in a byte store. It holds nothing of them. */
export class LaneTimerBytes {
  readonly #prefix: Uint8Array
  readonly #end: Uint8Array
  readonly #countKey: Uint8Array
  /** Nearly every timer is registered before it is due, and then this is its value. */
  readonly #plainValue: Uint8Array

  constructor(
    private readonly store: OrderedByteStore,
    private readonly domain: TimerDomain,
    lane: number,
    private readonly run: number,
  ) {
    this.#prefix = duePrefix(domain, lane)
    this.#end = prefixRange(this.#prefix).to
    this.#countKey = countKey(domain, lane)
    this.#plainValue = writeDueValue({ run, sequence: -1 })
  }

  get count(): number {
    const stored = this.store.get(this.#countKey)
    return stored === undefined ? 0 : readInt64(stored, 0)
  }

  set count(count: number) {
    if (count === 0) this.store.delete(this.#countKey)
    else this.store.set(this.#countKey, int64Bytes(count))
  }

  /** The key of a timer in the due index. */
  dueKey(position: TimerPosition): Uint8Array {
    return dueKey(this.#prefix, position)
  }

  /** Whether a timer is stored at a position. */
  has(key: Uint8Array): boolean {
    return this.store.get(key) !== undefined
  }

  /** The time of the timer of this key and name (T2); `NOT_STORED` for none. */
  timeOfNamed(keyBytes: Uint8Array, name: string): number {
    const stored = this.store.get(namedKey(this.domain, keyBytes, name))
    return stored === undefined ? NOT_STORED : readInt64(stored, 0)
  }

  /** Reads the timer at a position that is stored. */
  sequenceOf(position: TimerPosition): number {
    const value = this.store.get(dueKey(this.#prefix, position))
    return value === undefined ? -1 : this.#sequence(value)
  }

  /** Stores a timer, which may lie at another time yet. */
  write(timer: TimerEntry): void {
    const { keyBytes, at, name, sequence, storedAt } = timer
    const value = sequence === -1 ? this.#plainValue : writeDueValue({ run: this.run, sequence })
    this.store.set(timer.dueKey ?? this.dueKey(timer), value)
    if (storedAt === at) return
    if (storedAt !== NOT_STORED) this.store.remove(this.dueKey({ keyBytes, at: storedAt, name }))
    if (name !== undefined) this.store.set(namedKey(this.domain, keyBytes, name), int64Bytes(at))
  }

  /** Removes what is stored of a timer. */
  remove(timer: TimerEntry): void {
    const { keyBytes, name, storedAt } = timer
    this.store.remove(timer.dueKey ?? this.dueKey({ keyBytes, at: storedAt, name }))
    if (name !== undefined) this.store.remove(namedKey(this.domain, keyBytes, name))
  }

  /** In firing order, those behind a timer; all when none is given. Live. */
  after(position: TimerPosition | undefined): Iterable<StoredTimer> {
    return this.#read(position === undefined ? this.#prefix : justAfter(dueKey(this.#prefix, position)), this.#end)
  }

  /** In firing order, from a timer on, those whose time is ≤ `clock`. Live. */
  from(position: TimerPosition, clock = Number.MAX_SAFE_INTEGER): Iterable<StoredTimer> {
    const to = clock >= Number.MAX_SAFE_INTEGER ? this.#end : dueFrom(this.#prefix, Math.floor(clock) + 1)
    return clock < 0 ? [] : this.#read(dueKey(this.#prefix, position), to)
  }

  *#read(from: Uint8Array, to: Uint8Array): Generator<StoredTimer> {
    for (const entry of this.store.range({ from, to })) yield this.#timer(entry)
  }

  #timer([key, value]: ByteEntry): StoredTimer {
    const { keyBytes, at, name } = readDuePosition(key)
    return { keyBytes, at, name, sequence: this.#sequence(value), dueKey: key }
  }

  /** T5: what another run registered was there before any pass of this one. */
  #sequence(value: Uint8Array): number {
    const { run, sequence } = readDueValue(value)
    return run === this.run ? sequence : -1
  }
}
