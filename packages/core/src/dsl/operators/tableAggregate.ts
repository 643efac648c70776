import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import type { TableStore } from '../TableStore.js'

/** How a group's aggregate takes rows in and out. A result of null or undefined deletes it. */
export interface GroupAggregation<K, V, A> {
  /** The aggregate with one more row; `old` is null where there is none. */
  add(key: K, value: V, old: A | null): A | null | undefined
  /** The aggregate with one row fewer. */
  subtract(key: K, value: V, old: A): A | null | undefined
}

/**
 * Keeps one aggregate per group of a table's rows: takes the old row out, then puts the new one in, and sends one change
 * on (`kafka-streams.md` B.8). The result bears the greatest timestamp of what it was made from.
 */
export function tableAggregate<K, V, A>(
  store: TableStore<K, A>,
  aggregation: GroupAggregation<K, V, A>,
  sendsOldValues: boolean,
): ProcessorSupplier<K, Change<V>, K, Change<A>> {
  return { sync: true, stores: store.stores, get: () => new TableAggregate(store, aggregation, sendsOldValues) }
}

class TableAggregate<K, V, A> implements Processor<K, Change<V>, K, Change<A>> {
  constructor(
    private readonly store: TableStore<K, A>,
    private readonly aggregation: GroupAggregation<K, V, A>,
    private readonly sendsOldValues: boolean,
  ) {}

  process(record: Record<K, Change<V>>, ctx: OperatorContext<K, K, Change<A>>): void {
    const { key, value: row } = record
    const old = this.store.get(ctx, key)
    const before = old?.value ?? null
    let result = before
    let timestamp = record.timestamp
    if (row.oldValue !== null && before !== null) {
      result = this.aggregation.subtract(key, row.oldValue, before) ?? null
      timestamp = Math.max(timestamp, old?.timestamp ?? -1)
    }
    if (row.newValue !== null) {
      result = this.aggregation.add(key, row.newValue, result) ?? null
      timestamp = Math.max(timestamp, old?.timestamp ?? -1)
    }
    const outcome = this.store.put(ctx, key, result, timestamp)
    if (outcome === 'refused') return
    const change = new Change(result, this.sendsOldValues ? before : null, outcome === 'latest')
    void ctx.forward({ key, value: change, timestamp, headers: record.headers })
  }
}
