import type { ProcessorSupplier } from '../processor/Processor.js'
import type { Deserializer, Serde, Serializer } from '../serde/Serde.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { TimerDomain } from '../timers/Timer.js'
import type { TopicNameExtractor } from './NodeDefinition.js'
import type { StreamPartitioner } from './StreamPartitioner.js'
import type { ScheduleDefinition } from './schedule/ScheduledSource.js'
import type { TimestampExtractor } from './TimestampExtractor.js'
import type { WatermarkStrategy } from './WatermarkStrategy.js'

/** How sure the engine is of a serde: the four chips of the canvas. */
export type SerdeStatus = 'declared' | 'inherited' | 'defaulted' | 'unresolved'

/** The calls and settings that may name a serde. */
export type SerdeDeclaration =
  | 'Consumed'
  | 'Grouped'
  /** Or `StreamJoined`. */
  | 'Joined'
  | 'Repartitioned'
  | 'Produced'
  | 'Materialized'
  | 'store'
  | 'deserializer'
  | 'default.key.serde'
  | 'default.value.serde'

/** One place that was looked at while a serde was resolved, in the order of the rule (B2, T4). */
export interface SerdeCandidate {
  readonly by: SerdeDeclaration
  /** The node at which it stands, or would stand. */
  readonly node?: string
  readonly verdict:
    | 'used'
    | 'not-declared'
    | 'none-on-path'
    | 'past-key-change'
    | 'no-store-upstream'
    | 'conflicting'
    | 'not-reached'
  readonly serdeId?: string
}

/** A serde and where it came from. */
export interface ResolvedSerde {
  readonly status: SerdeStatus
  /** Absent when unresolved, or when only one direction was declared. */
  readonly serde?: Serde<any>
  readonly deserializer?: Deserializer<any>
  readonly serializer?: Serializer<any>
  /** What to show: the serde's id, or the deserializer's, or '?' */
  readonly label: string
  readonly by?: SerdeDeclaration
  /** The node that declares it. */
  readonly node?: string
  /** Whether keys are windowed; then `label` names the inner serde. */
  readonly windowed?: true
  readonly candidates: readonly SerdeCandidate[]
}

/** A scheduled source's schedule, with what the timestamps of its records go by. */
export interface CompiledSchedule extends ScheduleDefinition {
  /** Nodes that its records reach, across boundaries too, that have a topic source upstream (T12). */
  readonly clockNodes: readonly string[]
}

export interface CompiledSource {
  readonly topics: readonly string[]
  readonly pattern?: RegExp
  readonly keyDeserializer: Deserializer<any> | undefined
  readonly valueDeserializer: Deserializer<any> | undefined
  /** How the key was declared: both directions, or reading only (A1). */
  readonly keyForm: 'serde' | 'deserializer' | 'default'
  /** Sinks of this topology that write its topic for it (`through`). */
  readonly through?: readonly string[]
  readonly timestampExtractor: TimestampExtractor<any, any> | undefined
  readonly watermark: WatermarkStrategy | undefined
  /** F2; undefined: the default bound of the config. */
  readonly maxAheadMs: number | undefined
  readonly laneBy: 'key' | 'partition'
  readonly nulls: 'keep' | 'drop'
  /** Where its partitions are read from that have no committed position; undefined: as the application says. */
  readonly offsetReset?: 'earliest' | 'latest'
  /** Whether it feeds a stream, a table or a global table. Only streams move the watermark (W2). */
  readonly feeds: 'stream' | 'table' | 'global'
  /** Set on a scheduled source (P1). It has no topics, moves no clock, and lanes by what its key serde writes (L4). */
  readonly schedule?: CompiledSchedule
}

export interface CompiledSink {
  readonly topic: string | TopicNameExtractor<any, any>
  readonly keySerializer: Serializer<any> | undefined
  readonly valueSerializer: Serializer<any> | undefined
  /** Set when the user picks the partition himself. */
  readonly partitioner?: StreamPartitioner<any, any>
}

/** What the DSL's operators tell validation and the page about themselves. */
export interface OperatorFacts {
  readonly operator: string
  /** Its clock also waits for what has been read for the stores that it looks up: it goes by time, and so must they. */
  readonly waitsForStores?: true
  /** In ms. */
  readonly window?: {
    readonly sizeMs: number
    readonly advanceMs: number
    readonly graceMs: number
    /** What its store must keep at least. Absent: size and grace. */
    readonly keepMs?: number
    /** Whether nobody gave the grace, so that it is Kafka Streams' default (V11). */
    readonly defaultGrace?: true
  }
  /** Set where keys come out with a window: how long, in ms, after its end one takes records, and whether that is in it. */
  readonly closes?: { readonly waitMs: number; readonly endInclusive: boolean }
  /** Whether it holds results back until their windows close (V10). */
  readonly finalResults?: true
  /** Whether it brings together two sides that must be partitioned alike (V5). */
  readonly joins?: true
}

export interface CompiledNode {
  readonly name: string
  readonly kind: 'source' | 'processor' | 'sink'
  readonly parents: readonly string[]
  readonly children: readonly string[]
  /** Index into `subTopologies`. */
  readonly subTopology: number
  readonly stores: readonly string[]
  /** Global stores, which every processor may read without being connected. */
  readonly globalStores: readonly string[]
  /** Serde of the key that the node receives (a source: that it reads). */
  readonly key: ResolvedSerde
  readonly value: ResolvedSerde
  /** Names of the topic sources upstream; of a topic source: its own. Scheduled ones are left out: they move no clock. */
  readonly sources: readonly string[]
  readonly source?: CompiledSource
  readonly sink?: CompiledSink
  readonly supplier?: ProcessorSupplier<any, any, any, any>
  readonly facts?: OperatorFacts
  /** The store that it keeps its table or aggregate in. */
  readonly aggregateStore?: string
  /** The node whose clock it goes by, where that is not its own: both sides of a join see one. */
  readonly clock?: string
  /** Domains it declares; empty when it uses no timers. */
  readonly timers: readonly TimerDomain[]
  /** T4; there when `timers` is not empty, and on nodes that keep a store and get their lanes from several places (A9). */
  readonly timerKey?: ResolvedSerde
  /** Whether its key may differ from its parent's: a `Processor`, `map`, `selectKey` … (B4). */
  readonly changesKey: boolean
}

export interface CompiledEdge {
  readonly from: string
  readonly to: string
  /** Serde of the key that travels here. */
  readonly key: ResolvedSerde
  readonly value: ResolvedSerde
  readonly boundary: boolean
}

/** Where a record crosses to the lane of its new key, in memory (B1). */
export interface CompiledBoundary {
  readonly from: string
  readonly to: string
  readonly fromSubTopology: number
  readonly toSubTopology: number
  readonly key: ResolvedSerde
  /** How Kafka Streams would write the values on that topic. */
  readonly value: ResolvedSerde
  /** Whether its values are the engine's own, and never bytes. */
  readonly private?: true
  /** The repartition topic that stands here in `describe()`. Absent where Kafka Streams does not cross (B6). */
  readonly topic?: string
  /** What makes it one: an explicit `repartition()`, an aggregation or a join behind a key change, or the rule for processors. */
  readonly by: 'Repartitioned' | 'Grouped' | 'Joined' | 'rule'
  /** How many partitions `Repartitioned` asks for. */
  readonly numberOfPartitions?: number
  /** Set when the user picks the lane himself (L9). */
  readonly partitioner?: StreamPartitioner<any, any>
}

/** Nodes that one set of lanes runs (L5): what lies between two boundaries. */
export interface CompiledSubTopology {
  readonly index: number
  readonly laneCount: number
  readonly laneCountFrom: {
    readonly by: 'numberOfLanes' | 'lanes.count' | 'num.stream.threads' | 'default'
    readonly node?: string
  }
  /** Every `numberOfLanes` asked for by its nodes and by those that it takes turns with; the largest counts (L1). */
  readonly lanesAsked: readonly { readonly node: string; readonly laneCount: number }[]
  /** In topological order. */
  readonly nodes: readonly string[]
  /** Topic sources that enter it directly. */
  readonly sources: readonly string[]
  /** Sub-topologies that feed it through boundaries; together they form no cycle (L7). */
  readonly upstream: readonly number[]
  /** Sub-topologies that write one store take turns on a lane (L1): equal numbers share the turn. */
  readonly turn: number
  /** Whether every supplier in it is `sync` or a DSL operator (L8). */
  readonly sync: boolean
}

export interface CompiledStore {
  readonly builder: StoreBuilder<any, any>
  readonly name: string
  readonly nodes: readonly string[]
  readonly key: ResolvedSerde
  readonly value: ResolvedSerde
  /** Whether every processor may read it. */
  readonly global?: true
  /** The topic that restores it in place of a changelog: a global store's, a read-only one's, a table's that is reused. */
  readonly sourceTopic?: string
}

/** A topology with its defaults applied (B4): what the runtime runs and what the page draws. */
export interface CompiledTopology {
  /** In topological order; the order of insertion decides ties. */
  readonly nodes: readonly CompiledNode[]
  readonly edges: readonly CompiledEdge[]
  readonly boundaries: readonly CompiledBoundary[]
  readonly subTopologies: readonly CompiledSubTopology[]
  readonly stores: readonly CompiledStore[]
  node(name: string): CompiledNode
  /** Kafka Streams' `TopologyDescription` text (B5). */
  describe(): string
  /** Chains, sub-topologies, boundaries, lane counts, and where each key serde came from (B5). */
  describeLanes(): string
}
