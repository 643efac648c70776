import { CachedSegments } from './CachedSegments.js'
import { ByTimeLayout, type EntryLayout, KeyFirstLayout, sessionStart, sessionStartDescending } from './entryLayout.js'
import type { ByteEntry } from './OrderedByteStore.js'
import { segmentIntervalOf } from './retention.js'
import { SegmentedState } from './SegmentedState.js'
import type { ChangelogForm, StoreAccess, StoreEnvironment } from './StoreBuilder.js'
import { windowedChangelog } from './windowedChangelog.js'

/** What a session store is told by its builder. Times in ms. */
export interface SessionSettings {
  readonly name: string
  readonly retentionMs: number
  readonly expiry: 'segments' | 'exact'
  /** Lists sessions by end, then key, though it expires by segments: what sends sessions on when they close (A.8). */
  readonly byTime?: boolean
  /** Kafka Streams' record cache is asked for; it is there where its losses are emulated (A.8). */
  readonly caching?: boolean
  /** Keeps what is older than the retention until it has been sent on as final (S6, H-2). */
  readonly closes?: boolean
  /**
   * The least retention with which a session that may still grow can be found: its end is inclusive, so gap + grace
   * hides it a millisecond too early (`kafka-streams.md` A.7, G-104). Left out under `compat.overlapping-sessions`.
   */
  readonly leastRetentionMs?: number
}

/** A session of a key in bytes; both its ends are inclusive. */
export interface SessionPut {
  readonly key: unknown
  readonly keyBytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Undefined deletes. */
  readonly valueBytes: Uint8Array | undefined
}

/** Which sessions are looked for: end ≥ `earliestEnd`, start ≤ `latestStart`. */
export interface SessionSpan {
  readonly earliestEnd: number
  readonly latestStart: number
  readonly reverse: boolean
}

/** How the sessions of such a store lie in its segments. */
function sessionLayoutOf({ expiry, byTime = false }: SessionSettings): EntryLayout {
  const tail = expiry === 'exact' ? sessionStartDescending : sessionStart
  return expiry === 'exact' || byTime ? new ByTimeLayout(tail) : new KeyFirstLayout(tail)
}

function sessionRetentionOf(
  { retentionMs, leastRetentionMs = 0 }: SessionSettings,
  emulates: StoreEnvironment['emulates'],
): number {
  return Math.max(retentionMs, emulates?.('overlapping-sessions') === true ? 0 : leastRetentionMs)
}

export function sessionChangelog(
  settings: SessionSettings,
  emulates: NonNullable<StoreEnvironment['emulates']>,
): ChangelogForm {
  const intervalMs = segmentIntervalOf(sessionRetentionOf(settings, emulates))
  return windowedChangelog(sessionLayoutOf(settings), sessionStart, intervalMs)
}

/** The sessions of one store, by key, end and start. They expire by their end (`kafka-streams.md` A.6). */
export class SessionState {
  readonly layout: EntryLayout
  readonly segments: SegmentedState

  constructor(
    private readonly settings: SessionSettings,
    environment: StoreEnvironment,
  ) {
    const { name, expiry } = settings
    this.layout = sessionLayoutOf(settings)
    const retentionMs = sessionRetentionOf(settings, environment.emulates)
    const holdsForClosing = settings.closes === true && environment.emulates?.('on-window-close-loss') !== true
    const segmented = { name, kind: 'session', retentionMs, expiry, holdsForClosing } as const
    const { cacheBytes = 0 } = environment
    this.segments =
      settings.caching === true && cacheBytes > 0
        ? new CachedSegments(segmented, this.layout, environment, cacheBytes)
        : new SegmentedState(segmented, this.layout, environment)
  }

  get(keyBytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    return this.segments.get(end, this.layout.stored(keyBytes, end, start))
  }

  /** @returns whether it was written where it can be read */
  put({ key, keyBytes, start, end, valueBytes }: SessionPut, access: StoreAccess): boolean {
    const stored = this.layout.stored(keyBytes, end, start)
    return this.segments.put({ key, time: end, stored, valueBytes }, access)
  }

  /** Takes a session out. In a store with segments that moves the clock, though nothing expires by it yet (A.2). */
  remove(keyBytes: Uint8Array, start: number, end: number, access: StoreAccess): void {
    if (this.settings.expiry === 'segments') this.segments.moveTo(end, access)
    this.segments.remove(end, this.layout.stored(keyBytes, end, start))
  }

  *ofKey(keyBytes: Uint8Array, { earliestEnd, latestStart, reverse }: SessionSpan): Generator<ByteEntry> {
    const ends = { from: earliestEnd, to: Number.MAX_SAFE_INTEGER, reverse }
    for (const entry of this.segments.ofKey(keyBytes, ends)) {
      if (this.layout.tailOf(entry[0]) <= latestStart) yield entry
    }
  }

  /**
   * As `ofKey`, for sessions of a key that do not lie within one another, by their ends: it visits none behind the
   * last that is looked for.
   */
  *ofKeyDisjoint(keyBytes: Uint8Array, earliestEnd: number, latestStart: number): Generator<ByteEntry> {
    const ends = { from: earliestEnd, to: Number.MAX_SAFE_INTEGER, reverse: false }
    for (const entry of this.segments.ofKey(keyBytes, ends)) {
      if (this.layout.tailOf(entry[0]) > latestStart) return
      yield entry
    }
  }

  *ofKeys(
    from: Uint8Array | undefined,
    to: Uint8Array | undefined,
    { earliestEnd, latestStart, reverse }: SessionSpan,
  ): Generator<ByteEntry> {
    const ends = { from: earliestEnd, to: Number.MAX_SAFE_INTEGER, reverse }
    for (const entry of this.segments.ofKeys({ from, to }, ends)) {
      if (this.layout.tailOf(entry[0]) <= latestStart) yield entry
    }
  }
}
