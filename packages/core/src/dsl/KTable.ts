import type { KeyEffect, ProcessorDefinition } from '../topology/NodeDefinition.js'
import { type AggregateArguments, aggregateArguments } from './aggregateArguments.js'
import type { DslPlan } from './DslPlan.js'
import { Grouped } from './Grouped.js'
import { KGroupedTable } from './KGroupedTable.js'
import { KStream } from './KStream.js'
import { Materialized } from './Materialized.js'
import { Named } from './Named.js'
import { filteredView, tableFilter } from './operators/tableFilter.js'
import { tableGroupBy } from './operators/tableGroupBy.js'
import { mappedView, tableMapValues } from './operators/tableMapValues.js'
import { tableToStream } from './operators/tableToStream.js'
import { tableTransformValues, transformedView } from './operators/tableTransformValues.js'
import type { Suppressed } from './Suppressed.js'
import type { Sync } from './sync.js'
import { TableJoined } from './TableJoined.js'
import type { TableNode } from './TableNode.js'
import { type TableStore, tableStore } from './TableStore.js'
import type { TableView } from './TableView.js'
import { DerivedTable } from './tables/DerivedTable.js'
import { joinByForeignKey } from './tables/joinByForeignKey.js'
import { type JoinKind, joinTables } from './tables/joinTables.js'
import { suppressTable } from './tables/suppressTable.js'
import type { ValueTransformer, ValueTransformerSupplier } from './ValueTransformer.js'

interface Derivation<K, V, VR> {
  readonly operator: string
  readonly prefix: string
  readonly value: ProcessorDefinition['valueEffect']
  derive(node: string, parent: TableView<K, NonNullable<V>>): TableView<K, NonNullable<VR>>
  supplier(
    node: string,
    store: TableStore<any, any> | undefined,
    sendsOldValues: boolean,
  ): ProcessorDefinition['supplier']
  /** Names of stores that its node uses. */
  readonly stores?: readonly string[]
}

/** What may follow the functions of a foreign-key join: a name, what it is kept in, both in this order, or neither. */
type ForeignKeyArguments<K, R> =
  | readonly []
  | readonly [TableJoined | Materialized<K, R> | undefined]
  | readonly [TableJoined | undefined, Materialized<K, R> | undefined]

const sameKey: KeyEffect = { kind: 'same' }

/**
 * The newest value per key. `V` includes null where rows may be deleted: then the table's stream has nulls, while
 * functions on its rows get values only.
 */
export class KTable<K, V> {
  /** @internal made by sources, aggregations and operators on tables */
  constructor(
    private readonly plan: DslPlan,
    /** The node whose output this is. */
    readonly node: string,
    /** @internal what is behind it, for operators downstream */
    readonly table: TableNode<K, NonNullable<V>>,
  ) {}

  /**
   * Keeps the rows that the predicate holds for. A row that does not is a deletion: where neither this nor the table
   * before it has a store, also of a row that never was there (`kafka-streams.md` G-98).
   */
  filter(
    predicate: (key: K, value: NonNullable<V>) => boolean,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<K, V | null> {
    return this.filtered('tableFilter', predicate, true, args)
  }

  /** Keeps the rows that the predicate does not hold for, else as `filter`. */
  filterNot(
    predicate: (key: K, value: NonNullable<V>) => boolean,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<K, V | null> {
    return this.filtered('tableFilterNot', predicate, false, args)
  }

  /** A new value for each row; null deletes it. */
  mapValues<VR>(
    mapper: (value: NonNullable<V>, key: K) => Sync<VR>,
    ...args: AggregateArguments<K, NonNullable<VR>>
  ): KTable<K, VR | Extract<V, null>> {
    return this.derived<any>(
      {
        operator: 'tableMapValues',
        prefix: 'KTABLE-MAPVALUES-',
        value: 'changed',
        supplier: (node, store, sendsOldValues) => tableMapValues(node, mapper, store, sendsOldValues),
        derive: (node, parent) => mappedView(node, mapper, parent),
      },
      args,
    )
  }

  /**
   * A new value for each row by a transformer, which may keep state, sees deletions too and may turn them into values.
   *
   * @param named a name for the node, what the result is kept in, and names of stores that were added before
   */
  transformValues<VR>(
    transformers: ValueTransformerSupplier<K, NonNullable<V>, VR> | (() => ValueTransformer<K, NonNullable<V>, VR>),
    ...named: readonly (Named | Materialized<K, NonNullable<VR>> | string)[]
  ): KTable<K, VR> {
    const full = typeof transformers === 'function' ? { get: transformers } : transformers
    return this.derived<any>(
      {
        operator: 'tableTransformValues',
        prefix: 'KTABLE-TRANSFORMVALUES-',
        value: 'changed',
        supplier: (node, store, sendsOldValues) => tableTransformValues(node, full, store, sendsOldValues),
        derive: (node, parent) => transformedView(node, full, parent),
        stores: named.filter((part) => typeof part === 'string'),
      },
      [named.find((part) => part instanceof Named), named.find((part) => part instanceof Materialized)],
    )
  }

  /**
   * The table's updates as a stream, one with a null value for each deletion; a mapper gives them new keys.
   *
   * @param named names the node of the table's updates, not that of the new keys
   */
  toStream<KR>(mapper: (key: K, value: V) => Sync<KR>, named?: Named): KStream<KR, V>
  toStream(named?: Named): KStream<K, V>
  toStream<KR>(first?: Named | ((key: K, value: V) => Sync<KR>), second?: Named): KStream<K, V> | KStream<KR, V> {
    if (first === undefined || first instanceof Named) return this.updates(first)
    return this.updates(second).selectKey(first)
  }

  /**
   * Holds updates back: until the window of their key closes, so that each comes out once, or for a time.
   *
   * @throws StreamError TOPOLOGY_INVALID for a table with a history, or final results of one without windows
   */
  suppress(suppressed: Suppressed<K>): KTable<K, V> {
    const { node, table } = suppressTable(this.plan, this, suppressed)
    return new KTable<K, V>(this.plan, node, table)
  }

  /**
   * Groups the rows by a key of their own, to be aggregated there. They cross to the lane of that key. A name given in
   * `Grouped` is that of the node and of the boundary.
   */
  groupBy<KR, VR>(
    selector: (key: K, value: NonNullable<V>) => readonly [KR, VR],
    grouped: Grouped<NonNullable<KR>, NonNullable<VR>> = Grouped.with<any, any>(undefined, undefined),
  ): KGroupedTable<NonNullable<KR>, VR> {
    const name = this.plan.name('KTABLE-SELECT-', grouped.options.name)
    // What a row was is what must be taken out of its old group.
    this.table.requestOldValues(true)
    const { table } = this
    this.plan.add((writer) =>
      writer.addProcessor({
        name,
        parents: [this.node],
        supplier: tableGroupBy(name, selector, table.versioned),
        userCode: false,
        keyEffect: { kind: 'changed' },
        valueEffect: 'changed',
        facts: { operator: 'tableGroupBy' },
      }),
    )
    return new KGroupedTable<NonNullable<KR>, VR>(this.plan, name, grouped as Grouped<any, any>)
  }

  /** The rows whose key both tables have. */
  join<VO, R>(
    other: KTable<K, VO>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO>, key: K) => Sync<R>,
    ...args: AggregateArguments<K, NonNullable<R>>
  ): KTable<K, R | Extract<V | VO, null>>
  /**
   * The rows whose foreign key the other table has. The extractor finds that key in a row, null where it has none. Rows
   * cross to the lane of their foreign key and back (`kafka-streams.md` C.5); the result has the key of the row.
   */
  join<KO, VO, R>(
    other: KTable<KO, VO>,
    foreignKey: (value: NonNullable<V>, key: K) => Sync<KO | null>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO>, key: K) => Sync<R>,
    ...args: ForeignKeyArguments<K, NonNullable<R>>
  ): KTable<K, R | null>
  join(other: KTable<any, any>, ...args: any[]): KTable<K, any> {
    return this.joinedBy('join', other, args)
  }

  /** The rows of this table, with those of the other that have their key, or null. */
  leftJoin<VO, R>(
    other: KTable<K, VO>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO> | null, key: K) => Sync<R>,
    ...args: AggregateArguments<K, NonNullable<R>>
  ): KTable<K, R | Extract<V, null>>
  /** As `join` by a foreign key; a row comes out too where it has none, or the other table has nothing for it. */
  leftJoin<KO, VO, R>(
    other: KTable<KO, VO>,
    foreignKey: (value: NonNullable<V>, key: K) => Sync<KO | null>,
    joiner: (left: NonNullable<V>, right: NonNullable<VO> | null, key: K) => Sync<R>,
    ...args: ForeignKeyArguments<K, NonNullable<R>>
  ): KTable<K, R | Extract<V, null>>
  leftJoin(other: KTable<any, any>, ...args: any[]): KTable<K, any> {
    return this.joinedBy('leftJoin', other, args)
  }

  /** The rows that either table has; the one that has none gives null. */
  outerJoin<VO, R>(
    other: KTable<K, VO>,
    joiner: (left: NonNullable<V> | null, right: NonNullable<VO> | null, key: K) => Sync<R>,
    ...args: AggregateArguments<K, NonNullable<R>>
  ): KTable<K, R | Extract<V, null> | Extract<VO, null>> {
    return this.joined('outerJoin', other, joiner, args)
  }

  /** By key when one function is given, by a foreign key when two are. Their overloads have checked the arguments. */
  private joinedBy(kind: 'join' | 'leftJoin', other: KTable<any, any>, args: readonly any[]): KTable<K, any> {
    const [first, second, third, fourth] = args
    if (typeof second !== 'function') return this.joined(kind, other, first, [second, third])
    const { node, table } = joinByForeignKey(this.plan, {
      left: this,
      right: other,
      extractor: first,
      joiner: second,
      isLeftJoin: kind === 'leftJoin',
      name: third instanceof TableJoined ? third.name : undefined,
      materialized: third instanceof Materialized ? third : fourth,
    })
    return new KTable<K, any>(this.plan, node, table)
  }

  private joined(
    kind: JoinKind,
    other: KTable<K, any>,
    joiner: (left: any, right: any, key: K) => unknown,
    args: AggregateArguments<K, any>,
  ): KTable<K, any> {
    const { named, materialized } = aggregateArguments(args)
    const { node, table } = joinTables(this.plan, kind, this, other, joiner, named, materialized)
    return new KTable<K, any>(this.plan, node, table)
  }

  private filtered(
    operator: 'tableFilter' | 'tableFilterNot',
    predicate: (key: K, value: NonNullable<V>) => boolean,
    wanted: boolean,
    args: AggregateArguments<K, NonNullable<V>>,
  ): KTable<K, V | null> {
    // With old values a filter knows whether a row that falls out was in; without, it must not cost the table a store.
    const { table } = this
    const knowsOldValues = table.requestOldValues(false)
    return this.derived<any>(
      {
        operator,
        prefix: 'KTABLE-FILTER-',
        value: 'same',
        supplier: (node, store, sendsOldValues) =>
          tableFilter({ node, predicate, wanted, versioned: table.versioned }, store, knowsOldValues || sendsOldValues),
        derive: (node, parent) => filteredView({ node, predicate, wanted }, parent),
      },
      args,
    )
  }

  private derived<VR>(derivation: Derivation<K, V, VR>, args: AggregateArguments<K, any>): KTable<K, VR> {
    const { named, materialized } = aggregateArguments(args)
    const { storeName, keySerde, valueSerde } = materialized?.options ?? {}
    // Kafka Streams takes a number for a store that it never makes, save for transformed values (C.1).
    if (materialized !== undefined && storeName === undefined && derivation.stores === undefined) {
      this.plan.name(`${derivation.prefix}STATE-STORE-`)
    }
    const name = this.plan.name(derivation.prefix, named?.name)
    const store =
      storeName === undefined ? undefined : tableStore<K, any>(storeName, materialized?.options ?? {}, this.plan.config)
    const derive = (parent: TableView<K, NonNullable<V>>) => derivation.derive(name, parent)
    const table = new DerivedTable(this.table, store, derive, materialized !== undefined)
    this.plan.add((writer) => {
      writer.addProcessor({
        name,
        parents: [this.node],
        supplier: derivation.supplier(name, store, table.sendsOldValues),
        userCode: false,
        keyEffect: sameKey,
        valueEffect: derivation.value,
        materialized: keySerde === undefined ? {} : { key: keySerde },
        ...(storeName !== undefined && { aggregateStore: storeName, storeSerdes: 'materialized' as const }),
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: { operator: derivation.operator },
      })
      for (const used of derivation.stores ?? []) writer.connect(name, used)
    })
    return new KTable<K, VR>(this.plan, name, table as TableNode<K, NonNullable<VR>>)
  }

  private updates(named: Named | undefined): KStream<K, V> {
    const name = this.plan.name('KTABLE-TOSTREAM-', named?.name)
    this.plan.add((writer) =>
      writer.addProcessor({
        name,
        parents: [this.node],
        supplier: tableToStream(),
        userCode: false,
        keyEffect: sameKey,
        valueEffect: 'same',
        facts: { operator: 'toStream' },
      }),
    )
    return new KStream<K, V>(this.plan, name, false)
  }
}
