/*
 * The wire between page and agent: one WebSocket, JSON, unions on `type`.
 *
 * The agent speaks first: `hello` states the version; a page of another version closes with code 4001.
 * Requests carry an `id` that the matching `reply` repeats. Everything else is pushed. Run frames have a
 * sequence number per run: the sender coalesces when a viewer is slow and says what it left out, so a gap
 * in `seq` is normal and means older frames were merged into this one. Rare events are never left out.
 */
import type { EngineState, TimerDomain } from '@lanescope/core'
import type { TopologyDocument } from '../document/TopologyDocument.js'

export const PROTOCOL_VERSION = 1

/** WebSocket close codes of our own. */
export const CLOSE_REASONS = { versionMismatch: 4001, badMessage: 4002, replaced: 4003, tokenRefused: 4401 } as const

/** Bytes travel as lower-case hex. */
export type Hex = string

// ---- projects -------------------------------------------------------------------------------

export interface ProjectSummary {
  /** The folder's name under the projects folder. */
  readonly id: string
  readonly name: string
  readonly nodes: number
  readonly changedAt: number
}

export interface ExampleSummary {
  readonly id: string
  readonly title: string
  readonly description: string
}

/** A project as it is on disk. `files` are `src/*.ts` that people write, by path under `src/`, generated ones left out. */
export interface Project {
  readonly id: string
  /** Changes with each change on disk; a save names the one it is based on. */
  readonly revision: number
  readonly document: TopologyDocument
  readonly files: { readonly [path: string]: string }
  readonly config: { readonly [key: string]: unknown }
}

// ---- topics ---------------------------------------------------------------------------------

export interface WireTopic {
  readonly topic: string
  readonly partitions: number
}

export interface WireRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly timestamp: number
  readonly key: Hex | null
  readonly value: Hex | null
  readonly headers: readonly (readonly [string, Hex | null])[]
}

// ---- runs -----------------------------------------------------------------------------------

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

// ---- messages -------------------------------------------------------------------------------

/** From page to agent. Each is answered by one `reply` with the same `id`. */
export type Request = { readonly id: number } & (
  | { readonly type: 'list-projects' }
  | { readonly type: 'list-examples' }
  | { readonly type: 'open-project'; readonly projectId: string }
  | { readonly type: 'create-project'; readonly name: string }
  | {
      /** Opens the project made from the example earlier, if there is one; `fresh` always makes another. */
      readonly type: 'open-example'
      readonly exampleId: string
      readonly fresh?: boolean
    }
  /** Gives its folder another name. Its state, its topics and its `application.id` stay. Refused with RUN_ACTIVE, NAME_TAKEN. */
  | { readonly type: 'rename-project'; readonly projectId: string; readonly name: string }
  /** Copies what people made: not what runs have left. The copy has an `application.id` of its own. */
  | { readonly type: 'duplicate-project'; readonly projectId: string }
  /** Moves its folder to the trash in the projects folder. Refused with RUN_ACTIVE. */
  | { readonly type: 'delete-project'; readonly projectId: string }
  /** Takes a project back out of the trash, under its name or the next free one. */
  | { readonly type: 'restore-project'; readonly trashId: string }
  | {
      /** Writes what is given; `deletedFiles` are removed. Refused with code CONFLICT when `baseRevision` is not the newest. */
      readonly type: 'save-project'
      readonly projectId: string
      readonly baseRevision: number
      readonly document?: TopologyDocument
      readonly files?: { readonly [path: string]: string }
      readonly deletedFiles?: readonly string[]
      readonly config?: { readonly [key: string]: unknown }
    }
  | {
      readonly type: 'start-run'
      readonly projectId: string
      /** Config that holds for this run alone, such as `timer.lane-affinity.guard`. */
      readonly overrides: { readonly [key: string]: unknown }
      readonly generators: boolean
      /** Reads its topics from their first record on, wherever earlier runs of the application had come. */
      readonly fromBeginning?: boolean
    }
  | { readonly type: 'stop-run'; readonly runId: string }
  /** Sends this page the run's frames, in place of those of the run that it watched before. */
  | { readonly type: 'watch-run'; readonly runId: string }
  /** Of a run that is not watched: nothing. */
  | { readonly type: 'unwatch-run'; readonly runId: string }
  /** Every run that lives, of whichever project. */
  | { readonly type: 'list-runs' }
  | { readonly type: 'list-topics'; readonly projectId: string }
  | { readonly type: 'create-topics'; readonly projectId: string; readonly topics: readonly WireTopic[] }
  | {
      readonly type: 'read-topic'
      readonly projectId: string
      readonly topic: string
      readonly partition: number
      readonly fromOffset: number
      readonly max: number
    }
  | {
      /** Appends one record, `partition` −1 by key. Any timestamp. */
      readonly type: 'produce'
      readonly projectId: string
      readonly topic: string
      readonly partition: number
      readonly key: Hex | null
      readonly value: Hex | null
      readonly timestamp: number
    }
  | { readonly type: 'preview-future'; readonly runId: string; readonly source: string; readonly timestamp: number }
  | { readonly type: 'reset-log'; readonly projectId: string }
)

export type RequestType = Request['type']
export type RequestOf<T extends RequestType> = Extract<Request, { readonly type: T }>

/** What a request is answered with. */
export interface Replies {
  'list-projects': { readonly projects: readonly ProjectSummary[] }
  'list-examples': { readonly examples: readonly ExampleSummary[] }
  'open-project': { readonly project: Project; readonly run: RunSummary | null }
  'create-project': { readonly project: Project }
  'open-example': { readonly project: Project; readonly run: RunSummary | null }
  'rename-project': { readonly projectId: string }
  'duplicate-project': { readonly projectId: string }
  'delete-project': { readonly trashId: string }
  'restore-project': { readonly projectId: string }
  'save-project': { readonly revision: number }
  'start-run': { readonly run: RunSummary }
  'stop-run': { readonly run: RunSummary }
  'watch-run': { readonly run: RunSummary }
  'unwatch-run': { readonly watched: false }
  'list-runs': { readonly runs: readonly RunSummary[] }
  'list-topics': { readonly topics: readonly WireTopic[]; readonly log: 'embedded' | 'kafka' }
  'create-topics': { readonly created: readonly string[] }
  'read-topic': { readonly records: readonly WireRecord[]; readonly nextOffset: number; readonly end: number }
  produce: { readonly partition: number; readonly offset: number }
  'preview-future': {
    /** Once every partition gets there. */
    readonly blast: WireBlast
    /** By this record alone: under `watermark` less, where another partition holds the clock. */
    readonly atOnce?: WireBlast
    readonly wouldBe: 'passed' | 'warned' | 'rejected' | 'fatal'
    readonly boundMs: number
    readonly referenceClock: number
  }
  'reset-log': { readonly cleared: true }
}

/** From agent to page. */
export type ServerMessage =
  | {
      readonly type: 'hello'
      readonly protocol: number
      readonly version: string
      /** Where runs read and write. */
      readonly log: { readonly kind: 'embedded' } | { readonly kind: 'kafka'; readonly bootstrapServers: string }
      readonly projectsFolder: string
    }
  | { readonly type: 'reply'; readonly id: number; readonly ok: true; readonly result: Replies[RequestType] }
  | { readonly type: 'reply'; readonly id: number; readonly ok: false; readonly error: WireError }
  | {
      readonly type: 'project-changed'
      readonly projectId: string
      readonly revision: number
      readonly by: 'disk' | 'page'
    }
  /** There is no project of this name any more: it is in the trash, or has another name. */
  | { readonly type: 'project-gone'; readonly projectId: string; readonly renamedTo: string | null }
  /** There is a project more: made, copied, or back from the trash. */
  | { readonly type: 'projects-changed' }
  | { readonly type: 'run-state'; readonly run: RunSummary }
  | { readonly type: 'frame'; readonly frame: RunFrame }
