import { compareBytes } from '../model/bytes.js'
import { int64Length, readInt32, readInt64, writeInt32, writeInt64 } from '../serde/int64.js'
import { type ByteEntry, justAfter, type OrderedByteStore } from './OrderedByteStore.js'

/** Times from ≤ time ≤ to, both safe integers of at least 0. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
  readonly reverse: boolean
}

/** Keys from ≤ key ≤ to by their bytes; an absent end is open. */
export interface KeySpan {
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
}

export const everyKey: KeySpan = { from: undefined, to: undefined }

/** What tells entries of one key and time apart, as the last bytes of a stored key. */
export interface Tail {
  readonly length: number
  /** The tails that are written as the least and the greatest bytes. */
  readonly first: number
  readonly last: number
  write(bytes: Uint8Array, at: number, value: number): void
  read(bytes: Uint8Array, at: number): number
}

/** The number of a window among those of one key and start: 0 unless duplicates are kept (`kafka-streams.md` A.5). */
export const sequence: Tail = { length: 4, first: 0, last: 0x7fffffff, write: writeInt32, read: readInt32 }

const greatest = Number.MAX_SAFE_INTEGER

/** The start of a session, which is kept by its end (A.6). */
export const sessionStart: Tail = { length: 8, first: 0, last: greatest, write: writeInt64, read: readInt64 }

/** The same, so that sessions of one end come from the latest start to the earliest, as in Kafka's in-memory store. */
export const sessionStartDescending: Tail = {
  length: 8,
  first: greatest,
  last: 0,
  write: (bytes, at, value) => writeInt64(bytes, at, greatest - value),
  read: (bytes, at) => greatest - readInt64(bytes, at),
}

/** How an entry's key and time become one key in a segment, and so in which order a segment is read. */
export interface EntryLayout {
  /** How many rows of a segment an entry takes. */
  readonly rows: number
  stored(key: Uint8Array, time: number, tail: number): Uint8Array
  keyOf(stored: Uint8Array): Uint8Array
  timeOf(stored: Uint8Array): number
  tailOf(stored: Uint8Array): number
  put(segment: OrderedByteStore, stored: Uint8Array, value: Uint8Array): void
  delete(segment: OrderedByteStore, stored: Uint8Array): void
  /** All rows of an entry, as a put or, without a value, a deletion would leave them. */
  rowsOf(stored: Uint8Array, value: Uint8Array | undefined): readonly (readonly [Uint8Array, Uint8Array | undefined])[]
  /** Whether a row is an entry's own, and not made from one. */
  isEntry(row: Uint8Array): boolean
  /** The entries of one key, by time. */
  ofKey(segment: OrderedByteStore, key: Uint8Array, times: TimeSpan): Iterable<ByteEntry>
  /**
   * The entries of several keys, in the order of the layout.
   *
   * @param after begins behind this stored key, which is of one of the times; forward only
   */
  ofKeys(segment: OrderedByteStore, keys: KeySpan, times: TimeSpan, after?: Uint8Array): Iterable<ByteEntry>
}

/**
 * key ∥ time int64 ∥ tail, as Kafka's persistent stores and all changelogs (`kafka-streams.md` F.2). Keys of several
 * lengths are not prefix-free in this form (`k` and `k\0…`), so every scan checks the key itself.
 */
export class KeyFirstLayout implements EntryLayout {
  readonly rows: number = 1
  protected readonly suffix: number

  constructor(
    protected readonly tail: Tail,
    /** Bytes in front of the key. */
    protected readonly before = 0,
  ) {
    this.suffix = int64Length + tail.length
  }

  stored(key: Uint8Array, time: number, tail: number): Uint8Array {
    const bytes = new Uint8Array(this.before + key.length + this.suffix)
    bytes.set(key, this.before)
    writeInt64(bytes, this.before + key.length, time)
    this.tail.write(bytes, bytes.length - this.tail.length, tail)
    return bytes
  }

  keyOf(stored: Uint8Array): Uint8Array {
    return stored.subarray(this.before, stored.length - this.suffix)
  }

  timeOf(stored: Uint8Array): number {
    return readInt64(stored, stored.length - this.suffix)
  }

  tailOf(stored: Uint8Array): number {
    return this.tail.read(stored, stored.length - this.tail.length)
  }

  put(segment: OrderedByteStore, stored: Uint8Array, value: Uint8Array): void {
    segment.put(stored, value)
  }

  delete(segment: OrderedByteStore, stored: Uint8Array): void {
    segment.delete(stored)
  }

  rowsOf(
    stored: Uint8Array,
    value: Uint8Array | undefined,
  ): readonly (readonly [Uint8Array, Uint8Array | undefined])[] {
    return [[stored, value]]
  }

  isEntry(_row: Uint8Array): boolean {
    return true
  }

  *ofKey(segment: OrderedByteStore, key: Uint8Array, { from, to, reverse }: TimeSpan): Generator<ByteEntry> {
    const range = {
      from: this.stored(key, from, this.tail.first),
      to: justAfter(this.stored(key, to, this.tail.last)),
      reverse,
    }
    const length = this.before + key.length + this.suffix
    for (const entry of segment.range(range)) {
      // Both ends begin with the key, so all between do; of this length it is the whole key.
      if (entry[0].length === length) yield entry
    }
  }

  *ofKeys(segment: OrderedByteStore, keys: KeySpan, times: TimeSpan, after?: Uint8Array): Generator<ByteEntry> {
    const from = after === undefined ? keys.from : justAfter(after)
    const to = keys.to && justAfter(this.#greatestStored(keys.to, times.to))
    for (const entry of segment.range({ from, to, reverse: times.reverse })) {
      const time = this.timeOf(entry[0])
      if (time >= times.from && time <= times.to && within(this.keyOf(entry[0]), keys)) yield entry
    }
  }

  /** The greatest stored key of any key ≤ `key`: a prefix of it may sort above it once its time is appended. */
  #greatestStored(key: Uint8Array, time: number): Uint8Array {
    let found = this.stored(key, time, this.tail.last)
    for (let length = 0; length < key.length; length++) {
      const candidate = this.stored(key.subarray(0, length), time, this.tail.last)
      if (compareBytes(candidate, found) > 0) found = candidate
    }
    return found
  }
}

const indexRow = 0
const entryRow = 1
const nothing = new Uint8Array(0)

/**
 * Entries by time, then key, as in Kafka's in-memory and time-first stores. Each is kept by its key, as above, and
 * stands in an index by time, so that neither a read of one key nor one of a span of time visits anything else.
 */
export class ByTimeLayout extends KeyFirstLayout {
  override readonly rows = 2

  constructor(tail: Tail) {
    super(tail, 1)
  }

  override stored(key: Uint8Array, time: number, tail: number): Uint8Array {
    const bytes = super.stored(key, time, tail)
    bytes[0] = entryRow
    return bytes
  }

  override put(segment: OrderedByteStore, stored: Uint8Array, value: Uint8Array): void {
    if (segment.put(stored, value) === undefined) segment.put(this.#indexed(stored), nothing)
  }

  override delete(segment: OrderedByteStore, stored: Uint8Array): void {
    if (segment.delete(stored) !== undefined) segment.delete(this.#indexed(stored))
  }

  override rowsOf(stored: Uint8Array, value: Uint8Array | undefined) {
    return [[stored, value] as const, [this.#indexed(stored), value && nothing] as const]
  }

  override isEntry(row: Uint8Array): boolean {
    return row[0] === entryRow
  }

  override *ofKeys(
    segment: OrderedByteStore,
    keys: KeySpan,
    { from, to, reverse }: TimeSpan,
    after?: Uint8Array,
  ): Generator<ByteEntry> {
    const first = after === undefined ? this.#timeRow(from) : justAfter(this.#indexed(after))
    for (const [row] of segment.range({ from: first, to: this.#timeRow(to + 1), reverse })) {
      const stored = this.#entryOf(row)
      if (!within(this.keyOf(stored), keys)) continue
      const value = segment.get(stored)
      if (value !== undefined) yield [stored, value]
    }
  }

  /** The row of the index: the time before the key. */
  #indexed(stored: Uint8Array): Uint8Array {
    const key = this.keyOf(stored)
    const row = new Uint8Array(stored.length)
    row[0] = indexRow
    row.set(stored.subarray(1 + key.length, 1 + key.length + int64Length), 1)
    row.set(key, 1 + int64Length)
    row.set(stored.subarray(stored.length - this.tail.length), 1 + int64Length + key.length)
    return row
  }

  #entryOf(row: Uint8Array): Uint8Array {
    const key = row.subarray(1 + int64Length, row.length - this.tail.length)
    const stored = new Uint8Array(row.length)
    stored[0] = entryRow
    stored.set(key, 1)
    stored.set(row.subarray(1, 1 + int64Length), 1 + key.length)
    stored.set(row.subarray(row.length - this.tail.length), 1 + key.length + int64Length)
    return stored
  }

  #timeRow(time: number): Uint8Array {
    const bytes = new Uint8Array(1 + int64Length)
    writeInt64(bytes, 1, time)
    return bytes
  }
}

function within(key: Uint8Array, { from, to }: KeySpan): boolean {
  return (from === undefined || compareBytes(key, from) >= 0) && (to === undefined || compareBytes(key, to) <= 0)
}
