import type { RecordCoordinates } from '../model/Record.js'

/** Why a record, or one output of it, was dropped. The first group is what Kafka counts as `dropped-records` (G3). */
export type DropReason =
  | 'null_key'
  | 'null_value'
  | 'late_window'
  | 'late_session'
  | 'expired_segment'
  | 'expired_put'
  | 'negative_timestamp'
  | 'deserialization'
  | 'processing'
  | 'production'
  | 'no_partition'
  /** An older version of a row of a versioned table, where a join goes by the newest. */
  | 'out_of_order'
  /** An answer of a foreign-key join to a left row that has changed since: the row as it is now has asked as well. */
  | 'stale_response'
  | 'future_timestamp'
  | 'dropped_null'

/** Losses that Kafka Streams does not count at all (G3, `kafka-streams.md` G-97). */
export type SilentLossReason = 'null_key_after_rekey' | 'grey_zone' | 'before_unlimited_window'

export type TimerDomain = 'event-time' | 'processing-time'

/** A timer as events and inspections show it. Times in ms. */
export interface TimerFacts {
  readonly node: string
  readonly lane: number
  readonly domain: TimerDomain
  readonly at: number
  readonly name?: string
  /** The key as text, for people. */
  readonly key: string
  readonly keyBytes: Uint8Array
}

/** One segment of a windowed store: [from, to) in ms of event time. */
export interface SegmentFacts {
  readonly store: string
  readonly segment: number
  readonly from: number
  readonly to: number
  readonly entries: number
  readonly bytes: number
}

/** What one record would destroy, or has destroyed, by moving the clock (F3, F5). */
export interface Blast {
  /** Segments that hold data and would expire. */
  readonly segments: readonly SegmentFacts[]
  /** Windows that hold data and would close, per node. */
  readonly windows: readonly { readonly node: string; readonly count: number }[]
  /** Pending event-time timers that would become due, per node. */
  readonly timers: readonly { readonly node: string; readonly count: number }[]
  /** The span of later records that would then be dropped: (from, to) exclusive in ms, per node or store. */
  readonly refuses: readonly {
    readonly where: string
    readonly reason: 'late_window' | 'expired_segment'
    readonly from: number
    readonly to: number
  }[]
}

/** An asynchronous callback, and how long it was pending, in ms. */
export interface SlowestCallback {
  readonly node: string
  readonly lane: number
  /** As text; absent for a schedule. */
  readonly key?: string
  readonly ms: number
}

/** What the epoch that a fault discards had done (E4), and what follows. All of it is taken back; its input is read again. */
export interface AbortFacts {
  readonly records: number
  readonly outputs: number
  readonly timersFired: number
  /** How long it had run, in ms. */
  readonly runMs: number
  /** The epoch before it, where its commit was not answered: only the log knows whether it counts (E9). */
  readonly inDoubt?: number
  /** The restart in place that follows; absent where the run ends. */
  readonly restart?: {
    /** From 1 to `of`, in a row: a commit that passes what failed begins anew. */
    readonly attempt: number
    readonly of: number
    readonly delayMs: number
    /** The record that has failed twice: the next epoch ends just before it, so that what lies before commits. */
    readonly cutsBefore?: { readonly topic: string; readonly partition: number; readonly offset: number }
  }
}

/** How much of changelogs has been read by now, in one start. */
export interface RestoreAmount {
  readonly records: number
  readonly bytes: number
  /** Offsets that are still to be read. */
  readonly left: number
  readonly elapsedMs: number
  /** About how long the rest takes at this pace, in ms; undefined while nothing has come. */
  readonly leftMs: number | undefined
}

/** How far the rebuilding of one store is, and that of all. */
export interface RestoreFacts extends RestoreAmount {
  /** The store's name, or `timers/<node>`. */
  readonly owner: string
  readonly topic: string
  readonly total: RestoreAmount & {
    /** Stores that lacked something, and those of them that still do. */
    readonly stores: number
    readonly storesLeft: number
  }
}

/**
 * Everything the engine tells about itself. Events are built only when somebody listens.
 * Those of the first group come at the rate of records and may be sampled; all others are sent every time.
 */
export type EngineEvent =
  // At the rate of records.
  | {
      readonly type: 'record-dispatched'
      readonly subTopology: number
      readonly lane: number
      readonly source: string
      readonly coordinates: RecordCoordinates
      readonly keyBytes: Uint8Array | null
      /** The deserialised key as text, for people; null for a null key. */
      readonly key: string | null
    }
  | {
      /** A record was handed from one node to the next: a peek on that edge. */
      readonly type: 'record-forwarded'
      readonly from: string
      readonly to: string
      readonly lane: number
      readonly key: unknown
      readonly value: unknown
      readonly timestamp: number
      readonly keyBytes: Uint8Array | null
      readonly coordinates: RecordCoordinates | null
    }
  | {
      readonly type: 'boundary-crossed'
      readonly from: string
      readonly to: string
      readonly fromLane: number
      readonly toLane: number
    }
  | ({ readonly type: 'timer-registered' } & TimerFacts)
  | ({ readonly type: 'timer-replaced'; readonly previousAt: number } & TimerFacts)
  | ({ readonly type: 'timer-deleted' } & TimerFacts)
  | ({
      readonly type: 'timer-fired'
      /** How many records `onTimer` forwarded. */
      readonly forwarded: number
    } & TimerFacts)
  // Rare: each is sent.
  | {
      /** Guard (A2) or sampled check (A4) found a key whose timers leave its records' lane. */
      readonly type: 'lane-split-proven' | 'lane-split-sampled'
      readonly node: string
      readonly key: string
      readonly recordBytes: Uint8Array
      readonly timerBytes: Uint8Array
      readonly recordLane: number
      readonly timerLane: number
      readonly laneCount: number
      readonly coordinates: RecordCoordinates | null
    }
  | ({
      readonly type: 'segment-created'
      readonly clockBefore: number
      readonly clockAfter: number
      readonly causedBy: RecordCoordinates | null
    } & SegmentFacts)
  | ({
      readonly type: 'segment-expired'
      readonly clockBefore: number
      readonly clockAfter: number
      readonly causedBy: RecordCoordinates | null
    } & SegmentFacts)
  | {
      readonly type: 'clock-advanced'
      readonly source: string
      readonly watermark: number
      readonly maxTimestamp: number
      readonly causedBy: RecordCoordinates | null
    }
  | {
      readonly type: 'partition-idle' | 'partition-returned'
      readonly source: string
      readonly topic: string
      readonly partition: number
      /** On return: how far below the clock its first record was, in ms; 0 when not below. */
      readonly behindMs: number
    }
  | {
      readonly type: 'future-timestamp'
      readonly verdict: 'warned' | 'rejected' | 'passed'
      readonly source: string
      /** Of a record that a schedule made (P1): its source in place of a topic, partition −1, offset −1. */
      readonly coordinates: RecordCoordinates
      readonly aheadMs: number
      readonly boundMs: number
      readonly referenceClock: number
      readonly key: string | null
      readonly blast: Blast
    }
  | {
      readonly type: 'record-dropped'
      readonly reason: DropReason
      readonly node: string
      readonly store?: string
      readonly lane?: number
      readonly coordinates: RecordCoordinates | null
      readonly detail: string
      /** For an expired segment: the record that moved the clock there (S3). */
      readonly movedBy?: RecordCoordinates | null
    }
  | {
      readonly type: 'silent-loss'
      readonly reason: SilentLossReason
      readonly node: string
      readonly coordinates: RecordCoordinates | null
      readonly detail: string
    }
  | {
      /** A tick of a scheduled source (P1), when its records have their lanes. Told again where its epoch is done again. */
      readonly type: 'tick-emitted'
      readonly source: string
      /** The scheduled time in ms. */
      readonly at: number
      readonly records: number
    }
  | {
      /** A schedule of a processor was called (W5), and is over. */
      readonly type: 'punctuated'
      readonly node: string
      readonly lane: number
      readonly clock: 'stream-time' | 'wall-clock-time'
      readonly scope: 'lane' | 'node'
      /** What it was called with, in ms. */
      readonly at: number
      readonly forwarded: number
    }
  | { readonly type: 'epoch-started'; readonly epoch: number; readonly at: number }
  | {
      readonly type: 'epoch-committing'
      readonly epoch: number
      readonly at: number
      readonly records: number
      readonly outputs: number
    }
  | {
      readonly type: 'epoch-committed'
      readonly epoch: number
      readonly at: number
      readonly records: number
      readonly outputs: number
      readonly timersFired: number
      /** Durations of the phases in ms. */
      readonly runMs: number
      readonly cutMs: number
      readonly commitMs: number
      /** The callback that its cut has waited for longest (E8); absent where it waited for none. */
      readonly slowest?: SlowestCallback
    }
  | ({
      readonly type: 'epoch-aborted'
      readonly epoch: number
      readonly at: number
      readonly message: string
    } & AbortFacts)
  /** When a store begins to be rebuilt, about every second, and when it is whole. */
  | ({ readonly type: 'restore-progress'; readonly at: number } & RestoreFacts)
  | { readonly type: 'state-changed'; readonly from: EngineState; readonly to: EngineState }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly at: number
      readonly node?: string
      readonly lane?: number
      /** Of the record that it is about. */
      readonly coordinates?: RecordCoordinates
      readonly message: string
    }
  | {
      readonly type: 'error'
      readonly code: string
      readonly kind: string
      readonly message: string
      readonly context: { readonly [key: string]: unknown }
      readonly fatal: boolean
    }

export type EngineState = 'created' | 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'

export type EngineEventType = EngineEvent['type']
/** The event of one type; also where several types share a shape. */
export type EngineEventOf<T extends EngineEventType> = EngineEvent extends infer E
  ? E extends { readonly type: infer U }
    ? T extends U
      ? E
      : never
    : never
  : never
