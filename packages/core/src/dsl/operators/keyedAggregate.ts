import { OwnRecord } from '../../model/OwnRecord.js'
import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import type { TableStore } from '../TableStore.js'
import type { Aggregation } from '../windows/Aggregation.js'
import { recordPlace } from './recordPlace.js'

/** What one record does to a key's aggregate; null stands for none. */
export type KeyedAggregation<K, V, A> = Pick<Aggregation<K, V, A>, 'initial' | 'add'>

/**
 * Keeps one aggregate per key and sends each change on (`kafka-streams.md` A.7). A null key or value is dropped; the
 * result bears the greatest timestamp of its records; a deleted aggregate is sent on as null, and the next record
 * starts afresh. What was before a key's first record is said to be what it starts with.
 */
export function keyedAggregate<K, V, A>(
  store: TableStore<K, A>,
  aggregation: KeyedAggregation<K, V, A>,
  sendsOldValues: boolean,
): ProcessorSupplier<K | null, V | null, K, Change<A>> {
  return { sync: true, stores: store.stores, get: () => new KeyedAggregate(store, aggregation, sendsOldValues) }
}

class KeyedAggregate<K, V, A> implements Processor<K | null, V | null, K, Change<A>> {
  constructor(
    private readonly store: TableStore<K, A>,
    private readonly aggregation: KeyedAggregation<K, V, A>,
    private readonly sendsOldValues: boolean,
  ) {}

  process(record: Record<K | null, V | null>, ctx: OperatorContext<K | null, K, Change<A>>): void {
    const { key, value } = record
    if (key === null || key === undefined) skip('null_key', ctx)
    else if (value === null || value === undefined) skip('null_value', ctx)
    else this.aggregate(record, key, value, ctx)
  }

  private aggregate(
    record: Record<K | null, V | null>,
    key: K,
    value: V,
    ctx: OperatorContext<K | null, K, Change<A>>,
  ): void {
    const stored = this.store.get(ctx, key)
    const timestamp = Math.max(record.timestamp, stored?.timestamp ?? -1)
    const old = stored === undefined ? this.aggregation.initial() : stored.value
    const result = this.aggregation.add(key, value, old) ?? null
    const outcome = this.store.put(ctx, key, result, timestamp)
    if (outcome === 'refused') return
    const change = new Change(result, this.sendsOldValues ? old : null, outcome === 'latest')
    void ctx.forward(new OwnRecord(key, change, timestamp, record.headers))
  }
}

function skip(reason: 'null_key' | 'null_value', ctx: OperatorContext<any, any, any>): void {
  ctx.drop(reason, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
}
