import type { Processor, ProcessorSupplier } from '../processor/Processor.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import { Consumed } from '../topology/Consumed.js'
import { checkName } from '../topology/checkName.js'
import type { Schedule } from '../topology/schedule/Schedule.js'
import { defineSchedule, type EmitScheduled, type ScheduledOptions } from '../topology/schedule/ScheduledSource.js'
import { scheduledConsumed } from '../topology/schedule/scheduledConsumed.js'
import { Topology } from '../topology/Topology.js'
import { parseTopologyConfig } from '../topology/TopologyConfig.js'
import { TopologyDefinition } from '../topology/TopologyDefinition.js'
import { DslPlan } from './DslPlan.js'
import type { GlobalKTable } from './GlobalKTable.js'
import { KStream } from './KStream.js'
import type { KTable } from './KTable.js'
import { addGlobalTable, addTable, type TableArguments } from './tables/addTable.js'

/**
 * Kafka Streams' DSL: streams in, operators, streams out. Names are generated as Kafka Streams generates them.
 *
 * @example
 * const builder = new StreamsBuilder()
 * builder
 *   .stream('orders', Consumed.with(string, json<Order>()))
 *   .groupByKey()
 *   .windowedBy(TimeWindows.ofSizeAndGrace(minutes(5), seconds(10)))
 *   .count(Materialized.as('per-5m'))
 *   .toStream()
 *   .to('counts', Produced.with(windowed(string, minutes(5)), long))
 * const topology = builder.build()
 */
export class StreamsBuilder {
  private readonly plan: DslPlan

  /** @param config the settings that are read while building, as Kafka Streams' `TopologyConfig`; others are ignored */
  constructor(config: Readonly<Record<string, unknown>> = {}) {
    this.plan = new DslPlan(parseTopologyConfig(config))
  }

  /** The records of a topic, of several, or of all that match a pattern. Equal topics are read once, however often asked for. */
  stream<K = unknown, V = unknown>(
    topics: string | readonly string[] | RegExp,
    consumed: Consumed<K, V> = Consumed.with<any, any>(undefined, undefined),
  ): KStream<K, V> {
    const name = this.plan.name('KSTREAM-SOURCE-', consumed.options.name)
    const named = typeof topics === 'string' ? [topics] : topics
    this.plan.source(named instanceof RegExp ? named : [...new Set(named)], name, consumed)
    return new KStream<K, V>(this.plan, name, false)
  }

  /**
   * The newest value of each key of a topic; a null value deletes it, a record without a key is dropped and counted
   * (G3). It has a store when `Materialized` names one, or an operator behind it needs to read it.
   *
   * @param args how the topic is read, what the table is kept in, both in this order, or neither
   */
  table<K = unknown, V = unknown>(topic: string, ...args: TableArguments<K, V>): KTable<NonNullable<K>, V> {
    return addTable<K, V>(this.plan, topic, args)
  }

  /** The newest value of each key of a whole topic, for joins on any key: every node may read it. Arguments as for `table`. */
  globalTable<K = unknown, V = unknown>(topic: string, ...args: TableArguments<K, V>): GlobalKTable<NonNullable<K>, V> {
    return addGlobalTable<K, V>(this.plan, topic, args)
  }

  /**
   * Records that are made by a schedule instead of read from a topic (P1): see `Topology.scheduled`.
   *
   * @param name of the source node; it uses up none of the generated numbers
   * @throws StreamError TOPOLOGY_INVALID for a schedule that is none, or never comes
   */
  scheduled<K, V>(
    name: string,
    schedule: Schedule,
    emit: EmitScheduled<K, V>,
    options: ScheduledOptions<K, V>,
  ): KStream<K, V> {
    checkName('node', name)
    const defined = defineSchedule(name, schedule, emit, options)
    const consumed = scheduledConsumed(options)
    this.plan.add((definition) => definition.addSource({ name, topics: [], consumed, schedule: defined }))
    return new KStream<K, V>(this.plan, name, false)
  }

  /** A store that processors given to `process` name. */
  addStateStore(builder: StoreBuilder<any, any>): this {
    this.plan.add((definition) => definition.addStateStore(builder, []))
    return this
  }

  /**
   * A store that every processor may read, filled from a topic by a processor of its own. Its node's name is that of
   * `Consumed`, if it has one; two numbers are used up (C.1).
   *
   * @throws StreamError TOPOLOGY_INVALID at `build` for a name or a topic that is taken
   */
  addGlobalStore<K, V>(
    store: StoreBuilder<any, any>,
    topic: string,
    consumed: Consumed<K, V>,
    supplier: ProcessorSupplier<K, V, any, any> | (() => Processor<K, V, any, any>),
  ): this {
    const { name } = consumed.options
    const sourceName = this.plan.name('KSTREAM-SOURCE-', name && `${name}-source`)
    const processorName = this.plan.name('KTABLE-SOURCE-', name)
    const full = typeof supplier === 'function' ? { get: supplier } : supplier
    this.plan.add((writer) =>
      writer.addGlobalStore({ store, sourceName, topic, consumed, processorName, supplier: full }),
    )
    return this
  }

  /**
   * The topology as told so far. Each call gives a new one.
   *
   * @param config given as to Kafka Streams' `build`: `topology.optimization` is read here too
   * @throws StreamError TOPOLOGY_INVALID for what cannot be built
   */
  build(config: Readonly<Record<string, unknown>> = {}): Topology {
    const settings = this.plan.config
    const definition = new TopologyDefinition(settings['processor.wrapper'])
    const asked = config['topology.optimization'] === undefined ? settings : parseTopologyConfig(config)
    this.plan.write(definition, { ...settings, 'topology.optimization': asked['topology.optimization'] })
    return Topology.of(definition)
  }
}
