import type { TimerDomain } from '../events/EngineEvent.js'
import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from '../state/OrderedByteStore.js'
import type { TimerForm } from './TimerForm.js'
import { NOT_STORED, type TimerRows } from './TimerRows.js'
import {
  countKey,
  dueFrom,
  duePrefix,
  int64Bytes,
  namedPrefix,
  prefixRange,
  readDueValue,
  writeDueValue,
} from './timerLayout.js'

/** For tails of up to so many bytes the arrays that a store is asked by are kept and used again. */
const LONGEST_KEPT = 256

/** The timers of one domain and lane as they lie in a byte store. It holds nothing of them. */
export class LaneTimerBytes {
  readonly #prefix: Uint8Array
  readonly #end: Uint8Array
  readonly #namedPrefix: Uint8Array
  readonly #countKey: Uint8Array
  /** Nearly every timer is registered before it is due, and then this is its value. */
  readonly #plainValue: Uint8Array
  /** By the length of the tail, with the prefix in its place: a store copies the keys that it is given. */
  readonly #dueKeys: Uint8Array[] = []
  readonly #namedKeys: Uint8Array[] = []

  constructor(
    private readonly store: OrderedByteStore,
    domain: TimerDomain,
    lane: number,
    private readonly run: number,
  ) {
    this.#prefix = duePrefix(domain, lane)
    this.#end = prefixRange(this.#prefix).to
    this.#namedPrefix = namedPrefix(domain)
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

  /** The time at which a timer (T2) is stored; `NOT_STORED` for one that is not. */
  timeOf(form: TimerForm): number {
    if (!form.isNamed) return this.store.get(this.#dueKey(form)) === undefined ? NOT_STORED : form.at
    const key = keyFor(this.#namedKeys, this.#namedPrefix, 0, form.length)
    copyTail(form, key, this.#namedPrefix.length)
    const stored = this.store.get(key)
    return stored === undefined ? NOT_STORED : readInt64(stored, 0)
  }

  /** The sequence of the timer at a position that is stored. */
  sequenceOf(form: TimerForm): number {
    const value = this.store.get(this.#dueKey(form))
    return value === undefined ? -1 : this.sequence(value)
  }

  /** Stores a timer, which may lie at another time yet. */
  write(rows: TimerRows, row: number): void {
    const at = rows.at(row)
    const sequence = rows.sequence(row)
    const storedAt = rows.storedAt(row)
    const value = sequence === -1 ? this.#plainValue : writeDueValue({ run: this.run, sequence })
    this.store.set(this.#dueKeyOf(rows, row, at), value)
    if (storedAt === at) return
    if (storedAt !== NOT_STORED) this.store.remove(this.#dueKeyOf(rows, row, storedAt))
    if (rows.isNamed(row)) this.store.set(this.#namedKeyOf(rows, row), int64Bytes(at))
  }

  /** Removes what is stored of a timer. */
  remove(rows: TimerRows, row: number): void {
    this.store.remove(this.#dueKeyOf(rows, row, rows.storedAt(row)))
    if (rows.isNamed(row)) this.store.remove(this.#namedKeyOf(rows, row))
  }

  /** The key of the last one in firing order; undefined when none is stored. */
  last(): Uint8Array | undefined {
    for (const [key] of this.store.range({ from: this.#prefix, to: this.#end, reverse: true })) return key
    return undefined
  }

  /** Keys and values in firing order, those behind a timer; all when none is given. Live. */
  after(position: TimerForm | undefined): Iterable<ByteEntry> {
    const from = position === undefined ? this.#prefix : justAfter(this.#dueKey(position))
    return this.store.range({ from, to: this.#end })
  }

  /** Keys and values in firing order, from a timer on, those whose time is ≤ `clock`. Live. */
  from(position: TimerForm, clock = Number.MAX_SAFE_INTEGER): Iterable<ByteEntry> {
    if (clock < 0) return []
    const to = clock >= Number.MAX_SAFE_INTEGER ? this.#end : dueFrom(this.#prefix, Math.floor(clock) + 1)
    // A range keeps its bounds.
    return this.store.range({ from: this.#dueKey(position).slice(), to })
  }

  /** T5: what another run registered was there before any pass of this one. */
  sequence(value: Uint8Array): number {
    const { run, sequence } = readDueValue(value)
    return run === this.run ? sequence : -1
  }

  #dueKey(form: TimerForm): Uint8Array {
    const key = keyFor(this.#dueKeys, this.#prefix, int64Length, form.length)
    writeInt64(key, this.#prefix.length, form.at)
    copyTail(form, key, this.#prefix.length + int64Length)
    return key
  }

  #dueKeyOf(rows: TimerRows, row: number, at: number): Uint8Array {
    const key = keyFor(this.#dueKeys, this.#prefix, int64Length, rows.tailLength(row))
    writeInt64(key, this.#prefix.length, at)
    rows.writeTail(row, key, this.#prefix.length + int64Length)
    return key
  }

  #namedKeyOf(rows: TimerRows, row: number): Uint8Array {
    const key = keyFor(this.#namedKeys, this.#namedPrefix, 0, rows.tailLength(row))
    rows.writeTail(row, key, this.#namedPrefix.length)
    return key
  }
}

/** A key that begins with a prefix, with room for more and for a tail behind it. It is the same array again. */
function keyFor(kept: Uint8Array[], prefix: Uint8Array, more: number, tailLength: number): Uint8Array {
  const known = kept[tailLength]
  if (known !== undefined) return known
  const key = new Uint8Array(prefix.length + more + tailLength)
  key.set(prefix)
  if (tailLength <= LONGEST_KEPT) kept[tailLength] = key
  return key
}

function copyTail({ bytes, length }: TimerForm, target: Uint8Array, offset: number): void {
  for (let i = 0; i < length; i++) target[offset + i] = bytes[i] as number
}
