import type { TimerDomain } from '../events/EngineEvent.js'
import { readInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from '../state/OrderedByteStore.js'
import type { PendingTimer, Registered } from './TimerQueue.js'
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

/**
 * The timers of one domain and lane as they lie in a byte store. It holds none of them, only their number, which is
 * written by `flush`.
 */
export class StoredLaneTimers {
  readonly #prefix: Uint8Array
  readonly #end: Uint8Array
  readonly #countKey: Uint8Array
  #size: number
  /** As the store has it. */
  #flushed: number

  constructor(
    private readonly store: OrderedByteStore,
    private readonly domain: TimerDomain,
    lane: number,
    private readonly run: number,
  ) {
    this.#prefix = duePrefix(domain, lane)
    this.#end = prefixRange(this.#prefix).to
    this.#countKey = countKey(domain, lane)
    this.#flushed = this.#readSize()
    this.#size = this.#flushed
  }

  get size(): number {
    return this.#size
  }

  /** Goes by what the store holds now. */
  reload(): void {
    this.#flushed = this.#readSize()
    this.#size = this.#flushed
  }

  /** Writes the number of timers: before an epoch is cut, not at each change. */
  flush(): void {
    if (this.#size === this.#flushed) return
    if (this.#size === 0) this.store.delete(this.#countKey)
    else this.store.put(this.#countKey, int64Bytes(this.#size))
    this.#flushed = this.#size
  }

  /** @throws RangeError when the time is no integer of 0 … 2^53−1: its bytes would stand in the wrong place */
  register(timer: PendingTimer): Registered {
    if (!Number.isSafeInteger(timer.at) || timer.at < 0) throw new RangeError(`Not the time of a timer: ${timer.at}`)
    return timer.name === undefined ? this.#registerUnnamed(timer) : this.#registerNamed(timer, timer.name)
  }

  /** @returns the timer that is gone, or undefined when there was none */
  delete(keyBytes: Uint8Array, at: number, name: string | undefined): PendingTimer | undefined {
    const pendingAt = this.#timeOf({ keyBytes, at, name })
    return pendingAt === undefined ? undefined : this.#remove({ keyBytes, at: pendingAt, name })
  }

  /** Whether a timer of this key and name, or without a name of this key and time, is pending (T2). */
  has(keyBytes: Uint8Array, at: number, name: string | undefined): boolean {
    return this.#timeOf({ keyBytes, at, name }) !== undefined
  }

  /** Removes a timer that is there: it fires. */
  take(timer: PendingTimer): void {
    this.#remove(timer)
  }

  /** In firing order, from a timer on, which is included when it is there; from the first when none is given. Live. */
  from(position: TimerPosition | undefined): Iterable<PendingTimer> {
    return this.#read(position === undefined ? this.#prefix : dueKey(this.#prefix, position), this.#end)
  }

  /** In firing order, those behind a timer; all when none is given. Live. */
  after(position: TimerPosition | undefined): Iterable<PendingTimer> {
    return this.#read(position === undefined ? this.#prefix : justAfter(dueKey(this.#prefix, position)), this.#end)
  }

  /** In firing order, from a timer on, those whose time is ≤ `clock`. */
  dueBy(clock: number, position?: TimerPosition): Iterable<PendingTimer> {
    const to = clock >= Number.MAX_SAFE_INTEGER ? this.#end : dueFrom(this.#prefix, Math.floor(clock) + 1)
    return clock < 0 ? [] : this.#read(position === undefined ? this.#prefix : dueKey(this.#prefix, position), to)
  }

  #registerUnnamed(timer: PendingTimer): Registered {
    const key = dueKey(this.#prefix, timer)
    const previous = this.store.put(key, this.#value(timer))
    if (previous === undefined) {
      this.#size++
      return { outcome: 'added' }
    }
    // Written first and looked at then: nearly always there was none, and that costs one way into the store.
    this.store.put(key, previous)
    return { outcome: 'unchanged' }
  }

  #registerNamed(timer: PendingTimer, name: string): Registered {
    const { keyBytes, at } = timer
    const previousAt = this.#timeOf(timer)
    if (previousAt === at) return { outcome: 'unchanged' }
    this.store.put(dueKey(this.#prefix, timer), this.#value(timer))
    this.store.put(namedKey(this.domain, keyBytes, name), int64Bytes(at))
    if (previousAt === undefined) {
      this.#size++
      return { outcome: 'added' }
    }
    this.store.delete(dueKey(this.#prefix, { keyBytes, at: previousAt, name }))
    return { outcome: 'replaced', previousAt }
  }

  #value({ sequence }: PendingTimer): Uint8Array {
    return writeDueValue({ run: this.run, sequence })
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

  #timeOf(timer: TimerPosition): number | undefined {
    if (timer.name === undefined) {
      return this.store.get(dueKey(this.#prefix, timer)) === undefined ? undefined : timer.at
    }
    const stored = this.store.get(namedKey(this.domain, timer.keyBytes, timer.name))
    return stored === undefined ? undefined : readInt64(stored, 0)
  }

  #remove(position: TimerPosition): PendingTimer | undefined {
    const { keyBytes, at, name } = position
    const value = this.store.delete(dueKey(this.#prefix, position))
    if (value === undefined) return undefined
    if (name !== undefined) this.store.delete(namedKey(this.domain, keyBytes, name))
    this.#size--
    return { keyBytes, at, name, sequence: this.#sequence(value) }
  }

  #readSize(): number {
    const stored = this.store.get(this.#countKey)
    return stored === undefined ? 0 : readInt64(stored, 0)
  }
}
