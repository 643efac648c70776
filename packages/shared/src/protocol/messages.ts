/*
 * The wire between page and agent: one WebSocket, JSON, unions on `type`.
 *
 * The agent speaks first: `hello` states the version; a page of another version closes with code 4001.
 * Requests carry an `id` that the matching `reply` repeats. Everything else is pushed. Run frames have a
 * sequence number per run: the sender coalesces when a viewer is slow and says what it left out, so a gap
 * in `seq` is normal and means older frames were merged into this one. Rare events are never left out.
 */
import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { Hex, RunFrame, RunSummary, WireBlast, WireError } from './runs.js'

export const PROTOCOL_VERSION = 1

/** WebSocket close codes of our own. */
export const CLOSE_REASONS = { versionMismatch: 4001, badMessage: 4002, replaced: 4003, tokenRefused: 4401 } as const

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
