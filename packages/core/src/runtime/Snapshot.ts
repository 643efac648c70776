import type { EngineState, TimerFacts } from '../events/EngineEvent.js'
import type { StoreInspection } from '../state/StoreBuilder.js'

/** A reading of the engine's counters and clocks, cheap enough for ten a second. Counts are since the start. */
export interface EngineSnapshot {
  /** Wall-clock ms. */
  readonly at: number
  readonly state: EngineState
  /** Ms since the run started. */
  readonly uptimeMs: number
  readonly epoch: {
    readonly number: number
    readonly committed: number
    readonly lastCommitMs: number | null
  }
  readonly clocks: {
    readonly mode: 'watermark' | 'stream-time'
    readonly wall: number
    readonly reference: number
    readonly partitions: readonly {
      readonly source: string
      readonly topic: string
      readonly partition: number
      /** −1 while nothing was read. */
      readonly maxTimestamp: number
      readonly watermark: number
      readonly idle: boolean
      readonly position: number
      readonly lag: number
    }[]
  }
  readonly nodes: readonly {
    readonly node: string
    /** The sub-topology whose lanes run it, as in `lanes` below; absent: 0. */
    readonly subTopology?: number
    readonly in: number
    readonly out: number
    readonly busyMs: number
    /** −1 while unknown. */
    readonly eventClock: number
    readonly timers?: {
      readonly pending: number
      readonly fired: number
      readonly replaced: number
      readonly deleted: number
      readonly splits: number
    }
    /** Schedules of its processors, over all lanes (W5), and when they are due next, in ms; null: by none of that clock. */
    readonly punctuations?: {
      readonly planned: number
      readonly nextStreamTime: number | null
      readonly nextWallClock: number | null
    }
  }[]
  /** Where scheduled sources stand (P1); absent where there are none. Times in ms. */
  readonly schedules?: readonly {
    readonly source: string
    /** The last tick handed out, or the time of the start. */
    readonly position: number
    /** Null when none is to come. */
    readonly nextAt: number | null
  }[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  readonly lanes: readonly {
    readonly subTopology: number
    readonly lane: number
    readonly queued: number
    readonly capacity: number
    readonly processed: number
    readonly timersFired: number
    readonly busyMs: number
    /** What it works on now, as text; null when idle. */
    readonly current: string | null
    /** How long the current callback has been pending, in ms. */
    readonly awaitingMs: number
  }[]
  readonly stores: readonly StoreInspection[]
  /** Prometheus-like names with labels: `dropped_records_total{reason="null_key"}` → count. */
  readonly counters: { readonly [name: string]: number }
}

/** Pending timers for the timeline: the earliest of each node and lane, and how many were left out. */
export interface TimerInspection {
  readonly timers: readonly TimerFacts[]
  readonly leftOut: number
}
