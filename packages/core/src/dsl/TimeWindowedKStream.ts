import type { Windowed } from '../model/Windowed.js'
import { long } from '../serde/long.js'
import type { Serde } from '../serde/Serde.js'
import { windowed } from '../serde/windowed.js'
import { Stores } from '../state/builders/Stores.js'
import { topologyError } from '../topology/topologyError.js'
import { type AggregateArguments, aggregateArguments } from './aggregateArguments.js'
import type { DslPlan } from './DslPlan.js'
import type { Grouping } from './Grouping.js'
import { KTable } from './KTable.js'
import type { Materialized } from './Materialized.js'
import type { Named } from './Named.js'
import { windowedCount } from './operators/windowedCount.js'
import { AggregateTable } from './TableNode.js'
import type { TimeWindows } from './TimeWindows.js'
import { type ValueAndTimestamp, valueAndTimestamp } from './valueAndTimestamp.js'
import { windowTableView } from './windowTableView.js'

const prefix = 'KSTREAM-AGGREGATE-'
const storePrefix = 'KSTREAM-AGGREGATE-STATE-STORE-'

/** A grouped stream cut into time windows. */
export class TimeWindowedKStream<K, _V> {
  /** @internal use `KGroupedStream.windowedBy` */
  constructor(
    private readonly plan: DslPlan,
    private readonly grouping: Grouping,
    private readonly windows: TimeWindows,
  ) {}

  /**
   * Counts records per key and window, null values included; a record with a null key is dropped and counted (G3),
   * and so is one for a window that ended, grace included, at or before the clock. The count of an update bears the
   * greatest timestamp of its records.
   */
  count(...args: AggregateArguments<K, number>): KTable<Windowed<K>, number> {
    const { named, materialized } = aggregateArguments(args)
    // Kafka Streams takes a number in vain here; names behind it depend on it (C.1).
    if (materialized !== undefined && materialized.options.storeName === undefined) this.plan.name(storePrefix)
    return this.aggregate(named, materialized?.options ?? {})
  }

  private aggregate(
    named: Named | undefined,
    options: Materialized<K, number>['options'],
  ): KTable<Windowed<K>, number> {
    const { keySerde, valueSerde = long } = options
    const storeName = options.storeName ?? this.plan.name(storePrefix)
    const store = this.buildStore(storeName, valueSerde, options.retentionMs)
    const name = this.plan.name(prefix, named?.name)
    const { parent, ...input } = this.grouping.attach(storeName)
    const { sizeMs, advanceMs, graceMs } = this.windows
    const table = new AggregateTable(windowTableView(store))
    this.plan.add((definition) =>
      definition.addProcessor({
        name,
        parents: [parent],
        supplier: windowedCount<K>(this.windows, store, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'windowed', wrap: (inner) => windowed(inner, sizeMs) },
        valueEffect: 'changed',
        ...input,
        materialized: keySerde === undefined ? {} : { key: keySerde },
        aggregateStore: storeName,
        output: { value: valueSerde },
        facts: { operator: 'windowed-count', window: { sizeMs, advanceMs, graceMs } },
      }),
    )
    return new KTable<Windowed<K>, number>(this.plan, name, table)
  }

  private buildStore(name: string, valueSerde: Serde<number>, asked: number | undefined) {
    const { sizeMs, graceMs } = this.windows
    const least = sizeMs + graceMs
    const retentionMs = asked ?? least
    if (retentionMs < least) {
      throw topologyError(
        `The retention period of the window store ${name} must be no smaller than its window size plus the grace period. ` +
          `Got size=[${sizeMs}], grace=[${graceMs}], retention=[${retentionMs}]. Raise the retention to at least ${least} ms.`,
        { store: name },
      )
    }
    const options = { retentionMs, windowSizeMs: sizeMs }
    return Stores.window<K, ValueAndTimestamp<number>>(name, options, undefined, valueAndTimestamp(valueSerde))
  }
}
