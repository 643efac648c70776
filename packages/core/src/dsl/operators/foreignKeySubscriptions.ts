import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { MemoryIterable } from '../../state/MemoryIterable.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { KeyValueStore } from '../../state/stores.js'
import type { Change } from '../Change.js'
import type { KeyBytes } from '../foreignKeys/KeyBytes.js'
import type { Subscription, SubscriptionResponse } from '../foreignKeys/Subscription.js'
import { primaryKeyOf, subscriptionKey, subscriptionPrefix } from '../foreignKeys/subscriptionKey.js'
import type { TableView } from '../TableView.js'
import { operator } from './operator.js'
import { recordPlace } from './recordPlace.js'

type Context = OperatorContext<any, any, any>

/** Key: foreign and primary key as bytes; value: the hash of the left value that subscribed. */
export type SubscriptionStore = StoreBuilder<KeyValueStore<Uint8Array, Uint8Array | 'none'>, any>

/** Keeps who wants a foreign key, and hands each request on. One for no key at all is kept nowhere. */
export function foreignKeyReceive(store: SubscriptionStore, right: KeyBytes): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const { key, value } = record as { key: unknown; value: Subscription }
    if (key !== null && key !== undefined) {
      const kept = subscriptionKey(right.keyBytes(ctx, key), value.primaryKeyBytes)
      if (value.instruction === 'end' || value.instruction === 'end-and-answer') ctx.store(store).delete(kept)
      else ctx.store(store).put(kept, value.hash ?? 'none')
    }
    void ctx.forward(record)
  })
  return { ...supplier, stores: [store] }
}

/** Answers requests with the right row of their key, as the instruction says. */
export function foreignKeyJoin(
  right: TableView<any, any>,
  rightBytes: KeyBytes,
): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const { key, value } = record as { key: unknown; value: Subscription }
    const { instruction } = value
    // Looked up in any case, as in Kafka Streams: a table that is read through a transformer counts its calls.
    const row = key === null || key === undefined ? undefined : right.get(ctx, key)
    if (instruction === 'end' || (row === undefined && instruction === 'answer-if-there')) return
    const foreignValue = instruction === 'end-and-answer' ? null : answered(row?.value ?? null, rightBytes, ctx)
    const timestamp = Math.max(record.timestamp, row?.timestamp ?? -1)
    const response: SubscriptionResponse = { hash: value.hash, foreignValue }
    void ctx.forward({ ...record, key: value.primaryKey, value: response, timestamp })
  })
  return { ...supplier, stores: right.stores }
}

/** What a right table's change is told of. */
export interface ForeignRows {
  readonly node: string
  readonly store: SubscriptionStore
  readonly left: KeyBytes
  readonly right: KeyBytes
  /** Whether the right table is versioned: its rows out of order are then left out. */
  readonly versioned: boolean
}

/** Tells a change of a right row to all left rows that want it, in the order of their keys' bytes. */
export function foreignRowChange(rows: ForeignRows): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const { newValue, isLatest } = record.value as Change<unknown>
    if (record.key === null || record.key === undefined) {
      ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
    } else if (rows.versioned && !isLatest) {
      ctx.drop('out_of_order', `Skipping out-of-order record from versioned table at "${rows.node}".`)
    } else {
      for (const [kept, hash] of subscribersOf(rows, record.key, ctx)) {
        // Only an answer is written: a row that nobody wants may be of any type.
        const foreignValue = answered(newValue, rows.right, ctx)
        const response: SubscriptionResponse = { hash: hash === 'none' ? null : hash, foreignValue }
        void ctx.forward({ ...record, key: rows.left.key(ctx, primaryKeyOf(kept)), value: response })
      }
    }
  })
  return { ...supplier, stores: [rows.store] }
}

/** Kafka Streams writes answers down, and takes a value of no bytes for none when it reads them. */
function answered(value: unknown, right: KeyBytes, ctx: Context): unknown {
  return value !== null && ctx.emulatesKafka && right.valueLength(ctx, value) === 0 ? null : value
}

function subscribersOf({ store, right }: ForeignRows, key: unknown, ctx: Context) {
  const prefix = subscriptionPrefix(right.keyBytes(ctx, key))
  return ctx.store(store).prefixScan(prefix) as MemoryIterable<readonly [Uint8Array, Uint8Array | 'none']>
}
