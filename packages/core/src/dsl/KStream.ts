import type { Processor, ProcessorSupplier } from '../processor/Processor.js'
import type { OperatorFacts } from '../topology/CompiledTopology.js'
import { Consumed } from '../topology/Consumed.js'
import type { KeyEffect, RepartitionDefinition, TopicNameExtractor } from '../topology/NodeDefinition.js'
import { Produced } from '../topology/Produced.js'
import type { AggregateArguments } from './aggregateArguments.js'
import { BranchedKStream } from './BranchedKStream.js'
import type { DslPlan } from './DslPlan.js'
import { type FixedKeyProcessor, type FixedKeyProcessorSupplier, fixedKey } from './FixedKeyProcessor.js'
import { GlobalKTable } from './GlobalKTable.js'
import { Grouped } from './Grouped.js'
import { Joined } from './Joined.js'
import type { JoinWindows } from './JoinWindows.js'
import { joinGlobalTable } from './joins/joinGlobalTable.js'
import { type JoinKind, joinStreams } from './joins/joinStreams.js'
import { joinTable } from './joins/joinTable.js'
import type { Crossed } from './joins/repartitionForJoin.js'
import { KGroupedStream } from './KGroupedStream.js'
import type { KTable } from './KTable.js'
import { Named } from './Named.js'
import { filter } from './operators/filter.js'
import { flatMap } from './operators/flatMap.js'
import { flatMapValues } from './operators/flatMapValues.js'
import { map } from './operators/map.js'
import { mapValues } from './operators/mapValues.js'
import { passThrough } from './operators/passThrough.js'
import { peek } from './operators/peek.js'
import { selectKey } from './operators/selectKey.js'
import { keyCommaValue, type Printed } from './Printed.js'
import { Repartitioned } from './Repartitioned.js'
import { addRepartition, repartitionNames } from './repartition.js'
import { StreamJoined } from './StreamJoined.js'
import type { Sync } from './sync.js'
import { streamToTable } from './tables/streamToTable.js'

/** A name for the node, if any, and the names of the stores that it uses. */
type NamedAndStores = readonly [Named, ...string[]] | readonly string[]

type AnyPartner = KStream<any, any> | KTable<any, any> | GlobalKTable<any, any>
type AnyFunction = (...args: any[]) => unknown
type JoinArguments = readonly [
  joinerOrSelector: AnyFunction,
  windowsOrJoinedOrJoiner?: JoinWindows | Joined<any, any, any> | AnyFunction | undefined,
  joinedOrNamed?: StreamJoined<any, any, any> | Named | undefined,
]

interface Operation {
  readonly operator: string
  readonly prefix: string
  readonly named: Named | undefined
  readonly key: KeyEffect['kind'] & ('same' | 'changed')
  readonly value: 'same' | 'changed'
  readonly parents?: readonly string[]
  supplier(node: string): ProcessorSupplier<any, any, any, any>
}

/**
 * A stream of records. Functions get `(key, value)` in Kafka's order, and those that Kafka gives no key get it last.
 * They are synchronous: one that returns a promise does not compile, and is refused when it runs.
 */
export class KStream<K, V> {
  /** @internal use `StreamsBuilder.stream` */
  constructor(
    private readonly plan: DslPlan,
    /** The node whose output this is. */
    readonly node: string,
    /** Whether an operator upstream has changed the key since its records last crossed to their lanes (C.2). */
    readonly rekeyed: boolean,
  ) {}

  /** @internal the boundary that joins of this stream share, once one of them has made it */
  crossed: Crossed | undefined

  /** Keeps the records that the predicate holds for. */
  filter(predicate: (key: K, value: V) => boolean, named?: Named): KStream<K, V> {
    return this.attach({
      ...keeping('filter', 'KSTREAM-FILTER-', named),
      supplier: (node) => filter(node, predicate, true),
    })
  }

  /** Keeps the records that the predicate does not hold for. */
  filterNot(predicate: (key: K, value: V) => boolean, named?: Named): KStream<K, V> {
    return this.attach({
      ...keeping('filterNot', 'KSTREAM-FILTER-', named),
      supplier: (node) => filter(node, predicate, false),
    })
  }

  /** New key and value. The key may be another: what groups behind it crosses to that key's lane. */
  map<KR, VR>(mapper: (key: K, value: V) => readonly [Sync<KR>, Sync<VR>], named?: Named): KStream<KR, VR> {
    return this.attach({
      operator: 'map',
      prefix: 'KSTREAM-MAP-',
      named,
      key: 'changed',
      value: 'changed',
      supplier: (node) => map(node, mapper),
    })
  }

  /** Any number of records of one, each with a key and value of its own. The keys may be others, as with `map`. */
  flatMap<KR, VR>(
    mapper: (key: K, value: V) => Iterable<readonly [Sync<KR>, Sync<VR>]>,
    named?: Named,
  ): KStream<KR, VR> {
    return this.attach({
      operator: 'flatMap',
      prefix: 'KSTREAM-FLATMAP-',
      named,
      key: 'changed',
      value: 'changed',
      supplier: (node) => flatMap(node, mapper),
    })
  }

  /** Any number of records of one, each with a value of its own; the key stays, and so does the lane. */
  flatMapValues<VR>(mapper: (value: V, key: K) => Iterable<Sync<VR>>, named?: Named): KStream<K, VR> {
    return this.attach({
      ...keeping('flatMapValues', 'KSTREAM-FLATMAPVALUES-', named),
      value: 'changed',
      supplier: (node) => flatMapValues(node, mapper),
    })
  }

  /** New value; the key stays, and so does the lane. */
  mapValues<VR>(mapper: (value: V, key: K) => Sync<VR>, named?: Named): KStream<K, VR> {
    return this.attach({
      ...keeping('mapValues', 'KSTREAM-MAPVALUES-', named),
      value: 'changed',
      supplier: (node) => mapValues(node, mapper),
    })
  }

  /** New key. What groups behind it crosses to that key's lane. */
  selectKey<KR>(mapper: (key: K, value: V) => Sync<KR>, named?: Named): KStream<KR, V> {
    return this.attach({
      ...keeping('selectKey', 'KSTREAM-KEY-SELECT-', named),
      key: 'changed',
      supplier: (node) => selectKey(node, mapper),
    })
  }

  /** Shows each record to a function and hands it on. */
  peek<R>(action: (key: K, value: V) => Sync<R>, named?: Named): KStream<K, V> {
    return this.attach({ ...keeping('peek', 'KSTREAM-PEEK-', named), supplier: (node) => peek(node, action, true) })
  }

  /** Shows each record to a function; nothing comes after. */
  foreach<R>(action: (key: K, value: V) => Sync<R>, named?: Named): void {
    this.attach({ ...keeping('foreach', 'KSTREAM-FOREACH-', named), supplier: (node) => peek(node, action, false) })
  }

  /** Writes a line a record; nothing comes after. */
  print(printed: Printed<K, V>): void {
    const { write, label = this.node, name, mapper = keyCommaValue } = printed.options
    const action = (key: K, value: V) => write(`[${label}]: ${mapper(key, value)}`)
    this.attach({
      ...keeping('print', 'KSTREAM-PRINTER-', name === undefined ? undefined : Named.as(name)),
      supplier: (node) => peek(node, action, false),
    })
  }

  /** The records of both streams, in no order between the two. */
  merge(other: KStream<K, V>, named?: Named): KStream<K, V> {
    const merged = this.attach<K, V>({
      ...keeping('merge', 'KSTREAM-MERGE-', named),
      parents: [...new Set([this.node, other.node])],
      supplier: passThrough,
    })
    return new KStream(this.plan, merged.node, this.rekeyed || other.rekeyed)
  }

  /** Sends each record into the first branch whose predicate holds. */
  split(named?: Named): BranchedKStream<K, V> {
    const name = this.plan.name('KSTREAM-BRANCH-', named?.name)
    return new BranchedKStream<K, V>(this.plan, name, this.node, this.rekeyed)
  }

  /** Runs a processor of your own, with the stores it names; its key may change unless it is declared `sameKey`. */
  process<KO, VO>(
    supplier: ProcessorSupplier<K, V, KO, VO> | (() => Processor<K, V, KO, VO>),
    ...namedAndStores: NamedAndStores
  ): KStream<KO, VO> {
    const full: ProcessorSupplier<K, V, KO, VO> = typeof supplier === 'function' ? { get: supplier } : supplier
    const node = this.attachUserCode('KSTREAM-PROCESSOR-', full, namedAndStores)
    return new KStream<KO, VO>(this.plan, node, this.rekeyed || full.sameKey !== true)
  }

  /**
   * Runs a processor of your own that keeps each record's key, and with it the lane: no boundary behind it, and the
   * key's serde goes on (B6). A `forward` with another key is refused.
   */
  processValues<VO>(
    supplier: FixedKeyProcessorSupplier<K, V, VO> | (() => FixedKeyProcessor<K, V, VO>),
    ...namedAndStores: NamedAndStores
  ): KStream<K, VO> {
    const node = this.attachUserCode('KSTREAM-PROCESSVALUES-', fixedKey(supplier), namedAndStores)
    return new KStream<K, VO>(this.plan, node, this.rekeyed)
  }

  /** Crosses to the lane of the key as it is now, whether an operator has changed it or not (B1). */
  repartition(
    repartitioned: Repartitioned<NonNullable<K>, NonNullable<V>> = Repartitioned.with<any, any>(undefined, undefined),
  ): KStream<NonNullable<K>, V> {
    const { keySerde, valueSerde, numberOfLanes, numberOfPartitions, partitioner, name } = repartitioned.options
    const base = name ?? this.plan.name('KSTREAM-REPARTITION-')
    const names = repartitionNames(this.plan, base)
    addRepartition(this.plan, this.node, names, {
      by: 'Repartitioned',
      declared: {
        ...(keySerde !== undefined && { key: keySerde }),
        ...(valueSerde !== undefined && { value: valueSerde }),
      },
      ...(numberOfLanes !== undefined && { numberOfLanes }),
      ...(numberOfPartitions !== undefined && { numberOfPartitions }),
      ...(partitioner !== undefined && { partitioner: partitioner as RepartitionDefinition['partitioner'] & {} }),
    })
    return new KStream<NonNullable<K>, V>(this.plan, names.source, false)
  }

  /** Groups by a new key: `selectKey` and `groupByKey` in one. A name given in `Grouped` is the key selector's too. */
  groupBy<KR>(
    selector: (key: K, value: V) => Sync<KR>,
    grouped: Grouped<NonNullable<KR>, NonNullable<V>> = Grouped.with<any, any>(undefined, undefined),
  ): KGroupedStream<NonNullable<KR>, V> {
    const { name } = grouped.options
    return this.selectKey(selector, name === undefined ? undefined : Named.as(name)).groupByKey(grouped)
  }

  /** Groups by the key as it is. Records cross to their key's lane first when the key was changed upstream. */
  groupByKey(
    grouped: Grouped<NonNullable<K>, NonNullable<V>> = Grouped.with<any, any>(undefined, undefined),
  ): KGroupedStream<NonNullable<K>, V> {
    return new KGroupedStream<NonNullable<K>, V>(this.plan, this.node, this.rekeyed, grouped)
  }

  /**
   * The stream's records as the rows of a table: the last one of each key, in the order in which they come. Behind a
   * changed key they cross to its lane first.
   */
  toTable(...args: AggregateArguments<NonNullable<K>, NonNullable<V>>): KTable<NonNullable<K>, V> {
    return streamToTable(this.plan, this, args)
  }

  /**
   * Each record meets those of the other stream with its key whose times are near enough (`JoinWindows`); one result for
   * each pair, with the greater time. A record without key or value is dropped and counted (G3). The function gets the
   * key last.
   */
  join<KO extends K | null, VO, VR>(
    other: KStream<KO, VO>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO>, key: NonNullable<K>) => Sync<VR>,
    windows: JoinWindows,
    joined?: StreamJoined<NonNullable<K>, NonNullable<V>, NonNullable<VO>>,
  ): KStream<NonNullable<K>, VR>
  /** Looks each record up in a table of the same keys, as it is now; of a versioned one, as of the record's time. */
  join<VT, VR>(
    table: KTable<NonNullable<K>, VT>,
    joiner: (left: NonNullable<V>, right: NonNullable<VT>, key: NonNullable<K>) => Sync<VR>,
    joined?: Joined<NonNullable<K>, NonNullable<V>, NonNullable<VT>>,
  ): KStream<NonNullable<K>, VR>
  /**
   * Looks each record up in a global table by a key of its own choice, whatever the record's key; both keys come last. A
   * record whose chosen key is null is dropped and counted.
   */
  join<KG, VG, VR>(
    table: GlobalKTable<KG, VG>,
    selector: (key: K, value: NonNullable<V>) => Sync<NoInfer<KG> | null | undefined>,
    joiner: (left: NonNullable<V>, right: NonNullable<VG>, key: K, tableKey: KG) => Sync<VR>,
    named?: Named,
  ): KStream<K, VR>
  join(other: AnyPartner, ...args: JoinArguments): KStream<any, any> {
    return this.joinWith('join', other, args)
  }

  /**
   * As `join`; a record that meets none comes out too, with null for the other side, once its window has closed. One
   * without a key meets none, so it comes out at once. (A record that is already older than its window, but within the
   * grace, comes out at once as well, and once more should a partner come: as in Kafka Streams.)
   */
  leftJoin<KO extends K | null, VO, VR>(
    other: KStream<KO, VO>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO> | null, key: K) => Sync<VR>,
    windows: JoinWindows,
    joined?: StreamJoined<NonNullable<K>, NonNullable<V>, NonNullable<VO>>,
  ): KStream<K, VR>
  /** As `join` with a table; a record that the table has nothing for comes out with null. */
  leftJoin<VT, VR>(
    table: KTable<NonNullable<K>, VT>,
    joiner: (left: NonNullable<V>, right: NonNullable<VT> | null, key: K) => Sync<VR>,
    joined?: Joined<NonNullable<K>, NonNullable<V>, NonNullable<VT>>,
  ): KStream<K, VR>
  /** As `join` with a global table; what it has nothing for, or has no key to look up, comes out with null. */
  leftJoin<KG, VG, VR>(
    table: GlobalKTable<KG, VG>,
    selector: (key: K, value: NonNullable<V>) => Sync<NoInfer<KG> | null | undefined>,
    joiner: (left: NonNullable<V>, right: NonNullable<VG> | null, key: K, tableKey: KG | null) => Sync<VR>,
    named?: Named,
  ): KStream<K, VR>
  leftJoin(other: AnyPartner, ...args: JoinArguments): KStream<any, any> {
    return this.joinWith('leftJoin', other, args)
  }

  /** As `leftJoin`, for both sides. */
  outerJoin<KO extends K | null, VO, VR>(
    other: KStream<KO, VO>,
    joiner: (left: NonNullable<V> | null, right: NonNullable<VO> | null, key: K | KO) => Sync<VR>,
    windows: JoinWindows,
    joined?: StreamJoined<NonNullable<K>, NonNullable<V>, NonNullable<VO>>,
  ): KStream<K | KO, VR> {
    return this.joinWith('outerJoin', other, [joiner, windows, joined])
  }

  /** Writes the stream to a topic, or to the topic that a function picks for each record. */
  to(
    topic: string | TopicNameExtractor<K, V>,
    produced: Produced<NonNullable<K>, NonNullable<V>> = Produced.with<any, any>(undefined, undefined),
  ): void {
    const name = this.plan.name('KSTREAM-SINK-', produced.name)
    this.plan.add((definition) => definition.addSink({ name, topic, produced, parents: [this.node] }))
  }

  /**
   * Writes to a topic and goes on with what is read from it: `to` and `StreamsBuilder.stream` in one, for a crossing that
   * others are to see, or that is to be kept. The topic is the user's: it has to be there before the run, and who else
   * writes to it is read here as well. What is read is what has committed (E1), in the order of its partitions, with lanes
   * and clocks of its own behind it. A re-keyed stream that nobody else is to see crosses in memory: see `repartition`.
   *
   * @param produced how it is written; a side left open is inherited from the stream, else the default
   * @param consumed how it is read; a side left open is read as it is written
   * @throws StreamError TOPOLOGY_INVALID at `build` for a topic's name that Kafka would refuse
   */
  through(
    topic: string,
    produced: Produced<NonNullable<K>, NonNullable<V>> = Produced.with<any, any>(undefined, undefined),
    consumed: Consumed<K, V> | Consumed<K | null, V | null> = Consumed.with<any, any>(undefined, undefined),
  ): KStream<K, V> {
    const sink = this.plan.name('KSTREAM-SINK-', produced.name)
    this.plan.add((definition) => definition.addSink({ name: sink, topic, produced, parents: [this.node] }))
    const source = this.plan.name('KSTREAM-SOURCE-', consumed.options.name)
    this.plan.source([topic], source, consumed, sink)
    return new KStream<K, V>(this.plan, source, false)
  }

  private joinWith(kind: JoinKind, other: AnyPartner, [first, second, third]: JoinArguments): KStream<any, any> {
    if (other instanceof KStream) {
      const windows = second as JoinWindows
      const joined = (third ?? StreamJoined.with(undefined, undefined, undefined)) as StreamJoined<any, any, any>
      const node = joinStreams(this.plan, { kind, left: this, right: other, windows, joined, joiner: first })
      return new KStream(this.plan, node, false)
    }
    const lookUp = kind as 'join' | 'leftJoin'
    if (other instanceof GlobalKTable) {
      const [selector, joiner, named] = [first, second as AnyFunction, third as Named | undefined]
      const request = { kind: lookUp, parent: this.node, table: other, selector, joiner, named }
      return new KStream(this.plan, joinGlobalTable(this.plan, request), this.rekeyed)
    }
    const joined = (second as Joined<any, any, any>) ?? Joined.with(undefined, undefined)
    const request = { kind: lookUp, stream: this, table: other.table, joined, joiner: first }
    return new KStream(this.plan, joinTable(this.plan, request), false)
  }

  private attachUserCode(
    prefix: string,
    supplier: ProcessorSupplier<any, any, any, any>,
    [first, ...rest]: NamedAndStores,
  ): string {
    const stores = (typeof first === 'string' ? [first, ...rest] : rest) as string[]
    // Kafka Streams uses up no number for a named one (C.1).
    const node = typeof first === 'object' ? first.name : this.plan.name(prefix)
    this.plan.add((definition) => {
      definition.addUserProcessor(node, supplier, [this.node])
      for (const store of stores) definition.connect(node, store)
    })
    return node
  }

  private attach<KO, VO>(operation: Operation): KStream<KO, VO> {
    const name = this.plan.name(operation.prefix, operation.named?.name)
    const facts: OperatorFacts = { operator: operation.operator }
    const supplier = operation.supplier(name)
    const parents = operation.parents ?? [this.node]
    const effects = { keyEffect: { kind: operation.key }, valueEffect: operation.value }
    this.plan.add((definition) =>
      definition.addProcessor({ name, parents, supplier, userCode: false, ...effects, facts }),
    )
    return new KStream<KO, VO>(this.plan, name, this.rekeyed || operation.key === 'changed')
  }
}

function keeping(operator: string, prefix: string, named: Named | undefined) {
  return { operator, prefix, named, key: 'same', value: 'same' } as const
}
