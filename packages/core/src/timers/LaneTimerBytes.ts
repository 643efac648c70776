import type { TimerDomain } from '../events/EngineEvent.js'
import { readInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from '../state/OrderedByteStore.js'
import type { PendingTimer } from './PendingTimer.js'
import { NOT_STORED } from './TimerEntry.js'
import {
  countKey,
  dueFrom,
  dueKey,
  duePrefix,
  int64Bytes,
  namedKey,
  prefixRange,
  readDueKey,
  readDueValue,
  type TimerPosition,
  writeDueValue,
} from './timerLayout.js'

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
    else this.store.put(this.#countKey, int64Bytes(count))
  }

  /** The time of the timer of this key and name, or of this key and time without a name (T2); `NOT_STORED` for none. */
  timeOf(keyBytes: Uint8Array, at: number, name: string | undefined): number {
    if (name === undefined) {
      return this.store.get(dueKey(this.#prefix, { keyBytes, at, name })) === undefined ? NOT_STORED : at
    }
    const stored = this.store.get(namedKey(this.domain, keyBytes, name))
    return stored === undefined ? NOT_STORED : readInt64(stored, 0)
  }

  /** Reads the timer at a position that `timeOf` told of. */
  sequenceOf(position: TimerPosition): number {
    const value = this.store.get(dueKey(this.#prefix, position))
    return value === undefined ? -1 : this.#sequence(value)
  }

  /** Stores a timer, which may lie at another time yet. */
  write(timer: PendingTimer, storedAt: number): void {
    const { keyBytes, at, name, sequence } = timer
    this.store.put(
      dueKey(this.#prefix, timer),
      sequence === -1 ? this.#plainValue : writeDueValue({ run: this.run, sequence }),
    )
    if (storedAt === at) return
    if (storedAt !== NOT_STORED) this.store.delete(dueKey(this.#prefix, { keyBytes, at: storedAt, name }))
    if (name !== undefined) this.store.put(namedKey(this.domain, keyBytes, name), int64Bytes(at))
  }

  /** Removes the timer at a position. */
  remove(position: TimerPosition): void {
    this.store.delete(dueKey(this.#prefix, position))
    if (position.name !== undefined) this.store.delete(namedKey(this.domain, position.keyBytes, position.name))
  }

  /** In firing order, those behind a timer; all when none is given. Live. */
  after(position: TimerPosition | undefined): Iterable<PendingTimer> {
    return this.#read(position === undefined ? this.#prefix : justAfter(dueKey(this.#prefix, position)), this.#end)
  }

  /** In firing order, from a timer on, those whose time is ≤ `clock`. Live. */
  from(position: TimerPosition, clock = Number.MAX_SAFE_INTEGER): Iterable<PendingTimer> {
    const to = clock >= Number.MAX_SAFE_INTEGER ? this.#end : dueFrom(this.#prefix, Math.floor(clock) + 1)
    return clock < 0 ? [] : this.#read(dueKey(this.#prefix, position), to)
  }

  *#read(from: Uint8Array, to: Uint8Array): Generator<PendingTimer> {
    for (const entry of this.store.range({ from, to })) yield this.#timer(entry)
  }

  #timer([key, value]: ByteEntry): PendingTimer {
    const { keyBytes, at, name } = readDueKey(key)
    return { keyBytes, at, name, sequence: this.#sequence(value) }
  }

  /** T5: what another run registered was there before any pass of this one. */
  #sequence(value: Uint8Array): number {
    const { run, sequence } = readDueValue(value)
    return run === this.run ? sequence : -1
  }
}
