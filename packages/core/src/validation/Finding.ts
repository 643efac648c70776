import type { Serde } from '../serde/Serde.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'

export type Severity = 'error' | 'warn' | 'hint'

/** One key, two encodings, and the lanes they pick (A1, A7). */
export interface ByteProof {
  readonly key: string
  readonly recordBytes: Uint8Array
  readonly timerBytes: Uint8Array
  /** The murmur3 hash of each. */
  readonly recordHash: number
  readonly timerHash: number
  readonly recordLane: number
  readonly timerLane: number
  readonly laneCount: number
  /** Index of the first byte that differs; −1 when they are equal. */
  readonly firstDifference: number
  readonly verdict: 'split' | 'agrees-by-luck' | 'same-bytes'
  /** Lane counts up to 32 at which the two encodings agree by luck. */
  readonly agreesAt: readonly number[]
}

/** A place on a finding's path, numbered on the canvas as in the panel. */
export interface FindingPlace {
  readonly node: string
  readonly title: string
  readonly detail: string
}

/** A change that mends a finding, in terms of the topology; the page turns it into an edit of the document. */
export type Fix =
  | {
      readonly kind: 'declare-consumed'
      readonly source: string
      /** Serde ids that rewrite every sample key to the very same bytes. */
      readonly keySerde: string
      readonly valueSerde: string
      readonly title: string
      /** What it makes true, with the sample's bytes. */
      readonly effect: string
    }
  | {
      readonly kind: 'bound-source'
      readonly source: string
      readonly maxAheadMs: number
      readonly title: string
      readonly effect: string
    }
  | {
      /** Windows take records for so long after their end. A retention that was given grows by as much. */
      readonly kind: 'set-grace'
      /** The aggregation in windows. */
      readonly node: string
      readonly graceMs: number
      readonly title: string
      readonly effect: string
    }
  | {
      /** Puts a `repartition()` on the one way into a node. */
      readonly kind: 'insert-repartition'
      readonly before: string
      /** Id of the key serde that it declares; absent: as the stream carries it. */
      readonly keySerde?: string
      readonly title: string
      readonly effect: string
    }
  | {
      /** Writes what a node makes to a topic. */
      readonly kind: 'add-sink'
      readonly after: string
      readonly topic: string
      readonly title: string
      readonly effect: string
    }
  | {
      readonly kind: 'declare-serde'
      readonly node: string
      readonly side: 'key' | 'value'
      readonly serde: string
      readonly title: string
      readonly effect: string
    }

/** What validation says about a topology before it runs. */
export interface Finding {
  /** Stable across edits that do not touch it: the rule and its nodes. */
  readonly id: string
  readonly rule: string
  readonly severity: Severity
  /** The node that carries the mark. */
  readonly node: string
  readonly nodes: readonly string[]
  /** Edges from the source to the node, in order. */
  readonly path: readonly { readonly from: string; readonly to: string }[]
  readonly places: readonly FindingPlace[]
  /** One line. */
  readonly title: string
  /** Two or three sentences that a user understands. */
  readonly message: string
  /** Why it matters, at more length. */
  readonly why: string
  readonly fixes: readonly Fix[]
  /** Said when no fix is offered, or what a fix cannot do. */
  readonly note?: string
  readonly proofs?: readonly ByteProof[]
  /** For F1: what one record from the future would take. */
  readonly endangered?: readonly {
    readonly what: 'store' | 'timers' | 'suppress' | 'punctuator'
    readonly name: string
    readonly detail: string
  }[]
}

/** Raw key bytes that a source is known to carry: written by hand, or seen on the topic. */
export interface SourceSamples {
  readonly keys: readonly Uint8Array[]
}

export interface ValidationInput {
  readonly topology: CompiledTopology
  readonly config: EngineConfig
  /** By source node name. */
  readonly samples: ReadonlyMap<string, SourceSamples>
  /** Serdes that a fix may propose, most specific first; the built-in ones unless given. */
  readonly serdes?: readonly Serde<any>[]
  /** The topology that runs now, to see what this one would do to its state (V12). */
  readonly deployed?: CompiledTopology
  /** How many partitions topics have, as far as it is known (V5). */
  readonly partitions?: ReadonlyMap<string, number>
}

/** One rule, one file. It reports all it finds, in the order of the nodes. */
export interface ValidationRule {
  readonly id: string
  readonly spec: string
  check(input: ValidationInput): Finding[]
}
