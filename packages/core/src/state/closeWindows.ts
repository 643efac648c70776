import type { RecordCoordinates } from '../model/Record.js'
import type { Windowed } from '../model/Windowed.js'
import type { ByteEntry } from './OrderedByteStore.js'
import type { SegmentedState } from './SegmentedState.js'
import type { StoreCodec } from './StoreCodec.js'
import { storeError } from './storeError.js'

/** What closes by a clock: windows by their start, sessions by their end. All in ms. */
export interface ClosingSpan {
  /** The event clock, and the close time that it makes: itself less grace, for sessions less the gap too. */
  readonly clock: number
  readonly closeTime: number
  readonly from: number
  readonly to: number
}

/** A window that has closed, and the bytes that pick its lane. */
export type ClosedWindow<K, V> = (windowed: Windowed<K>, value: V, laneBytes: Uint8Array) => void

/**
 * The part of a windowed store by which its aggregation sends final results on.
 *
 * @internal
 */
export interface ClosingStore<K, V> {
  /** Whether the losses of Kafka Streams are asked for (H-2): then what is no longer readable does not come out. */
  readonly losesUnreadable: boolean
  /** Up to which close time all has been sent on; −1 before any. */
  readonly closedUpTo: number
  /** Whether anything is there to close. */
  hasClosing(span: Pick<ClosingSpan, 'from' | 'to'>): boolean
  /**
   * Gives what closes, by time, then key, and notes that it was given.
   *
   * @param limit after so many it stops; the next call goes on behind them
   * @returns whether all has been given
   */
  close(span: ClosingSpan, closed: ClosedWindow<K, V>, limit: number, causedBy: RecordCoordinates | null): boolean
}

/** As both kinds of windowed stores do it. */
export class WindowCloser<K, V> implements ClosingStore<K, V> {
  /** A span in which nothing was found: it stays empty, since what would fall in it is late by now. */
  #emptyTo = -1

  constructor(
    protected readonly segments: SegmentedState,
    private readonly codec: StoreCodec<K, V>,
    private readonly windowOf: (stored: Uint8Array) => Windowed<K>['window'],
    readonly losesUnreadable: boolean,
    /** Whether under that loss a segment that still lives gives all that it has (`kafka-streams.md` A.8). */
    private readonly readsWholeSegments: boolean,
  ) {}

  get closedUpTo(): number {
    return this.segments.closedUpTo
  }

  hasClosing({ from, to }: Pick<ClosingSpan, 'from' | 'to'>): boolean {
    if (to <= this.#emptyTo) return false
    for (const _ of this.#entries(from, to)) return true
    this.#emptyTo = to
    return false
  }

  close(
    { clock, closeTime, from, to }: ClosingSpan,
    closed: ClosedWindow<K, V>,
    limit: number,
    causedBy: RecordCoordinates | null,
  ): boolean {
    let given = 0
    for (const [stored, value] of this.#entries(from, to)) {
      const keyBytes = this.segments.layout.keyOf(stored)
      const windowed = { key: this.codec.key(keyBytes), window: this.windowOf(stored) }
      closed(windowed, this.codec.value(value), this.codec.laneBytes(keyBytes))
      if (++given < limit) continue
      this.segments.pauseClosing(stored)
      return false
    }
    this.segments.closed(closeTime, clock, causedBy)
    return true
  }

  #entries(from: number, to: number): Iterable<ByteEntry> {
    const times = { from, to, reverse: false }
    if (this.losesUnreadable && !this.readsWholeSegments) {
      return this.segments.ofKeys({ from: undefined, to: undefined }, times)
    }
    return this.segments.present(times, this.segments.closingAt)
  }
}

/** Sessions that lie by key: Kafka Streams cannot find those that have closed, and fails (A.8). */
export class RefusedCloser<K, V> extends WindowCloser<K, V> {
  override close(): boolean {
    const { name } = this.segments
    throw storeError(
      name,
      `The session store "${name}" keeps its sessions by key and cannot find those that have closed. ` +
        'Pick Stores.inMemorySession, or give a name only.',
    )
  }
}
