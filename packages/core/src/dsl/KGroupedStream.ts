import { type AggregateArguments, aggregateArguments, countedAs } from './aggregateArguments.js'
import { CogroupedKStream } from './CogroupedKStream.js'
import type { DslPlan } from './DslPlan.js'
import type { Grouped } from './Grouped.js'
import { Grouping } from './Grouping.js'
import { KTable } from './KTable.js'
import { Materialized } from './Materialized.js'
import { type KeyedAggregation, keyedAggregate } from './operators/keyedAggregate.js'
import { SessionWindowedKStream } from './SessionWindowedKStream.js'
import { SessionWindows } from './SessionWindows.js'
import type { SlidingWindows } from './SlidingWindows.js'
import { type Sync, settled } from './sync.js'
import { AggregateTable } from './TableNode.js'
import { tableStore } from './TableStore.js'
import { TimeWindowedKStream } from './TimeWindowedKStream.js'
import type { Windows } from './Windows.js'
import { windowKindOf } from './windows/windowKindOf.js'

interface Aggregation {
  readonly operator: 'count' | 'reduce' | 'aggregate'
  readonly prefix: 'KSTREAM-AGGREGATE-' | 'KSTREAM-REDUCE-'
  /** Whether results are of the records' own type, and so written by the stream's serde. */
  readonly value: 'same' | 'changed'
  of(node: string): KeyedAggregation<any, any, any>
}

/**
 * A stream grouped by its key, ready to be aggregated. A record with a null key or a null value is dropped and counted
 * (G3); a result bears the greatest timestamp of its records, so one out of order re-emits with the newer (A.7).
 */
export class KGroupedStream<K, V> {
  /** @internal where its records come from */
  readonly grouping: Grouping

  /** @internal use `KStream.groupByKey` or `groupBy` */
  constructor(
    private readonly plan: DslPlan,
    node: string,
    rekeyed: boolean,
    grouped: Grouped<K, NonNullable<V>>,
  ) {
    this.grouping = new Grouping(plan, node, rekeyed, grouped.options)
  }

  /** How many records each key has had. */
  count(...args: AggregateArguments<K, number>): KTable<K, number> {
    const { named, materialized = Materialized.with<K, number>(undefined, undefined) } = aggregateArguments(args)
    // Kafka Streams takes a number in vain here; names behind it depend on it (C.1).
    if (args.some((arg) => arg instanceof Materialized) && materialized.options.storeName === undefined) {
      this.plan.name('KSTREAM-AGGREGATE-STATE-STORE-')
    }
    const counted = countedAs(materialized)
    const aggregation: Aggregation = {
      operator: 'count',
      prefix: 'KSTREAM-AGGREGATE-',
      value: 'changed',
      of: () => ({ initial: () => 0, add: (_key, _value, count: number) => count + 1 }),
    }
    return this.aggregateWith(aggregation, named?.name, counted)
  }

  /** Combines the values of each key, two at a time; the first stands for itself. A result of null deletes. */
  reduce<R extends NonNullable<V> | null>(
    reducer: (aggregate: NonNullable<V>, value: NonNullable<V>) => R,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<K, NonNullable<V> | Extract<R, null>> {
    const { named, materialized } = aggregateArguments(args)
    const aggregation: Aggregation = {
      operator: 'reduce',
      prefix: 'KSTREAM-REDUCE-',
      value: 'same',
      of: (node) => ({
        initial: () => null,
        add: (_key, value, old) => (old === null ? value : settled(node, reducer(old, value))),
      }),
    }
    return this.aggregateWith(aggregation, named?.name, materialized)
  }

  /** Adds each record to its key's aggregate, which starts as the initializer says. A result of null deletes. */
  aggregate<A>(
    initializer: () => Sync<A>,
    aggregator: (key: K, value: NonNullable<V>, aggregate: A) => Sync<A>,
    ...args: AggregateArguments<K, NonNullable<A>>
  ): KTable<K, A> {
    const { named, materialized } = aggregateArguments(args)
    const aggregation: Aggregation = {
      operator: 'aggregate',
      prefix: 'KSTREAM-AGGREGATE-',
      value: 'changed',
      of: (node) => ({
        initial: () => settled(node, initializer()),
        add: (key, value, old) => settled(node, aggregator(key, value, old)),
      }),
    }
    return this.aggregateWith(aggregation, named?.name, materialized)
  }

  /** Aggregates it together with other streams: see `CogroupedKStream`. */
  cogroup<A>(aggregator: (key: K, value: NonNullable<V>, aggregate: A) => Sync<A>): CogroupedKStream<K, A> {
    return new CogroupedKStream<K, A>(this.plan, {
      streams: new Map([[this.grouping, aggregator]]),
      crossed: new Map(),
    })
  }

  /** Aggregates per key and session. */
  windowedBy(windows: SessionWindows): SessionWindowedKStream<K, V>
  /** Aggregates per key and window. */
  windowedBy(windows: Windows | SlidingWindows): TimeWindowedKStream<K, V>
  windowedBy(
    windows: Windows | SlidingWindows | SessionWindows,
  ): TimeWindowedKStream<K, V> | SessionWindowedKStream<K, V> {
    const { plan, grouping } = this
    const windowed = { plan, grouping, kind: windowKindOf(windows), onClose: false }
    if (windows instanceof SessionWindows) return new SessionWindowedKStream<K, V>(windowed)
    return new TimeWindowedKStream<K, V>(windowed, windows)
  }

  private aggregateWith(
    aggregation: Aggregation,
    given: string | undefined,
    materialized: Materialized<K, any> | undefined,
  ): KTable<K, any> {
    const { operator, prefix, value } = aggregation
    const { storeName, keySerde, valueSerde } = materialized?.options ?? {}
    const storeAs = storeName ?? this.plan.name(`${prefix}STATE-STORE-`)
    const name = this.plan.name(prefix, given)
    const { parent, ...input } = this.grouping.attach(storeAs)
    const store = tableStore<K, any>(storeAs, materialized?.options ?? {}, this.plan.config)
    const table = new AggregateTable(store)
    const records = aggregation.of(name)
    this.plan.add((definition) =>
      definition.addProcessor({
        name,
        parents: [parent],
        supplier: keyedAggregate(store, records, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: value,
        ...input,
        materialized: keySerde === undefined ? {} : { key: keySerde },
        aggregateStore: storeAs,
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: { operator },
      }),
    )
    return new KTable(this.plan, name, table)
  }
}
