import type { Windowed } from '../model/Windowed.js'
import { type AggregateArguments, aggregateArguments, countedAs } from './aggregateArguments.js'
import type { EmitStrategy } from './EmitStrategy.js'
import type { KTable } from './KTable.js'
import type { Sync } from './sync.js'
import { addWindowedAggregate, burnStoreNumber, type WindowedGrouping } from './windows/addWindowedAggregate.js'
import { aggregating, counting, reducing } from './windows/operations.js'

/**
 * A grouped stream cut into sessions. A record that joins sessions deletes each of them, with a null value, before it
 * sends the one that they have become. A record with a null key is dropped and counted (G3), and so is one whose session
 * has closed by then. The time of a result is its session's end.
 */
export class SessionWindowedKStream<K, V> {
  /** @internal use `KGroupedStream.windowedBy` */
  constructor(private readonly windowed: WindowedGrouping) {}

  /** When results are sent on. */
  emitStrategy(strategy: EmitStrategy): SessionWindowedKStream<K, V> {
    return new SessionWindowedKStream<K, V>({ ...this.windowed, onClose: strategy.type === 'on-window-close' })
  }

  /** How many records each session has had, null values included. */
  count(...args: AggregateArguments<K, number>): KTable<Windowed<K>, number> {
    const { named, materialized } = aggregateArguments(args)
    burnStoreNumber(this.windowed.plan, materialized)
    return addWindowedAggregate(this.windowed, counting, [named, countedAs(materialized)])
  }

  /** Combines the values of each session, two at a time, as it does the results of two that have become one. */
  reduce<R extends V | null>(
    reducer: (aggregate: NonNullable<V>, value: V) => R,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<Windowed<K>, V | R> {
    return addWindowedAggregate(this.windowed, reducing(reducer), args)
  }

  /**
   * Adds each record to the aggregate of its session. A record starts with what the initializer gives, merged with each
   * session that it joins, the earliest first.
   *
   * @param merger what two aggregates of one key come to
   */
  aggregate<A>(
    initializer: () => Sync<A>,
    aggregator: (key: K, value: V, aggregate: A) => Sync<A>,
    merger: (key: K, one: A, other: A) => Sync<A>,
    ...args: AggregateArguments<K, NonNullable<A>>
  ): KTable<Windowed<K>, A> {
    return addWindowedAggregate(this.windowed, aggregating(initializer, aggregator, merger), args)
  }
}
