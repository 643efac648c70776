import type { RecordMetadata } from '../processor/contexts.js'
import type { ProcessorSupplier } from '../processor/Processor.js'
import type { Serde } from '../serde/Serde.js'
import type { OperatorFacts } from './CompiledTopology.js'
import type { Consumed } from './Consumed.js'
import type { Produced } from './Produced.js'
import type { StreamPartitioner } from './StreamPartitioner.js'
import type { ScheduleDefinition } from './schedule/ScheduledSource.js'

/** A key or value serde that some call declares for a node. */
export interface DeclaredSerdes {
  readonly key?: Serde<any>
  readonly value?: Serde<any>
}

/** The serde of a windowed key, from that of the key itself. */
export type WindowedForm = (inner: Serde<any>) => Serde<any>

/** What a node does to the keys that pass it. */
export type KeyEffect =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed' }
  /** Keys come out with a window; they keep their lane (T3). */
  | { readonly kind: 'windowed'; readonly wrap: WindowedForm }

export interface SourceDefinition {
  readonly kind: 'source'
  readonly name: string
  readonly topics: readonly string[]
  readonly pattern?: RegExp
  readonly consumed: Consumed<any, any>
  /** Set on a scheduled source (P1), which has no topics. */
  readonly schedule?: ScheduleDefinition
  /** Set on the reading end of a repartition: it stands in `describe()` alone, and is a boundary in memory (B1). */
  readonly repartition?: RepartitionDefinition
  /**
   * The sinks of this topology that write its topic for it to be read here (`through`): what is not declared here is read
   * as they write it.
   */
  readonly through?: readonly string[]
  /** `consumed` with what the table's `Materialized` declares filled in: Kafka Streams leaves it to the defaults (C.3). */
  readonly consumedOrKept?: Consumed<any, any>
  /** Set where it fills a table, or a global store: it then moves no watermark (W2). */
  readonly feeds?: 'table' | 'global'
}

/** An explicit boundary of the DSL. */
export interface RepartitionDefinition {
  /** The node whose records cross. */
  readonly from: string
  /** Others whose records cross here, too. */
  readonly alsoFrom?: readonly string[]
  readonly by: 'Grouped' | 'Joined' | 'Repartitioned'
  /** What `describe()` calls its topic. */
  readonly topic: string
  readonly declared: DeclaredSerdes
  /** The node whose keys these are, and by whose serde they are written where none is declared: a table of that key. */
  readonly keysOf?: string
  /** Whether its values are the engine's own, and never bytes. */
  readonly private?: true
  readonly numberOfLanes?: number
  readonly numberOfPartitions?: number
  /** Whether null keys cross, spread over the lanes (L3), instead of being left out. */
  readonly keepsNulls?: true
  readonly partitioner?: StreamPartitioner<any, any>
}

export interface ProcessorDefinition {
  readonly kind: 'processor'
  readonly name: string
  readonly parents: readonly string[]
  readonly supplier: ProcessorSupplier<any, any, any, any>
  /** Whether people wrote it (`addProcessor`, `process`): then B6 decides about boundaries behind it. */
  readonly userCode: boolean
  readonly keyEffect: KeyEffect
  readonly valueEffect: 'same' | 'changed'
  /** What `Grouped`, `Joined` or `StreamJoined` declares for the records that it receives. */
  readonly grouped?: DeclaredSerdes
  /** Which of them does. Default: `Grouped`. */
  readonly groupedBy?: 'Grouped' | 'Joined'
  /** What `Materialized` declares for the store that it keeps. */
  readonly materialized?: DeclaredSerdes
  /** The store that its aggregate is kept in; its serdes come from Materialized, Grouped and the stream (C.3). */
  readonly aggregateStore?: string
  /**
   * `declared`: in Kafka Streams that store has the serdes that are declared for it, and none of the stream's (C.3).
   * `received`: it keeps what the node receives, not what it sends on. `materialized`: in Kafka Streams it has those of
   * its `Materialized`, else the defaults.
   */
  readonly storeSerdes?: 'declared' | 'received' | 'materialized'
  /** Set where Kafka Streams sends keys on with the serde of `Materialized`, and none of the stream's: cogrouped ones. */
  readonly sendsMaterializedKey?: true
  /** How that store writes a value, from the serde of the value itself: with its timestamp. Absent: the builder says all. */
  readonly stored?: (value: Serde<any>) => Serde<any>
  /** What it sends on, when it says so itself, as `count` does. */
  readonly output?: DeclaredSerdes
  /** The node whose clock it goes by: both sides of a join see one (`kafka-streams.md` B.2). Default: its own. */
  readonly clock?: string
  /** Lanes that `Grouped` asks for when there is no boundary in front. */
  readonly numberOfLanes?: number
  readonly facts?: OperatorFacts
}

/**
 * Names the topic that a record goes to.
 *
 * @param place the topic, partition and offset that the record comes from; undefined where a timer or a punctuation sends it
 */
export type TopicNameExtractor<K, V> = (key: K, value: V, place: RecordMetadata | undefined) => string

export interface SinkDefinition {
  readonly kind: 'sink'
  readonly name: string
  readonly parents: readonly string[]
  readonly topic: string | TopicNameExtractor<any, any>
  readonly produced: Produced<any, any>
  /** Set on the writing end of a repartition. */
  readonly repartition?: true
}

export type NodeDefinition = SourceDefinition | ProcessorDefinition | SinkDefinition
