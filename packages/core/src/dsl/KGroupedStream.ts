import type { DslPlan } from './DslPlan.js'
import type { Grouped } from './Grouped.js'
import { Grouping } from './Grouping.js'
import { TimeWindowedKStream } from './TimeWindowedKStream.js'
import type { TimeWindows } from './TimeWindows.js'

/** A stream grouped by its key, ready to be aggregated. */
export class KGroupedStream<K, V> {
  private readonly grouping: Grouping

  /** @internal use `KStream.groupByKey` */
  constructor(
    private readonly plan: DslPlan,
    node: string,
    rekeyed: boolean,
    grouped: Grouped<K, NonNullable<V>>,
  ) {
    this.grouping = new Grouping(plan, node, rekeyed, grouped.options)
  }

  /** Aggregates per key and window. */
  windowedBy(windows: TimeWindows): TimeWindowedKStream<K, V> {
    return new TimeWindowedKStream<K, V>(this.plan, this.grouping, windows)
  }
}
