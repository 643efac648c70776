import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { KeyValueStore } from '../../state/stores.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import { recordPlace } from './recordPlace.js'

type AggregateStore<K, A> = StoreBuilder<KeyValueStore<K, ValueAndTimestamp<A>>, any>

/** The aggregate with one more record in it; null or undefined deletes it. `old` is undefined at a key's first record. */
export type Adder<K, V, A> = (key: K, value: V, old: A | undefined) => A | null | undefined

/**
 * Keeps one aggregate per key and sends each change on (`kafka-streams.md` A.7). A null key or value is dropped; the
 * result bears the greatest timestamp of its records; a deleted aggregate is sent on as null, and the next record
 * starts afresh.
 */
export function keyedAggregate<K, V, A>(
  store: AggregateStore<K, A>,
  add: Adder<K, V, A>,
): ProcessorSupplier<K | null, V | null, K, A | null> {
  return { sync: true, stores: [store], get: () => new KeyedAggregate(store, add) }
}

class KeyedAggregate<K, V, A> implements Processor<K | null, V | null, K, A | null> {
  constructor(
    private readonly store: AggregateStore<K, A>,
    private readonly add: Adder<K, V, A>,
  ) {}

  process(record: Record<K | null, V | null>, ctx: OperatorContext<K | null, K, A | null>): void {
    const { key, value } = record
    if (key === null || key === undefined) skip('null_key', ctx)
    else if (value === null || value === undefined) skip('null_value', ctx)
    else this.aggregate(record, key, value, ctx)
  }

  private aggregate(
    record: Record<K | null, V | null>,
    key: K,
    value: V,
    ctx: OperatorContext<K | null, K, A | null>,
  ): void {
    const aggregates = ctx.store(this.store)
    const old = aggregates.get(key)
    const timestamp = Math.max(record.timestamp, old?.timestamp ?? -1)
    const result = this.add(key, value, old?.value) ?? null
    if (result === null) aggregates.delete(key)
    else aggregates.put(key, { value: result, timestamp })
    void ctx.forward({ key, value: result, timestamp, headers: record.headers })
  }
}

function skip(reason: 'null_key' | 'null_value', ctx: OperatorContext<any, any, any>): void {
  ctx.drop(reason, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
}
