import type { EngineState } from '@lanescope/core'
import type { Replies, RequestOf, RunFrame, WireError, WireRestore } from '@lanescope/shared'

/** What a run's process is started for. */
export interface RunOrder {
  readonly runId: string
  readonly projectFolder: string
  /** Config that holds for this run alone. */
  readonly overrides: { readonly [key: string]: unknown }
  readonly generators: boolean
  /** See `start-run` of the wire. */
  readonly fromBeginning: boolean
  /** Undefined: the project's embedded log. */
  readonly bootstrapServers: string | undefined
  readonly frameIntervalMs: number
  readonly heartbeatMs: number
  /** After this long without a turn of the event loop, the place of the last record is told. */
  readonly stalledMs: number
}

/** Requests of pages that only the process of a living run can answer: it alone has the log, and the engine. */
export type ChildQueryType = 'list-topics' | 'create-topics' | 'read-topic' | 'produce' | 'preview-future'
export type ChildQuery = RequestOf<ChildQueryType>

/** From the agent to a run's process. */
export type ToChild =
  | { readonly type: 'start'; readonly order: RunOrder }
  | { readonly type: 'ask'; readonly id: number; readonly query: ChildQuery }
  | { readonly type: 'stop' }

/** From a run's process to the agent. */
export type FromChild =
  | { readonly type: 'heartbeat'; readonly residentBytes: number }
  /** Reads and writes from now on. */
  | { readonly type: 'started' }
  /** Never started. */
  | { readonly type: 'refused'; readonly error: WireError }
  | { readonly type: 'state'; readonly state: EngineState }
  /** State is rebuilt before anything is read: there are no frames of that. */
  | { readonly type: 'restore'; readonly restore: WireRestore }
  | { readonly type: 'frame'; readonly frame: RunFrame }
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly result: Replies[ChildQueryType] }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly error: WireError }
  /** The engine has ended; the process ends next. */
  | { readonly type: 'ended'; readonly error: WireError | null }

/** Where a stalled run was: the record that it took last. It comes on a pipe of its own, from a thread that still turns. */
export interface StallReport {
  readonly node: string
  readonly lane: number
  readonly key: string
}

/** The file descriptor of that pipe in a run's process. */
export const STALL_FD = 4
