import { CachedSegments } from './CachedSegments.js'
import type { EntryLayout } from './entryLayout.js'
import { ByTimeLayout, KeyFirstLayout, type KeySpan, sequence, type TimeSpan } from './entryLayout.js'
import type { ByteEntry } from './OrderedByteStore.js'
import { segmentIntervalOf } from './retention.js'
import { SegmentedState } from './SegmentedState.js'
import type { ChangelogForm, StoreAccess, StoreEnvironment } from './StoreBuilder.js'
import { windowedChangelog } from './windowedChangelog.js'

/** What a window store is told by its builder. Times in ms. */
export interface WindowSettings {
  readonly name: string
  readonly retentionMs: number
  readonly windowSizeMs: number
  readonly expiry: 'segments' | 'exact'
  /** Every put of a key and start is an entry of its own (`kafka-streams.md` A.5). */
  readonly retainDuplicates?: boolean
  /** Lists windows by start, then key, though it expires by segments: what sends windows on when they close (A.8). */
  readonly byTime?: boolean
  /** Kafka Streams' record cache is asked for; it is there where its losses are emulated (A.8). */
  readonly caching?: boolean
  /** Keeps what is older than the retention until it has been sent on as final (S6, H-2). */
  readonly closes?: boolean
  /** The exclusive end of the window that starts here. Default: `windowSizeMs` later. */
  readonly endOf?: (start: number) => number
}

/** A put in bytes; without a value it deletes. `key` is what a report shows. */
export interface WindowPut {
  readonly key: unknown
  readonly keyBytes: Uint8Array
  readonly start: number
  readonly valueBytes: Uint8Array | undefined
}

const greatestSequence = 0x7fffffff

/** How the windows of such a store lie in its segments. */
function windowLayoutOf({ expiry, byTime = false }: WindowSettings): EntryLayout {
  return expiry === 'exact' || byTime ? new ByTimeLayout(sequence) : new KeyFirstLayout(sequence)
}

export function windowChangelog(settings: WindowSettings): ChangelogForm {
  return windowedChangelog(windowLayoutOf(settings), sequence, segmentIntervalOf(settings.retentionMs))
}

/** The windows of one store, by key and start. */
export class WindowState {
  readonly layout: EntryLayout
  readonly segments: SegmentedState
  #sequence = 0
  /** A restart does not know the last sequence number, so each put then looks for the greatest one in its place. */
  readonly #mayCollide: boolean

  constructor(
    private readonly settings: WindowSettings,
    environment: StoreEnvironment,
  ) {
    const { name, retentionMs, expiry, byTime = false } = settings
    this.layout = windowLayoutOf(settings)
    const readSlackMs = byTime && expiry === 'segments' ? 1 : 0
    const holdsForClosing = settings.closes === true && environment.emulates?.('on-window-close-loss') !== true
    const segmented = { name, kind: 'window', retentionMs, expiry, readSlackMs, holdsForClosing } as const
    const { cacheBytes = 0 } = environment
    this.segments =
      settings.caching === true && cacheBytes > 0
        ? new CachedSegments(segmented, this.layout, environment, cacheBytes)
        : new SegmentedState(segmented, this.layout, environment)
    this.#mayCollide = !this.segments.isEmpty
  }

  /** Of duplicates the last that was put at all, and in memory none (A.5). */
  get(keyBytes: Uint8Array, start: number): Uint8Array | undefined {
    const { retainDuplicates = false, expiry } = this.settings
    if (retainDuplicates && expiry === 'exact') return undefined
    return this.segments.get(start, this.layout.stored(keyBytes, start, this.#sequence))
  }

  /** @returns whether it was written where it can be read */
  put({ key, keyBytes, start, valueBytes }: WindowPut, access: StoreAccess): boolean {
    if (!this.settings.retainDuplicates) {
      return this.segments.put({ key, time: start, stored: this.layout.stored(keyBytes, start, 0), valueBytes }, access)
    }
    if (valueBytes === undefined) {
      // Duplicates cannot be deleted; in memory it moves the clock all the same, and is refused as any other put.
      const none = this.layout.stored(keyBytes, start, (this.#sequence + 1) & greatestSequence)
      if (this.settings.expiry === 'exact') this.segments.put({ key, time: start, stored: none, valueBytes }, access)
      return false
    }
    this.#sequence = this.#next(keyBytes, start)
    return this.segments.put(
      { key, time: start, stored: this.layout.stored(keyBytes, start, this.#sequence), valueBytes },
      access,
    )
  }

  ofKey(keyBytes: Uint8Array, starts: TimeSpan): Generator<ByteEntry> {
    return this.segments.ofKey(keyBytes, starts)
  }

  ofKeys(keys: KeySpan, starts: TimeSpan): Generator<ByteEntry> {
    return this.segments.ofKeys(keys, starts)
  }

  #next(keyBytes: Uint8Array, start: number): number {
    const next = (this.#sequence + 1) & greatestSequence
    if (!this.#mayCollide) return next
    for (const [stored] of this.segments.ofKey(keyBytes, { from: start, to: start, reverse: true })) {
      return Math.max(next, (this.layout.tailOf(stored) + 1) & greatestSequence)
    }
    return next
  }
}
