import type { SegmentFacts } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { ByteEntry } from './OrderedByteStore.js'
import { leastLiveSegment, segmentIntervalOf } from './retention.js'
import type { StoreAccess, StoreEnvironment, StoreInspection } from './StoreBuilder.js'
import { type LostPut, WindowReports } from './WindowReports.js'
import { type Segment, WindowSegments } from './WindowSegments.js'
import { type KeySpan, keyFirst, type StartSpan, timeFirst, type WindowLayout } from './windowLayout.js'

/** What a window store is told by its builder. Times in ms. */
export interface WindowSettings {
  readonly name: string
  readonly retentionMs: number
  readonly windowSizeMs: number
  /**
   * `segments`: a put is refused when its segment is dead; between that and what is readable lies the grey zone
   * (`kafka-streams.md` A.2). `exact`: a put is refused when it would not be readable (A.3).
   */
  readonly expiry: 'segments' | 'exact'
}

/** A put in bytes; without a value it deletes. `key` is what a report shows. */
export interface WindowPut {
  readonly key: unknown
  readonly keyBytes: Uint8Array
  readonly start: number
  readonly valueBytes: Uint8Array | undefined
}

/** The windows of one store: its clock, its segments, and the rules of what may be written, read and kept (S1 to S7). */
export class WindowState {
  readonly layout: WindowLayout
  readonly #segments: WindowSegments
  readonly #reports: WindowReports
  #observed: number
  #movedBy: RecordCoordinates | null = null

  constructor(
    private readonly settings: WindowSettings,
    private readonly environment: StoreEnvironment,
  ) {
    this.layout = settings.expiry === 'segments' ? keyFirst : timeFirst
    this.#segments = new WindowSegments(settings.name, segmentIntervalOf(settings.retentionMs), environment.byteStores)
    this.#reports = new WindowReports(settings.name, environment)
    this.#observed = environment.restoredObserved ?? -1
    // What a crash left behind between an expiry and its deletion goes at the start (S8).
    this.#segments.drop(this.#leastLive(this.#observed))
  }

  /** The clock that retention goes by: the event clock, or the greatest put (S7). −1 before any. Never goes back. */
  get observed(): number {
    const { eventClock } = this.environment
    return eventClock === undefined ? this.#observed : Math.max(this.#observed, eventClock())
  }

  /** Reads see only starts above this (S1). */
  get readableAbove(): number {
    return this.observed - this.settings.retentionMs
  }

  get(keyBytes: Uint8Array, start: number): Uint8Array | undefined {
    if (start <= this.readableAbove) return undefined
    return this.#segments.get(this.#segments.idOf(start))?.entries.get(this.layout.stored(keyBytes, start))
  }

  /**
   * Moves the clock, expires segments, then writes or refuses, in that order: a put of the far future destroys
   * what is old before it is written itself (`kafka-streams.md` A.1).
   *
   * @returns whether it was written where it can be read
   */
  put(put: WindowPut, access: StoreAccess): boolean {
    const before = this.observed
    if (this.environment.eventClock === undefined && put.start > before) this.#moveTo(put.start, access.cause())
    const kept = put.start > this.readableAbove
    const id = this.#segments.idOf(put.start)
    if (this.settings.expiry === 'exact' ? !kept : id < this.#leastLive(this.observed)) {
      this.#reports.refused(this.#lost(put), access)
      return false
    }
    const readable = kept && put.start >= 0
    if (put.start >= 0) this.#write(put, id, before, access)
    if (!readable && put.valueBytes !== undefined) this.#reports.greyZone(this.#lost(put), access)
    return readable
  }

  *ofKey(keyBytes: Uint8Array, starts: StartSpan): Generator<ByteEntry> {
    for (const [segment, span] of this.#spans(starts)) {
      yield* this.#readable(this.layout.ofKey(segment.entries, keyBytes, span))
    }
  }

  *ofKeys(keys: KeySpan, starts: StartSpan): Generator<ByteEntry> {
    for (const [segment, span] of this.#spans(starts)) {
      yield* this.#readable(this.layout.ofKeys(segment.entries, keys, span))
    }
  }

  countWindows(startAfter: number, startUpTo: number): number {
    const from = Math.max(startAfter, this.readableAbove) + 1
    let count = 0
    for (const [segment, span] of this.#spans({ from, to: startUpTo, reverse: false })) {
      const { from: first, to: end } = this.#segments.facts(segment)
      if (span.from <= first && end - 1 <= span.to) count += segment.entries.size
      else for (const _ of this.layout.ofKeys(segment.entries, { from: undefined, to: undefined }, span)) count++
    }
    return count
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    const { eventClock } = this.environment
    if (eventClock !== undefined) this.#moveTo(eventClock(), causedBy)
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
      kind: 'window',
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

  #leastLive(observed: number): number {
    return leastLiveSegment(observed, this.settings.retentionMs, this.#segments.intervalMs)
  }

  #moveTo(timestamp: number, causedBy: RecordCoordinates | null): void {
    const clockBefore = this.#observed
    if (timestamp <= clockBefore) return
    this.#observed = timestamp
    this.#movedBy = causedBy
    const leastLive = this.#leastLive(timestamp)
    const expired = this.#segments.below(leastLive)
    if (expired.length === 0) return
    // The facts are taken before the entries go, and told after the store is whole again.
    const facts = this.environment.listening('segment-expired')
      ? expired.map((segment) => this.#segments.facts(segment))
      : []
    this.#segments.drop(leastLive)
    for (const fact of facts) {
      this.environment.emit({ type: 'segment-expired', ...fact, clockBefore, clockAfter: timestamp, causedBy })
    }
  }

  #write({ keyBytes, start, valueBytes }: WindowPut, id: number, clockBefore: number, access: StoreAccess): void {
    const stored = this.layout.stored(keyBytes, start)
    const present = this.#segments.get(id)
    if (valueBytes === undefined) {
      present?.entries.delete(stored)
      return
    }
    const segment = present ?? this.#segments.create(id)
    segment.entries.put(stored, valueBytes)
    if (present !== undefined || !this.environment.listening('segment-created')) return
    const facts = this.#segments.facts(segment)
    const causedBy = access.cause()
    this.environment.emit({ type: 'segment-created', ...facts, clockBefore, clockAfter: this.observed, causedBy })
  }

  /** The segments that overlap the starts, each with the readable part of them. */
  *#spans({ from, to, reverse }: StartSpan): Generator<[Segment, StartSpan]> {
    const first = Math.ceil(Math.max(from, this.readableAbove + 1, 0))
    const last = Math.floor(Math.min(to, Number.MAX_SAFE_INTEGER))
    if (first > last) return
    for (const segment of this.#segments.overlapping(first, last, reverse)) {
      yield [segment, { from: first, to: last, reverse }]
    }
  }

  /** Looks at the clock at each step: another lane may have moved it while the reader awaited. */
  *#readable(entries: Iterable<ByteEntry>): Generator<ByteEntry> {
    for (const entry of entries) if (this.layout.startOf(entry[0]) > this.readableAbove) yield entry
  }

  #lost({ key, start }: WindowPut): LostPut {
    return { key, start, observed: this.observed, readableAbove: this.readableAbove, movedBy: this.#movedBy }
  }
}
