import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import type { TableStore } from '../TableStore.js'
import { recordPlace } from './recordPlace.js'

/** The aggregate with one more record in it; null or undefined deletes it. `old` is undefined at a key's first record. */
export type Adder<K, V, A> = (key: K, value: V, old: A | undefined) => A | null | undefined

/**
 * Keeps one aggregate per key and sends each change on (`kafka-streams.md` A.7). A null key or value is dropped; the
 * result bears the greatest timestamp of its records; a deleted aggregate is sent on as null, and the next record
 * starts afresh.
 */
export function keyedAggregate<K, V, A>(
  store: TableStore<K, A>,
  add: Adder<K, V, A>,
  sendsOldValues: boolean,
): ProcessorSupplier<K | null, V | null, K, Change<A>> {
  return { sync: true, stores: store.stores, get: () => new KeyedAggregate(store, add, sendsOldValues) }
}

class KeyedAggregate<K, V, A> implements Processor<K | null, V | null, K, Change<A>> {
  constructor(
    private readonly store: TableStore<K, A>,
    private readonly add: Adder<K, V, A>,
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
    const old = this.store.get(ctx, key)
    const timestamp = Math.max(record.timestamp, old?.timestamp ?? -1)
    const result = this.add(key, value, old?.value) ?? null
    const outcome = this.store.put(ctx, key, result, timestamp)
    if (outcome === 'refused') return
    const before = this.sendsOldValues ? (old?.value ?? null) : null
    const change = new Change(result, before, outcome === 'latest')
    void ctx.forward({ key, value: change, timestamp, headers: record.headers })
  }
}

function skip(reason: 'null_key' | 'null_value', ctx: OperatorContext<any, any, any>): void {
  ctx.drop(reason, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
}
