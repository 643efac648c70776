import type { DropReason, EngineEvent, EngineEventType, SegmentFacts, SilentLossReason } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { Serde } from '../serde/Serde.js'
import type { OrderedByteStore } from './OrderedByteStore.js'

/** What a store keeps of each record (`kafka-streams.md` A.9). */
export type ValueFormat = 'plain' | 'timestamped' | 'headers'

export interface StoreSerdes {
  readonly key: Serde<any>
  readonly value: Serde<any>
}

/** Settings of a topic, by Kafka's names. */
export type TopicConfig = { readonly [key: string]: string }

export type StoreKind = 'key-value' | 'window' | 'session' | 'versioned'

/**
 * Describes a store before the application runs: its name, its serdes, its shape.
 * `S` is the handle that reads and writes, `R` the one that only reads. Immutable.
 */
export interface StoreBuilder<S, R> {
  readonly name: string
  readonly kind: StoreKind
  readonly persistent: boolean
  /** False: it has no changelog, and is empty after a start that finds no local state. Default: true. */
  readonly logging?: boolean
  /** What that changelog is created with. */
  readonly topicConfig?: TopicConfig
  /** Whether Kafka Streams would cache it. The engine has no such cache; only what emulates its losses asks (A.8). */
  readonly caching?: boolean
  /** How its entries stand in its changelog. Absent: each byte store's keys as they are, those of parts marked as such. */
  changelog?(emulates: NonNullable<StoreEnvironment['emulates']>): ChangelogForm
  /** Absent when the topology's defaults are to be used. */
  readonly keySerde: Serde<any> | undefined
  readonly valueSerde: Serde<any> | undefined
  /** What a handle gives for a key: the value alone (default), or with its time, or with time and headers. */
  readonly format?: ValueFormat
  /** How it writes what it keeps, from the serde of the value alone. Absent: as that serde does. */
  storedValue?(value: Serde<any>): Serde<any>
  /** How it writes its keys, from the serde of the key that it is resolved to. Absent: as that serde does. */
  storedKey?(key: Serde<any>): Serde<any>
  /** Its serdes are made from those of other stores, which it names; they may not be made so themselves. */
  readonly serdesFrom?: {
    readonly stores: readonly string[]
    /** @param of the serdes of these stores, in this order */
    make(of: readonly StoreSerdes[]): StoreSerdes
  }
  /** Of windowed kinds: whether a key may have several values at one time (`kafka-streams.md` A.5). */
  readonly retainDuplicates?: boolean
  /** Of windowed kinds, in ms. */
  readonly retentionMs?: number
  readonly windowSizeMs?: number
  /** Makes the one instance of the application. Serdes are resolved by then. */
  build(environment: StoreEnvironment): StoreInstance<S, R>
}

/** How the rows of a store's byte stores stand in its changelog (`kafka-streams.md` F.2), and back. */
export interface ChangelogForm {
  /**
   * @param part what follows the store's name in that of the byte store
   * @returns the key in the changelog; null for a row that is made anew from another; undefined when it has no form of its own
   */
  keyOf(part: string, stored: Uint8Array): Uint8Array | null | undefined
  /** The byte store's part and the rows that a record of the changelog stands for; a row without a value is deleted. */
  rowsOf(
    key: Uint8Array,
    value: Uint8Array | undefined,
  ): { readonly part: string; readonly rows: readonly (readonly [Uint8Array, Uint8Array | undefined])[] }
}

/** Where a store keeps its bytes. Names are of the application; a windowed store has one byte store a segment. */
export interface ByteStores {
  /** The same one at every call. */
  store(name: string): OrderedByteStore
  /** Names with this prefix that hold entries, in order. */
  names(prefix: string): readonly string[]
}

/** The repairs of S6 that stores, and operators by them, know of. */
export type StoreRepair = 'on-window-close-loss' | 'overlapping-sessions' | 'double-final-result'

/** What the runtime lends a store. */
export interface StoreEnvironment {
  readonly applicationId: string
  readonly keySerde: Serde<any>
  readonly valueSerde: Serde<any>
  readonly byteStores: ByteStores
  /** The observed time that the last commit left (W6), in ms; undefined when there was none. */
  readonly restoredObserved?: number
  /** The event clock in `watermark` mode (S7); undefined in `stream-time` mode, where the greatest put counts (S2). */
  readonly eventClock: (() => number) | undefined
  /**
   * In `stream-time` mode, where lanes run apart: the event clock, which no put of another lane may move a store past
   * (W7). Undefined where records are done one after the other, as in the test driver.
   */
  readonly heldClock?: (() => number) | undefined
  readonly listening: (type: EngineEventType) => boolean
  readonly emit: (event: EngineEvent) => void
  /** Bytes of Kafka Streams' record cache, where it is emulated: in its own driver alone (D1). Default: 0. */
  readonly cacheBytes?: number
  /** Whether an operator sends on what that cache lets go: then a deletion of what is not there never reaches the store. */
  readonly cacheSendsOn?: boolean
  /** Whether Kafka Streams' way is asked for in place of a repair (S6). Absent: it is not. */
  readonly emulates?: ((repair: StoreRepair) => boolean) | undefined
  /** Whether Kafka Streams is emulated to the letter (`compat: kafka-streams`). */
  readonly emulatesKafka?: boolean
  /** Counts one dropped record (G3); the store has emitted the event itself. */
  readonly countDropped: (reason: DropReason) => void
  readonly countSilentLoss: (reason: SilentLossReason) => void
  /** Writes one WARN line, at most once per `key` and minute (S3). */
  readonly warn: (key: string, message: string) => void
  /** Wall-clock ms of the injected clock. */
  readonly now: () => number
}

/** The callback that a handle belongs to. */
export interface StoreAccess {
  /** The node whose callback it is. */
  readonly node: string
  /** @throws StreamError CALLBACK_SETTLED once the callback has settled (L10) */
  check(): void
  /** The source record that this work goes back to; null when there is none. */
  cause(): RecordCoordinates | null
  /** The bytes of this key, where this very serde has written them already for the same callback. */
  writtenKey?(key: unknown, serde: Serde<any>): Uint8Array | undefined
  /** Whether a scan yields the entry whose key has these bytes, of a windowed key the inner one's (W5). Absent: it does. */
  readonly ownsKey?: ((laneBytes: Uint8Array) => boolean) | undefined
}

/** The one store of an application; all lanes share it (L6). */
export interface StoreInstance<S, R> {
  readonly name: string
  readonly kind: StoreKind
  /** A handle that reads and writes on behalf of one callback. */
  open(access: StoreAccess): S
  /** A handle for `init`, interactive queries and tests. */
  readonly reader: R
  /** The clock of a store that has one: ms, −1 before the first put. Unlike `inspect` it counts nothing. */
  readonly observed?: number
  inspect(): StoreInspection
  /** What would expire were `observed` to become `timestamp`: only segments that hold data (F3, F5). Changes nothing. */
  wouldExpire(timestamp: number): readonly SegmentFacts[]
  /**
   * How many entries of a windowed store with startAfter < start ≤ startUpTo can be read now; 0 for other kinds.
   * May scan the segments that the span cuts; counts the others whole (F5).
   */
  countWindows(startAfter: number, startUpTo: number): number
  /** In `watermark` mode the runtime calls this when the event clock has moved (S7). */
  clockMoved(causedBy: RecordCoordinates | null): void
}

/** A store as people see it. */
export interface StoreInspection {
  readonly name: string
  readonly kind: StoreKind
  readonly entries: number
  readonly bytes: number
  readonly windowed?: {
    readonly retentionMs: number
    readonly segmentIntervalMs: number
    /** Ms; −1 before the first put. */
    readonly observed: number
    /** The record that moved `observed` there. */
    readonly movedBy: RecordCoordinates | null
    /** Reads see only times above this (S1). */
    readonly readableAbove: number
    readonly segments: readonly SegmentFacts[]
  }
}
