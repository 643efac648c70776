import type { StreamError } from '../errors/StreamError.js'
import type { Blast, EngineState } from '../events/EngineEvent.js'
import type { EventHub } from '../events/EventHub.js'
import type { StateBackend } from '../state/StateBackend.js'
import type { Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import type { RecordLog } from './RecordLog.js'
import type { EngineSnapshot, TimerInspection } from './Snapshot.js'

export interface EngineOptions {
  readonly topology: CompiledTopology
  readonly config: EngineConfig
  readonly log: RecordLog
  readonly clock: Clock
  readonly random: Random
  /** Where committed state is kept. Default: in memory, for the life of the engine. */
  readonly state?: StateBackend
  /** Where a partition without a committed position starts. Default: earliest. */
  readonly offsetReset?: 'earliest' | 'latest'
}

/** What a record of this time would do, told without sending it (F5). */
export interface FuturePreview {
  /** Once every partition gets there; under `stream-time` by this record alone. */
  readonly blast: Blast
  /** By this record alone: under `watermark` only as far as the minimum over the partitions would move. */
  readonly atOnce: Blast
  readonly wouldBe: 'passed' | 'warned' | 'rejected' | 'fatal'
  readonly aheadMs: number
  readonly boundMs: number
  readonly referenceClock: number
}

/** Which state a query reads. */
export interface StoreQuery {
  /** Default: `open`. */
  readonly as?: 'open' | 'committed'
}

/** A running topology. Made by `createEngine`; one start, one end. */
export interface EngineApi {
  readonly events: EventHub
  readonly state: EngineState
  /**
   * Opens the log and begins. Resolves when the first fetch is under way.
   *
   * @throws StreamError when a topic is missing, the log cannot do what `processing.guarantee` asks, or an `init` throws
   */
  start(): Promise<void>
  /** Resolves once the engine has ended: with the error that ended it, or undefined after `stop`. Never rejects. */
  readonly finished: Promise<StreamError | undefined>
  /** Graceful: no fetch, callbacks in flight settle, the last epoch commits, processors close (E14). */
  stop(): Promise<void>
  snapshot(): EngineSnapshot
  /** The earliest pending timers of each processor and lane, at most `perLane`. */
  inspectTimers(perLane: number): TimerInspection
  /**
   * F5.
   *
   * @param partition where the record would be read. Default: where it would move the clock furthest
   * @throws StreamError ILLEGAL_STATE when there is no such source, or it does not read this partition
   */
  previewFutureTimestamp(timestamp: number, source: string, partition?: number): FuturePreview
  /**
   * The read-only handle of a store (P4). By default it reads what the open epoch has written, too, which a failure takes
   * back; with `as: 'committed'` the state of the last commit. Ask anew for that of a later one.
   *
   * @throws StreamError STORE_INVALID when there is no such store
   */
  store(name: string, options?: StoreQuery): unknown
}
