import type { Windowed } from '../model/Windowed.js'
import { topologyError } from '../topology/topologyError.js'
import { type AggregateArguments, aggregateArguments, countedAs } from './aggregateArguments.js'
import type { EmitStrategy } from './EmitStrategy.js'
import type { KTable } from './KTable.js'
import { SlidingWindows } from './SlidingWindows.js'
import type { Sync } from './sync.js'
import { UnlimitedWindows } from './UnlimitedWindows.js'
import { addWindowedAggregate, burnStoreNumber, type WindowedGrouping } from './windows/addWindowedAggregate.js'
import { aggregating, counting, reducing } from './windows/operations.js'

/**
 * A grouped stream cut into time windows, or sliding ones. A record with a null key is dropped and counted (G3), and so
 * is its part in each window that has closed by then. A result bears the greatest timestamp of its records.
 */
export class TimeWindowedKStream<K, V> {
  /** @internal use `KGroupedStream.windowedBy` */
  constructor(
    private readonly windowed: WindowedGrouping,
    private readonly windows: object,
  ) {}

  /**
   * When results are sent on.
   *
   * @throws StreamError TOPOLOGY_INVALID for `onWindowClose` on a window that never closes
   */
  emitStrategy(strategy: EmitStrategy): TimeWindowedKStream<K, V> {
    const onClose = strategy.type === 'on-window-close'
    if (onClose && this.windows instanceof UnlimitedWindows) {
      throw topologyError(
        'ON_WINDOW_CLOSE emit strategy cannot be used for UnlimitedWindows: they never close. Use onWindowUpdate.',
      )
    }
    return new TimeWindowedKStream<K, V>({ ...this.windowed, onClose }, this.windows)
  }

  /** How many records each key has had in each window; null values count, except in sliding windows, which drop them. */
  count(...args: AggregateArguments<K, number>): KTable<Windowed<K>, number> {
    const { named, materialized } = aggregateArguments(args)
    // Sliding windows take no number in vain (C.1).
    if (!(this.windows instanceof SlidingWindows)) burnStoreNumber(this.windowed.plan, materialized)
    return addWindowedAggregate(this.windowed, counting, [named, countedAs(materialized)])
  }

  /** Combines the values of each key and window, two at a time; the first stands for itself. A result of null deletes. */
  reduce<R extends V | null>(
    reducer: (aggregate: NonNullable<V>, value: V) => R,
    ...args: AggregateArguments<K, NonNullable<V>>
  ): KTable<Windowed<K>, V | R> {
    return addWindowedAggregate(this.windowed, reducing(reducer), args)
  }

  /** Adds each record to the aggregate of its key and window, which starts as the initializer says. Null deletes. */
  aggregate<A>(
    initializer: () => Sync<A>,
    aggregator: (key: K, value: V, aggregate: A) => Sync<A>,
    ...args: AggregateArguments<K, NonNullable<A>>
  ): KTable<Windowed<K>, A> {
    return addWindowedAggregate(this.windowed, aggregating(initializer, aggregator), args)
  }
}
