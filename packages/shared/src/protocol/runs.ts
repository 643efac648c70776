import type { EngineState, TimerDomain } from '@lanescope/core'

/* What a page is shown of runs: whole ones, the frames of one that is watched, and what is in those. */

/** Bytes travel as lower-case hex. */
export type Hex = string

export interface RunSummary {
  readonly runId: string
  readonly projectId: string
  readonly state: EngineState
  readonly log: 'embedded' | 'kafka'
  readonly startedAt: number
  readonly endedAt: number | null
  readonly error: WireError | null
  /** Config that holds for this run alone. */
  readonly overrides?: { readonly [key: string]: unknown }
  /** `fingerprintOf` the project as it was when the run began: another one by now is a run of an older project. */
  readonly fingerprint?: string
  /** Of the last start that had something to restore: the run's first one, or one in place after a fault. */
  readonly restore?: WireRestore
}

/** How much of the changelogs of some state has been read, and how much is left. */
export interface WireRestoreAmount {
  readonly records: number
  readonly bytes: number
  /** Offsets that it lacked at first, and those that it lacks still: more than records, where a changelog was compacted. */
  readonly offsets: number
  readonly left: number
  /** About how long the rest takes at this pace, in ms; absent while nothing has come. */
  readonly leftMs?: number
}

/** How far the rebuilding of state from changelogs is. Nothing is read or fires before it is through (T8). */
export interface WireRestore extends WireRestoreAmount {
  /** Wall clock at which this was so, in ms. */
  readonly at: number
  readonly elapsedMs: number
  /** Stores that lacked something, and those of them that still do. */
  readonly stores: number
  readonly storesLeft: number
  /** Those that have had their turn, by the store's name or `timers/<node>`, in that order. */
  readonly parts: readonly (WireRestoreAmount & { readonly store: string })[]
}

/** A place in a module of the user. */
export interface WirePlace {
  /** Below `src/`. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

export interface WireError {
  readonly code: string
  readonly kind: 'user' | 'operational' | 'bug'
  readonly message: string
  readonly context: { readonly [key: string]: unknown }
  /** For a proven split. */
  readonly split?: WireSplit
  /** Where the user's code threw it. */
  readonly where?: WirePlace
  /** The user's own lines of the stack, innermost first; nothing of the engine's. */
  readonly stack?: string
}

export interface WireCoordinates {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly timestamp: number
}

export interface WireSplit {
  readonly node: string
  readonly key: string
  readonly recordBytes: Hex
  readonly timerBytes: Hex
  readonly recordLane: number
  readonly timerLane: number
  readonly laneCount: number
}

export interface WireSegment {
  readonly store: string
  readonly segment: number
  readonly from: number
  readonly to: number
  readonly entries: number
  readonly bytes: number
}

export interface WireBlast {
  readonly segments: readonly WireSegment[]
  readonly windows: readonly { readonly node: string; readonly count: number }[]
  readonly timers: readonly { readonly node: string; readonly count: number }[]
  readonly refuses: readonly {
    readonly where: string
    readonly reason: 'late_window' | 'expired_segment'
    readonly from: number
    readonly to: number
  }[]
}

export interface WireTimer {
  readonly node: string
  readonly lane: number
  readonly domain: TimerDomain
  readonly at: number
  readonly name?: string
  readonly key: string
  readonly keyBytes: Hex
}

/** The numbers of one frame: core's `EngineSnapshot`, as it is. Counts are since the start of the run. */
export type WireSnapshot = import('@lanescope/core').EngineSnapshot

/** Key shares of one lane over the last second, the hottest first. */
export interface WireHotKey {
  readonly subTopology: number
  readonly lane: number
  readonly key: string
  /** 0 … 1 of the lane's records. */
  readonly share: number
}

/** A record seen on an edge or dispatched to a lane: a sample. Values as JSON-like text for people. */
export interface WireSample {
  readonly at: number
  readonly from: string
  readonly to: string | null
  readonly lane: number
  readonly key: string | null
  readonly keyBytes: Hex | null
  readonly value: string | null
  readonly timestamp: number
  readonly coordinates: WireCoordinates | null
}

/** A timer's life as the timeline draws it; registered, replaced, deleted and fired ones are sampled per frame. */
export interface WireTimerEvent {
  readonly at: number
  readonly what: 'registered' | 'replaced' | 'deleted' | 'fired'
  readonly timer: WireTimer
  /** For a replaced one: the time it stood at before; `timer.at` is the new one. */
  readonly previousAt?: number
  readonly forwarded?: number
}

/** Rare events: every one is sent. `n` counts them over the run, from 1, without gaps. */
export type RareEvent = { readonly n: number; readonly at: number } & (
  | ({ readonly type: 'split'; readonly proven: boolean; readonly coordinates: WireCoordinates | null } & WireSplit)
  | ({
      readonly type: 'segment-created' | 'segment-expired'
      readonly clockBefore: number
      readonly clockAfter: number
      readonly causedBy: WireCoordinates | null
    } & WireSegment)
  | {
      readonly type: 'future-timestamp'
      readonly verdict: 'warned' | 'rejected' | 'passed'
      readonly source: string
      readonly coordinates: WireCoordinates
      readonly aheadMs: number
      readonly boundMs: number
      readonly referenceClock: number
      readonly key: string | null
      readonly blast: WireBlast
    }
  | {
      readonly type: 'dropped'
      readonly reason: string
      readonly node: string
      readonly store?: string
      readonly coordinates: WireCoordinates | null
      readonly detail: string
      readonly movedBy?: WireCoordinates | null
      /** How many like it this one stands for (same reason and node, since the last frame). */
      readonly count: number
    }
  | {
      readonly type: 'epoch'
      readonly epoch: number
      readonly outcome: 'committed' | 'aborted'
      readonly records: number
      readonly outputs: number
      readonly timersFired: number
      readonly runMs: number
      readonly cutMs: number
      readonly commitMs: number
      /** The callback that its cut has waited for longest. */
      readonly slowest?: { readonly node: string; readonly lane: number; readonly key?: string; readonly ms: number }
      /** Of an aborted one: why. What it had done is in the figures above, and is taken back. */
      readonly message?: string
      /** The epoch before an aborted one, where its commit was not answered. */
      readonly inDoubt?: number
      /** The restart in place that follows an aborted one; absent where the run ends. */
      readonly restart?: {
        readonly attempt: number
        readonly of: number
        readonly delayMs: number
        readonly cutsBefore?: { readonly topic: string; readonly partition: number; readonly offset: number }
      }
    }
  | {
      readonly type: 'idle'
      readonly source: string
      readonly topic: string
      readonly partition: number
      readonly idle: boolean
      readonly behindMs: number
    }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly node?: string
      readonly message: string
    }
  | { readonly type: 'error'; readonly error: WireError; readonly fatal: boolean }
  | { readonly type: 'state'; readonly from: EngineState; readonly to: EngineState }
)

export interface RunFrame {
  readonly runId: string
  /** Counts up by one for each frame made; a viewer may miss some. */
  readonly seq: number
  readonly at: number
  readonly snapshot: WireSnapshot
  readonly hotKeys: readonly WireHotKey[]
  readonly samples: readonly WireSample[]
  readonly timerEvents: readonly WireTimerEvent[]
  /** The earliest pending timers of each lane. */
  readonly pendingTimers: readonly WireTimer[]
  readonly rare: readonly RareEvent[]
  /** What this frame does not show, of what happened since the last frame that this viewer got. */
  readonly leftOut: {
    readonly frames: number
    readonly samples: number
    readonly timerEvents: number
    readonly pendingTimers: number
  }
}
