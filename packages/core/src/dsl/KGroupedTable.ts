import { Consumed } from '../topology/Consumed.js'
import type { DeclaredSerdes } from '../topology/NodeDefinition.js'
import { Produced } from '../topology/Produced.js'
import { type AggregateArguments, aggregateArguments, countedAs } from './aggregateArguments.js'
import type { DslPlan, PlannedStep } from './DslPlan.js'
import type { Grouped } from './Grouped.js'
import { KTable } from './KTable.js'
import type { Materialized } from './Materialized.js'
import { type GroupAggregation, tableAggregate } from './operators/tableAggregate.js'
import { type Sync, settled } from './sync.js'
import { AggregateTable } from './TableNode.js'
import { tableStore } from './TableStore.js'

interface Aggregation {
  readonly operator: 'tableCount' | 'tableReduce' | 'tableAggregate'
  readonly prefix: 'KTABLE-AGGREGATE-' | 'KTABLE-REDUCE-'
  /** Whether results are of the rows' own type, and so written by their serde. */
  readonly value: 'same' | 'changed'
  of(node: string): GroupAggregation<any, any, any>
}

/** The boundary of one grouping, once it is written. */
interface Crossing {
  readonly step: PlannedStep
  readonly source: string
}

/**
 * A table whose rows are grouped by a key of their own. A row that changes is taken out of its group and put into the
 * one it belongs to then; the adder and the subtractor say what that means.
 */
export class KGroupedTable<K, V> {
  private shared: Crossing | undefined

  /** @internal use `KTable.groupBy` */
  constructor(
    private readonly plan: DslPlan,
    /** The node that sends rows to their groups. */
    private readonly node: string,
    private readonly grouped: Grouped<K, NonNullable<V>>,
  ) {}

  /** How many rows each group has. A group that has lost its last one has 0, which is no deletion (`kafka-streams.md` G-100). */
  count(...args: AggregateArguments<K, number>): KTable<K, number> {
    const { named, materialized } = aggregateArguments(args)
    const counted = countedAs(materialized)
    const aggregation: Aggregation = {
      operator: 'tableCount',
      prefix: 'KTABLE-AGGREGATE-',
      value: 'changed',
      of: () => ({
        add: (_key, _value, old: number | null) => (old ?? 0) + 1,
        subtract: (_key, _value, old: number) => old - 1,
      }),
    }
    return this.aggregateWith(aggregation, named?.name, counted)
  }

  /**
   * Combines the rows of each group, two at a time; the first stands for itself. `subtractor` takes a row out again. A
   * result of null deletes the group.
   */
  reduce<R extends NonNullable<V> | null>(
    adder: (aggregate: NonNullable<V>, value: NonNullable<V>) => R,
    subtractor: (aggregate: NonNullable<V>, value: NonNullable<V>) => R,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<K, NonNullable<V> | Extract<R, null>> {
    const { named, materialized } = aggregateArguments(args)
    const aggregation: Aggregation = {
      operator: 'tableReduce',
      prefix: 'KTABLE-REDUCE-',
      value: 'same',
      of: (node) => ({
        add: (_key, value, old) => (old === null ? value : settled(node, adder(old, value))),
        subtract: (_key, value, old) => settled(node, subtractor(old, value)),
      }),
    }
    return this.aggregateWith(aggregation, named?.name, materialized)
  }

  /** Adds each row to its group's aggregate, which starts as the initializer says, and takes it out again. Null deletes. */
  aggregate<A>(
    initializer: () => Sync<A>,
    adder: (key: K, value: NonNullable<V>, aggregate: A) => Sync<A>,
    subtractor: (key: K, value: NonNullable<V>, aggregate: A) => Sync<A>,
    ...args: AggregateArguments<K, NonNullable<A>>
  ): KTable<K, A> {
    const { named, materialized } = aggregateArguments(args)
    const aggregation: Aggregation = {
      operator: 'tableAggregate',
      prefix: 'KTABLE-AGGREGATE-',
      value: 'changed',
      of: (node) => ({
        add: (key, value, old) => settled(node, adder(key, value, old === null ? settled(node, initializer()) : old)),
        subtract: (key, value, old) => settled(node, subtractor(key, value, old)),
      }),
    }
    return this.aggregateWith(aggregation, named?.name, materialized)
  }

  private aggregateWith(
    { operator, prefix, value, of }: Aggregation,
    given: string | undefined,
    materialized: Materialized<K, any> | undefined,
  ): KTable<K, any> {
    const { storeName, keySerde, valueSerde } = materialized?.options ?? {}
    const storeAs = storeName ?? this.plan.name('KTABLE-AGGREGATE-STATE-STORE-')
    const sink = this.plan.name('KSTREAM-SINK-', given && `${given}-sink`)
    const source = this.plan.name('KSTREAM-SOURCE-', given && `${given}-source`)
    const name = this.plan.name(prefix, given)
    const parent = this.cross(`${this.grouped.options.name ?? storeAs}-repartition`, sink, source)
    const store = tableStore<K, any>(storeAs, materialized?.options ?? {}, this.plan.config)
    const table = new AggregateTable<K, any>(store)
    const aggregation = of(name)
    this.plan.add((writer) =>
      writer.addProcessor({
        name,
        parents: [parent],
        supplier: tableAggregate(store, aggregation, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: value,
        materialized: keySerde === undefined ? {} : { key: keySerde },
        aggregateStore: storeAs,
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: { operator },
      }),
    )
    return new KTable<K, any>(this.plan, name, table)
  }

  /** The boundary in front of an aggregation: one for each, except that those of one named grouping share it (C.2). */
  private cross(topic: string, sink: string, source: string): string {
    if (this.shared !== undefined) {
      this.plan.again(this.shared.step)
      return this.shared.source
    }
    const { numberOfLanes } = this.grouped.options
    const repartition = {
      from: this.node,
      by: 'Grouped' as const,
      topic,
      declared: this.declared(),
      ...(numberOfLanes !== undefined && { numberOfLanes }),
    }
    const step = this.plan.add((writer) => {
      const undeclared = Produced.with<any, any>(undefined, undefined)
      writer.addSink({ name: sink, topic, produced: undeclared, parents: [this.node], repartition: true })
      const consumed = Consumed.with<any, any>(undefined, undefined)
      writer.addSource({ name: source, topics: [topic], consumed, repartition })
    })
    if (this.grouped.options.name !== undefined) this.shared = { step, source }
    return source
  }

  private declared(): DeclaredSerdes {
    const { keySerde, valueSerde } = this.grouped.options
    return { ...(keySerde !== undefined && { key: keySerde }), ...(valueSerde !== undefined && { value: valueSerde }) }
  }
}
