import type { Processor, ProcessorSupplier } from '../processor/Processor.js'
import type { Deserializer } from '../serde/Serde.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import { checkBuilder, checkDeserializer, checkNames, checkTopics, kindOf, sinkArguments } from './argumentKinds.js'
import type { CompiledTopology } from './CompiledTopology.js'
import { Consumed } from './Consumed.js'
import { compileTopology } from './compile/compileTopology.js'
import { describeTopology } from './compile/describeTopology.js'
import type { EngineConfig } from './EngineConfig.js'
import type { TopicNameExtractor } from './NodeDefinition.js'
import type { Produced } from './Produced.js'
import type { Schedule } from './schedule/Schedule.js'
import { defineSchedule, type EmitScheduled, type ScheduledOptions } from './schedule/ScheduledSource.js'
import { scheduledConsumed } from './schedule/scheduledConsumed.js'
import { parseTopologyConfig } from './TopologyConfig.js'
import { TopologyDefinition } from './TopologyDefinition.js'
import { topologyError } from './topologyError.js'

type Topics = readonly (string | RegExp)[]

/**
 * Sources, processors, stores and sinks, wired by name: Kafka Streams' Processor API.
 *
 * Each call checks what it is given and refuses with TOPOLOGY_INVALID; a parent must be there before its child,
 * so there are no cycles.
 *
 * @example
 * new Topology()
 *   .addSource('events', Consumed.with(string, json<Event>()), 'events')
 *   .addProcessor('sessionize', { get: () => new Sessionize(), timers: ['event-time'] }, 'events')
 *   .addStateStore(sessionsOpen, 'sessionize')
 *   .addSink('sessions', 'sessions', Produced.with(string, json<Session>()), 'sessionize')
 */
export class Topology {
  /** @internal */
  readonly definition: TopologyDefinition

  /** @param config the settings that are read while building: here `processor.wrapper` only; others are ignored */
  constructor(config: Readonly<Record<string, unknown>> = {}) {
    this.definition = new TopologyDefinition(parseTopologyConfig(config)['processor.wrapper'])
  }

  /** @internal for the DSL, which writes the definition itself */
  static of(definition: TopologyDefinition): Topology {
    const topology = new Topology()
    return Object.assign(topology, { definition })
  }

  /** A source that declares how its topics are read and written. Topics: names, or one pattern. */
  addSource(name: string, consumed: Consumed<any, any>, ...topics: Topics): this
  /**
   * A source that declares only how its topics are read (A1): nothing then says how its keys are written. A serde
   * given here counts as its reading half, except `byteArray`, which writes what it reads (T4).
   */
  addSource(
    name: string,
    keyDeserializer: Deserializer<any> | undefined,
    valueDeserializer: Deserializer<any> | undefined,
    ...topics: Topics
  ): this
  addSource(name: string, first: Consumed<any, any> | Deserializer<any> | undefined, ...rest: unknown[]): this {
    if (first instanceof Consumed) {
      checkTopics(name, rest)
      this.definition.addSource({ name, consumed: first, ...splitTopics(name, rest as Topics) })
      return this
    }
    const [valueDeserializer, ...topics] = rest as [Deserializer<any> | undefined, ...Topics]
    if (typeof valueDeserializer === 'string') {
      throw topologyError(
        `The source "${name}" has a key deserializer but no value deserializer. Give both before its topics, or one Consumed.`,
        { node: name },
      )
    }
    checkDeserializer(name, 'key', first)
    checkDeserializer(name, 'value', valueDeserializer)
    checkTopics(name, topics)
    const consumed = Consumed.deserializers(first, valueDeserializer)
    this.definition.addSource({ name, consumed, ...splitTopics(name, topics) })
    return this
  }

  /**
   * A source that makes its own records, by a schedule (P1). They join the epoch in which their tick is emitted.
   *
   * @example
   * topology.scheduled('tick', { every: seconds(10) }, ({ at }) => [{ key: 'all', value: at }], { keySerde: string })
   * topology.scheduled('nightly', { cron: '0 3 * * *', zone: 'Europe/Berlin' }, emit, { keySerde: string, missed: 'all' })
   * @throws StreamError TOPOLOGY_INVALID for a schedule that is none, or never comes
   */
  scheduled<K, V>(name: string, schedule: Schedule, emit: EmitScheduled<K, V>, options: ScheduledOptions<K, V>): this {
    this.definition.addSource({
      name,
      topics: [],
      consumed: scheduledConsumed(options),
      schedule: defineSchedule(name, schedule, emit, options),
    })
    return this
  }

  /** A processor behind its parents: a supplier, or a function that makes a new processor at each call. */
  addProcessor<KI, VI, KO, VO>(
    name: string,
    supplier: ProcessorSupplier<KI, VI, KO, VO> | (() => Processor<KI, VI, KO, VO>),
    ...parents: string[]
  ): this {
    checkNames(name, 'a parent', parents)
    const full = typeof supplier === 'function' ? { get: supplier } : supplier
    this.definition.addUserProcessor(name, full, parents)
    return this
  }

  /** A store, and the processors that use it. */
  addStateStore(builder: StoreBuilder<any, any>, ...processors: string[]): this {
    checkBuilder(builder)
    checkNames(builder.name, 'a processor', processors)
    this.definition.addStateStore(builder, processors)
    return this
  }

  /**
   * A store that every processor may read without being connected to it. A source of its own reads the topic, and a
   * processor of its own fills the store; both run nowhere else.
   *
   * @throws StreamError TOPOLOGY_INVALID for a name or a topic that is taken
   */
  addGlobalStore<K, V>(
    store: StoreBuilder<any, any>,
    sourceName: string,
    consumed: Consumed<K, V>,
    topic: string,
    processorName: string,
    supplier: ProcessorSupplier<K, V, any, any> | (() => Processor<K, V, any, any>),
  ): this {
    this.definition.addGlobalStore({
      store,
      sourceName,
      consumed,
      topic,
      processorName,
      supplier: typeof supplier === 'function' ? { get: supplier } : supplier,
    })
    return this
  }

  /**
   * A store that its topic fills and can rebuild, so that it needs no changelog. Other processors are connected to it as
   * to any store, and should only read it.
   *
   * @throws StreamError TOPOLOGY_INVALID for a name or a topic that is taken
   */
  addReadOnlyStateStore<K, V>(
    store: StoreBuilder<any, any>,
    sourceName: string,
    consumed: Consumed<K, V>,
    topic: string,
    processorName: string,
    supplier: ProcessorSupplier<K, V, any, any> | (() => Processor<K, V, any, any>),
  ): this {
    this.definition.addReadOnlyStateStore({
      store,
      sourceName,
      consumed,
      topic,
      processorName,
      supplier: typeof supplier === 'function' ? { get: supplier } : supplier,
    })
    return this
  }

  /** Lets a processor use stores that were added before. */
  connectProcessorAndStateStores(name: string, ...stores: string[]): this {
    if (stores.length === 0) {
      throw topologyError(`Name at least one store to connect to the processor "${name}".`, { node: name })
    }
    for (const store of stores) this.definition.connect(name, store)
    return this
  }

  /** Writes what its parents forward to a topic, or to the topic that a function picks for each record. */
  addSink<K, V>(
    name: string,
    topic: string | TopicNameExtractor<K, V>,
    produced: Produced<any, any>,
    ...parents: string[]
  ): this
  addSink<K, V>(name: string, topic: string | TopicNameExtractor<K, V>, ...parents: string[]): this
  addSink(
    name: string,
    topic: string | TopicNameExtractor<any, any>,
    ...rest: readonly (string | Produced<any, any> | undefined)[]
  ): this {
    if (typeof topic !== 'string' && typeof topic !== 'function') {
      throw topologyError(
        `The sink "${name}" got ${kindOf(topic)} for its topic. Give the topic's name, or a function that picks one.`,
        { node: name },
      )
    }
    this.definition.addSink({ name, topic, ...sinkArguments(name, rest) })
    return this
  }

  /** Kafka Streams' `TopologyDescription` text, to the letter (B5). */
  describe(): string {
    return describeTopology(this.definition)
  }

  /**
   * Applies the config's defaults once (B4) and works out boundaries, sub-topologies, lanes and serdes.
   *
   * What cannot be resolved is not refused here: it is `unresolved`, and validation says so (B3, V6).
   *
   * @throws StreamError TOPOLOGY_INVALID for a topology without any source
   */
  compile(config: EngineConfig): CompiledTopology {
    return compileTopology(this.definition, config)
  }
}

function splitTopics(name: string, topics: Topics): { topics: string[]; pattern?: RegExp } {
  const names = topics.filter((topic): topic is string => typeof topic === 'string')
  const patterns = topics.filter((topic): topic is RegExp => topic instanceof RegExp)
  const pattern = patterns[0]
  if (pattern === undefined) return { topics: names }
  if (patterns.length + names.length > 1) {
    throw topologyError(
      `The source "${name}" mixes a topic pattern with other topics. Give one pattern, or names only.`,
      {
        node: name,
      },
    )
  }
  return { topics: [], pattern }
}
