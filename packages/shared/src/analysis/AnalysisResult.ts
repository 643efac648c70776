import type { Finding, ResolvedSerde, SerdeCandidate, TimerDomain } from '@lanescope/core'

/** A serde as the canvas draws it: the chip's style is its status. */
export interface Chip {
  readonly status: ResolvedSerde['status']
  /** The serde's id, or the deserializer's, or '?'. */
  readonly label: string
  readonly windowed: boolean
  /** Of a windowed key: the id of the serde that writes it, with its window; `label` is the inner one's. */
  readonly windowedId?: string
  /** The call or setting that names it. */
  readonly by?: NonNullable<ResolvedSerde['by']>
  /** The node that declares it, by name and by document id. */
  readonly node?: string
  readonly nodeId?: string
}

/** A chip with all that was looked at on the way to it. */
export interface ChipWithCandidates {
  readonly chip: Chip
  readonly candidates: readonly (SerdeCandidate & { readonly nodeId?: string })[]
}

/** A finding of validation, in terms of the document. Findings are plain data. */
export type AnalysedFinding = Finding & {
  /** The node that carries the mark. */
  readonly nodeId: string
  readonly nodeIds: readonly string[]
  /** Document edges from the source to the node, in order. */
  readonly pathEdgeIds: readonly string[]
}

export interface SuppressedFinding {
  readonly finding: AnalysedFinding
  readonly reason: string
}

export interface AnalysedNode {
  readonly nodeId: string
  readonly name: string
  readonly subTopology: number
  readonly laneCount: number
  /** Serde of the key that it receives; a source: that it reads. */
  readonly keyChip: Chip
  readonly valueChip: Chip
  /** There when it uses keyed timers: the serde that writes a timer's key (T4). */
  readonly timerKey?: ChipWithCandidates
  readonly timers: readonly TimerDomain[]
  readonly stores: readonly string[]
  readonly changesKey: boolean
  /** Names of the nodes of the compiled topology that this one became; a DSL operator may make several. */
  readonly compiledNames: readonly string[]
}

export interface AnalysedEdge {
  readonly edgeId: string
  readonly keyChip: Chip
  readonly valueChip: Chip
  /** Records cross to the lane of their new key here (B1). */
  readonly boundary: boolean
  /** There when nothing travels here: the node behind it looks up rows of the one in front of it. */
  readonly looksUp?: true
}

export interface AnalysedSubTopology {
  readonly index: number
  readonly laneCount: number
  readonly laneCountFrom: {
    readonly by: 'numberOfLanes' | 'lanes.count' | 'num.stream.threads' | 'default'
    readonly node?: string
  }
  readonly nodeIds: readonly string[]
  /** What decides the lane, for the outline's heading: "by the raw key bytes of events". */
  readonly title: string
  /** There when it fills global stores alone: nothing in it runs on lanes. */
  readonly global?: true
}

/** What the canvas shows of a compiled topology. */
export interface AnalysisView {
  readonly nodes: readonly AnalysedNode[]
  readonly edges: readonly AnalysedEdge[]
  readonly subTopologies: readonly AnalysedSubTopology[]
  /** Kafka Streams' description text (B5). */
  readonly describe: string
  readonly describeLanes: string
}

/** What keeps a node, a file or the whole document from being analysed. The rest is analysed without it. */
export interface AnalysisProblem {
  /** Stable across edits that do not touch it. */
  readonly id: string
  readonly severity: 'error' | 'warn'
  readonly message: string
  readonly nodeId?: string
  /** Property of the node to fill in. */
  readonly field?: string
  /** Path under `src/`, or `app.config.json`. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Lines of the generated text, from 1, both ends included. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** What one analysis of a document says. Plain data: it crosses from a worker. */
export interface AnalysisResult {
  /** Whether there is a view: at least a part of the topology could be built. */
  readonly ok: boolean
  readonly findings: readonly AnalysedFinding[]
  /** Findings that the project suppresses, with the reason it gives. */
  readonly suppressed: readonly SuppressedFinding[]
  readonly view: AnalysisView
  readonly problems: readonly AnalysisProblem[]
  /** Ids of nodes that had to be left out. */
  readonly leftOut: readonly string[]
  /** The generated `src/topology.ts`; the last good one is up to the caller. Undefined when it cannot be written. */
  readonly topologyText?: string
  /** Lines of `topologyText` by document node id. */
  readonly nodeLines: { readonly [nodeId: string]: TextRange }
  readonly durationMs: number
}

export const EMPTY_VIEW: AnalysisView = { nodes: [], edges: [], subTopologies: [], describe: '', describeLanes: '' }
