import type { SegmentFacts } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'
import { type EntryLayout, everyKey, type KeySpan, type TimeSpan } from './entryLayout.js'
import type { ByteEntry } from './OrderedByteStore.js'
import { leastLiveSegment, segmentIntervalOf } from './retention.js'
import type { StoreAccess, StoreEnvironment, StoreInspection } from './StoreBuilder.js'
import { type LostPut, WindowReports } from './WindowReports.js'
import { type Segment, WindowSegments } from './WindowSegments.js'

/** What a windowed store is told by its builder. Times in ms. */
export interface SegmentedSettings {
  readonly name: string
  readonly kind: 'window' | 'session'
  readonly retentionMs: number
  /**
   * `segments`: a put is refused when its segment is dead; between that and what is readable lies the grey zone
   * (`kafka-streams.md` A.2). `exact`: a put is refused when it would not be readable (A.3).
   */
  readonly expiry: 'segments' | 'exact'
  /** How far below observed − retention reads reach: 1 in Kafka's time-first stores (A.8). Default 0. */
  readonly readSlackMs?: number
  /** Nothing expires before `closed` has been told that all that closes by that clock has been sent on (S6, H-2). */
  readonly holdsForClosing?: boolean
}

/** A put in bytes; without a value it deletes. `key` is what a report shows. */
export interface SegmentedPut {
  readonly key: unknown
  /** A window's start, a session's end. */
  readonly time: number
  readonly stored: Uint8Array
  readonly valueBytes: Uint8Array | undefined
}

const closedUpTo = new Uint8Array([0])
const closing = new Uint8Array([1])

/** The entries of one windowed store: its clock, its segments, and the rules of what may be written, read and kept (S1 to S7). */
export class SegmentedState {
  readonly #segments: WindowSegments
  readonly #reports: WindowReports
  #observed: number
  /** How far expiry has followed it. */
  #expiredAt = -1
  #movedBy: RecordCoordinates | null = null
  /** The clock that closing has got to; expiry follows it where it is held. */
  #closedClock = -1
  #closedUpTo: number | undefined

  constructor(
    private readonly settings: SegmentedSettings,
    readonly layout: EntryLayout,
    private readonly environment: StoreEnvironment,
  ) {
    const { name, retentionMs } = settings
    this.#segments = new WindowSegments(name, segmentIntervalOf(retentionMs), environment.byteStores, layout.rows)
    this.#reports = new WindowReports(name, environment, settings.kind === 'window' ? 'windowStart' : 'sessionEnd')
    this.#observed = environment.restoredObserved ?? -1
    // What a crash left behind between an expiry and its deletion goes at the start (S8).
    this.#segments.drop(this.#leastKept())
  }

  /** Of the store. */
  get name(): string {
    return this.settings.name
  }

  /**
   * The clock that retention goes by: the event clock, or the greatest put (S7), but never past the event clock, so that
   * what is not late is there to be read (W7). −1 before any. Never goes back.
   */
  get observed(): number {
    const { eventClock } = this.environment
    return eventClock === undefined ? this.#heldBack : Math.max(this.#observed, eventClock())
  }

  /** The greatest put, as far as it may count: a record that waits on another lane was in time when it was read. */
  get #heldBack(): number {
    const { heldClock } = this.environment
    return heldClock === undefined ? this.#observed : Math.min(this.#observed, heldClock())
  }

  /** Reads see only times above this (S1). */
  get readableAbove(): number {
    return this.observed - this.settings.retentionMs - (this.settings.readSlackMs ?? 0)
  }

  /** Whether there were entries when this life of the store began. */
  get isEmpty(): boolean {
    return this.#segments.all().length === 0
  }

  get(time: number, stored: Uint8Array): Uint8Array | undefined {
    if (time <= this.readableAbove) return undefined
    return this.#segments.get(this.#segments.idOf(time))?.entries.get(stored)
  }

  /**
   * Moves the clock, expires segments, then writes or refuses, in that order: a put of the far future destroys
   * what is old before it is written itself (`kafka-streams.md` A.1).
   *
   * @returns whether it was written where it can be read
   */
  put(put: SegmentedPut, access: StoreAccess): boolean {
    const before = this.observed
    this.moveTo(put.time, access)
    const kept = put.time > this.readableAbove
    const id = this.#segments.idOf(put.time)
    const refused =
      this.settings.expiry === 'exact'
        ? put.time <= this.observed - this.settings.retentionMs
        : id < this.#leastLive(this.observed)
    if (refused) {
      this.#reports.refused(this.#lost(put), access)
      return false
    }
    const readable = kept && put.time >= 0
    if (put.time >= 0) this.#write(put, id, before, access)
    if (!readable && put.valueBytes !== undefined) this.#reports.greyZone(this.#lost(put), access)
    return readable
  }

  /** Takes an entry out, wherever its segment still lives, without a word when it does not. */
  remove(time: number, stored: Uint8Array): void {
    const segment = this.#segments.get(this.#segments.idOf(time))
    if (segment !== undefined) this.layout.delete(segment.entries, stored)
  }

  /** What a put does to the clock, in `stream-time` mode. */
  moveTo(time: number, access: StoreAccess): void {
    if (this.environment.eventClock === undefined && time > this.#observed) this.#moveTo(time, access.cause())
  }

  *ofKey(keyBytes: Uint8Array, times: TimeSpan): Generator<ByteEntry> {
    for (const [segment, span] of this.#spans(times, this.readableAbove + 1)) {
      yield* this.#readable(this.layout.ofKey(segment.entries, keyBytes, span))
    }
  }

  *ofKeys(keys: KeySpan, times: TimeSpan): Generator<ByteEntry> {
    for (const [segment, span] of this.#spans(times, this.readableAbove + 1)) {
      yield* this.#readable(this.layout.ofKeys(segment.entries, keys, span))
    }
  }

  /**
   * All that is still there, readable or not: what closes must come out though the clock has passed it (S6, H-2).
   *
   * @param after begins behind this entry, which was one of them
   */
  *present(times: TimeSpan, after?: Uint8Array): Generator<ByteEntry> {
    const from = after === undefined ? times.from : Math.max(times.from, this.layout.timeOf(after))
    for (const [segment, span] of this.#spans({ ...times, from }, 0)) {
      yield* this.layout.ofKeys(segment.entries, everyKey, span, after)
    }
  }

  /** Up to which close time windows have been sent on as final; −1 before any. Of the epoch, like the entries. */
  get closedUpTo(): number {
    if (this.#closedUpTo === undefined) {
      const bytes = this.#marks().get(closedUpTo)
      this.#closedUpTo = bytes === undefined ? -1 : readInt64(bytes, 0)
    }
    return this.#closedUpTo
  }

  /** The last entry that was sent on as final of those that close at the next close time; undefined: none was. */
  get closingAt(): Uint8Array | undefined {
    return this.#marks().get(closing)
  }

  /** Closing stops here, and is to go on behind this entry. */
  pauseClosing(after: Uint8Array): void {
    this.#marks().put(closing, after)
  }

  /** All that closes up to this close time has been sent on: what is older than the retention at this clock may go. */
  closed(closeTime: number, clock: number, causedBy: RecordCoordinates | null): void {
    const bytes = new Uint8Array(int64Length)
    writeInt64(bytes, 0, closeTime)
    this.#marks().put(closedUpTo, bytes)
    this.#marks().delete(closing)
    this.#closedUpTo = closeTime
    this.#closedClock = Math.max(this.#closedClock, clock)
    this.#expire(this.#observed, causedBy)
  }

  countWindows(after: number, upTo: number): number {
    const from = Math.max(after, this.readableAbove) + 1
    let count = 0
    for (const [segment, span] of this.#spans({ from, to: upTo, reverse: false }, this.readableAbove + 1)) {
      const { from: first, to: end, entries } = this.#segments.facts(segment)
      if (span.from <= first && end - 1 <= span.to) count += entries
      else for (const _ of this.layout.ofKeys(segment.entries, everyKey, span)) count++
    }
    return count
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    const { eventClock } = this.environment
    if (eventClock !== undefined) this.#moveTo(eventClock(), causedBy)
    else if (this.#isOverdue) this.#expire(this.#expiredAt, this.#movedBy)
  }

  wouldExpire(timestamp: number): readonly SegmentFacts[] {
    const leastLive = this.#leastLive(Math.max(this.observed, timestamp))
    return this.#segments
      .below(leastLive)
      .filter((segment) => segment.entries.size > 0)
      .map((segment) => this.#segments.facts(segment))
  }

  inspect(): StoreInspection {
    const segments = this.#segments.all().map((segment) => this.#segments.facts(segment))
    return {
      name: this.settings.name,
      kind: this.settings.kind,
      entries: segments.reduce((sum, { entries }) => sum + entries, 0),
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      windowed: {
        retentionMs: this.settings.retentionMs,
        segmentIntervalMs: this.#segments.intervalMs,
        observed: this.observed,
        movedBy: this.#movedBy,
        readableAbove: this.readableAbove,
        segments,
      },
    }
  }

  /** A colon is no part of a store's name, so no store's entries are kept under this one. */
  #marks() {
    return this.environment.byteStores.store(`${this.settings.name}:marks`)
  }

  #leastLive(observed: number): number {
    return leastLiveSegment(observed, this.settings.retentionMs, this.#segments.intervalMs)
  }

  #moveTo(timestamp: number, causedBy: RecordCoordinates | null): void {
    const clockBefore = this.#observed
    if (timestamp <= clockBefore) return
    this.#observed = timestamp
    this.#movedBy = causedBy
    this.#expire(clockBefore, causedBy)
  }

  #leastKept(): number {
    const { holdsForClosing = false } = this.settings
    return this.#leastLive(holdsForClosing ? Math.min(this.#heldBack, this.#closedClock) : this.#heldBack)
  }

  /** Whether a put has moved the clock further than expiry could follow. */
  get #isOverdue(): boolean {
    return this.environment.heldClock !== undefined && this.#expiredAt < this.#heldBack
  }

  #expire(clockBefore: number, causedBy: RecordCoordinates | null): void {
    this.#expiredAt = this.#heldBack
    const leastKept = this.#leastKept()
    const expired = this.#segments.below(leastKept)
    if (expired.length === 0) return
    // The facts are taken before the entries go, and told after the store is whole again.
    const facts = this.environment.listening('segment-expired')
      ? expired.map((segment) => this.#segments.facts(segment))
      : []
    this.#segments.drop(leastKept)
    for (const fact of facts) {
      this.environment.emit({ type: 'segment-expired', ...fact, clockBefore, clockAfter: this.#heldBack, causedBy })
    }
  }

  #write({ stored, valueBytes }: SegmentedPut, id: number, clockBefore: number, access: StoreAccess): void {
    const present = this.#segments.get(id)
    if (valueBytes === undefined) {
      if (present !== undefined) this.layout.delete(present.entries, stored)
      return
    }
    const segment = present ?? this.#segments.create(id)
    this.layout.put(segment.entries, stored, valueBytes)
    if (present !== undefined || !this.environment.listening('segment-created')) return
    const facts = this.#segments.facts(segment)
    const causedBy = access.cause()
    this.environment.emit({ type: 'segment-created', ...facts, clockBefore, clockAfter: this.observed, causedBy })
  }

  /** The segments that overlap the times, each with the part of them from `least` on. */
  *#spans({ from, to, reverse }: TimeSpan, least: number): Generator<[Segment, TimeSpan]> {
    const first = Math.ceil(Math.max(from, least, 0))
    const last = Math.floor(Math.min(to, Number.MAX_SAFE_INTEGER))
    if (first > last) return
    for (const segment of this.#segments.overlapping(first, last, reverse)) {
      yield [segment, { from: first, to: last, reverse }]
    }
  }

  /** Looks at the clock at each step: another lane may have moved it while the reader awaited. */
  *#readable(entries: Iterable<ByteEntry>): Generator<ByteEntry> {
    for (const entry of entries) if (this.layout.timeOf(entry[0]) > this.readableAbove) yield entry
  }

  #lost({ key, time }: SegmentedPut): LostPut {
    return { key, time, observed: this.observed, readableAbove: this.readableAbove, movedBy: this.#movedBy }
  }
}
