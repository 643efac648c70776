import type { SegmentFacts } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import { justAfter, type OrderedByteStore } from './OrderedByteStore.js'
import { segmentIdOf } from './retention.js'
import type { StoreAccess, StoreEnvironment, StoreInspection } from './StoreBuilder.js'
import { type EndedVersion, endedRow, endOf, isRowOf, type Version, versionBytes, versionOf } from './versions.js'
import { WindowSegments } from './WindowSegments.js'

/** What a versioned store is told by its builder. Times in ms. */
export interface VersionedSettings {
  readonly name: string
  readonly persistent: boolean
  readonly historyRetentionMs: number
  readonly segmentIntervalMs: number
}

/** What a put answers when its version is the newest of its key. */
export const validToUndefined = -1

/** What a put answers that was older than the history, and so not taken. Kafka's least int64, which a number can be. */
export const versionRefused = -(2 ** 63)

/**
 * The versions of one store's keys (`kafka-streams.md` A.10): the newest of each, which never expires, and the ended
 * ones, in segments by when they ended, which go with the history.
 */
export class VersionedState {
  readonly #latest: OrderedByteStore
  readonly #segments: WindowSegments
  #observed: number
  #movedBy: RecordCoordinates | null = null

  constructor(
    private readonly settings: VersionedSettings,
    private readonly environment: StoreEnvironment,
  ) {
    const { name, segmentIntervalMs } = settings
    this.#latest = environment.byteStores.store(name)
    this.#segments = new WindowSegments(name, segmentIntervalMs, environment.byteStores)
    this.#observed = environment.restoredObserved ?? -1
    // What a crash left behind between an expiry and its deletion goes at the start (S8).
    this.#segments.drop(this.#leastLive(this.#observed))
  }

  /**
   * The clock that the history goes by: the event clock, or the greatest put (S7), but never past the event clock (W7).
   * −1 before any. Never goes back.
   */
  get observed(): number {
    const { eventClock, heldClock } = this.environment
    if (eventClock !== undefined) return Math.max(this.#observed, eventClock())
    return heldClock === undefined ? this.#observed : Math.min(this.#observed, heldClock())
  }

  /** The least time that may still be put, and at which versions that have ended can be read. */
  get oldest(): number {
    return this.observed - this.settings.historyRetentionMs
  }

  /** The newest version, unless it is a deletion. */
  latest(keyBytes: Uint8Array): Version | undefined {
    const bytes = this.#latest.get(keyBytes)
    return bytes && versionOf(bytes)
  }

  /** The version that held at a time, unless it is a deletion. The newest one answers whatever its age. */
  asOf(keyBytes: Uint8Array, timestamp: number): Version | 'expired' | undefined {
    const latest = this.latest(keyBytes)
    if (latest !== undefined && latest.from <= timestamp) return latest
    if (timestamp < this.oldest) return 'expired'
    const ended = this.#endingAfter(keyBytes, timestamp)
    return ended === undefined || ended.from > timestamp || ended.value === undefined ? undefined : ended
  }

  /**
   * Puts a version where it belongs among those of its key; without a value the key is deleted as of that time. What is
   * older than the history is refused, at equality it is taken, and moves the clock.
   *
   * @returns until when it holds, `validToUndefined` when it is the newest, `versionRefused` when it was not taken
   */
  put(keyBytes: Uint8Array, version: Version, access: StoreAccess): number {
    if (version.from < this.oldest) return versionRefused
    if (this.environment.eventClock === undefined) this.#moveTo(version.from, access.cause())
    const latest = this.latest(keyBytes)
    if (latest === undefined) return this.#putWithoutLatest(keyBytes, version)
    if (version.from < latest.from) return this.#putBehind(keyBytes, version, latest.from)
    if (version.from > latest.from) this.#end(keyBytes, latest, version.from)
    this.#setLatest(keyBytes, version)
    return validToUndefined
  }

  get entries(): number {
    return this.#latest.size + this.#segments.all().reduce((sum, { entries }) => sum + entries.size, 0)
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    const { eventClock } = this.environment
    if (eventClock !== undefined) this.#moveTo(eventClock(), causedBy)
  }

  /** Older versions that would go, not newest ones. */
  wouldExpire(timestamp: number): readonly SegmentFacts[] {
    return this.#segments
      .below(this.#leastLive(Math.max(this.observed, timestamp)))
      .filter(({ entries }) => entries.size > 0)
      .map((segment) => this.#segments.facts(segment))
  }

  inspect(): StoreInspection {
    const segments = this.#segments.all().map((segment) => this.#segments.facts(segment))
    return {
      name: this.settings.name,
      kind: 'versioned',
      entries: this.entries,
      bytes: this.#latest.bytes + segments.reduce((sum, { bytes }) => sum + bytes, 0),
      windowed: {
        retentionMs: this.settings.historyRetentionMs,
        segmentIntervalMs: this.#segments.intervalMs,
        observed: this.observed,
        movedBy: this.#movedBy,
        readableAbove: this.oldest - 1,
        segments,
      },
    }
  }

  /** The key has no newest value: nothing is known of it, or it was deleted when its last version ended. */
  #putWithoutLatest(keyBytes: Uint8Array, version: Version): number {
    const deletedAt = this.#lastEnd(keyBytes)
    if (deletedAt !== undefined && version.from < deletedAt) return this.#putBehind(keyBytes, version, deletedAt)
    this.#setLatest(keyBytes, version)
    return validToUndefined
  }

  /** Becomes the newest one. A deletion is not kept as such: that the version before it has ended says it. */
  #setLatest(keyBytes: Uint8Array, version: Version): void {
    if (version.value !== undefined) {
      this.#latest.put(keyBytes, versionBytes(version))
      return
    }
    const replaced = this.#latest.delete(keyBytes)
    // Kafka Streams forgets a deletion at the very time of the newest version: an older one may then follow as the newest.
    if (replaced !== undefined && versionOf(replaced).from === version.from && this.environment.emulatesKafka) return
    if (this.#lastEnd(keyBytes) !== version.from) this.#end(keyBytes, version, version.from)
  }

  /** Goes in between older versions, before the one that begins at `next` and is the newest. */
  #putBehind(keyBytes: Uint8Array, version: Version, next: number): number {
    const around = this.#endingAfter(keyBytes, version.from)
    if (around === undefined) {
      this.#end(keyBytes, version, next)
      return next
    }
    // Before the oldest version that is known.
    if (around.from > version.from) {
      this.#end(keyBytes, version, around.from)
      return around.from
    }
    if (around.from < version.from) this.#end(keyBytes, around, version.from)
    this.#end(keyBytes, version, around.to)
    return around.to
  }

  #end(keyBytes: Uint8Array, version: Version, to: number): void {
    const id = this.#segments.idOf(to)
    const present = this.#segments.get(id)
    const segment = present ?? this.#segments.create(id)
    segment.entries.put(endedRow(keyBytes, to), versionBytes(version))
    if (present !== undefined || !this.environment.listening('segment-created')) return
    const facts = this.#segments.facts(segment)
    const { observed } = this
    this.environment.emit({
      type: 'segment-created',
      ...facts,
      clockBefore: observed,
      clockAfter: observed,
      causedBy: this.#movedBy,
    })
  }

  /** Of the versions that ended after a time the one that ended first. */
  #endingAfter(keyBytes: Uint8Array, timestamp: number): EndedVersion | undefined {
    const least = Math.max(0, timestamp + 1)
    const range = { from: endedRow(keyBytes, least), to: afterAll(keyBytes) }
    for (const { entries } of this.#segments.overlapping(least, Number.MAX_SAFE_INTEGER, false)) {
      for (const [row, bytes] of entries.range(range)) {
        if (isRowOf(row, keyBytes)) return { ...versionOf(bytes), to: endOf(row) }
      }
    }
    return undefined
  }

  /** When the last of a key's ended versions ended. */
  #lastEnd(keyBytes: Uint8Array): number | undefined {
    const range = { from: endedRow(keyBytes, 0), to: afterAll(keyBytes), reverse: true }
    for (const { entries } of this.#segments.overlapping(0, Number.MAX_SAFE_INTEGER, true)) {
      for (const [row] of entries.range(range)) if (isRowOf(row, keyBytes)) return endOf(row)
    }
    return undefined
  }

  #leastLive(observed: number): number {
    const { historyRetentionMs, segmentIntervalMs } = this.settings
    return segmentIdOf(observed - historyRetentionMs, segmentIntervalMs)
  }

  #moveTo(timestamp: number, causedBy: RecordCoordinates | null): void {
    const clockBefore = this.#observed
    if (timestamp <= clockBefore) return
    this.#observed = timestamp
    this.#movedBy = causedBy
    const leastLive = this.#leastLive(this.observed)
    const expired = this.#segments.below(leastLive)
    if (expired.length === 0) return
    // The facts are taken before the entries go, and told after the store is whole again.
    const facts = this.environment.listening('segment-expired')
      ? expired.map((segment) => this.#segments.facts(segment))
      : []
    this.#segments.drop(leastLive)
    for (const fact of facts) {
      this.environment.emit({ type: 'segment-expired', ...fact, clockBefore, clockAfter: this.observed, causedBy })
    }
  }
}

function afterAll(keyBytes: Uint8Array): Uint8Array {
  return justAfter(endedRow(keyBytes, Number.MAX_SAFE_INTEGER))
}
