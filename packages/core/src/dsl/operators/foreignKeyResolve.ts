import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { KeyBytes } from '../foreignKeys/KeyBytes.js'
import { isSameHash, type SubscriptionResponse } from '../foreignKeys/Subscription.js'
import { settled } from '../sync.js'
import type { TableView } from '../TableView.js'
import { operator } from './operator.js'

/** How answers become results. */
export interface Resolving {
  readonly node: string
  readonly joiner: (left: any, right: any, key: any) => unknown
  readonly isLeftJoin: boolean
  readonly table: TableView<any, any>
  readonly left: KeyBytes
}

/**
 * Joins an answer with the left row that has asked. An answer to a value that the row no longer has is stale and is
 * dropped, which loses nothing: the newer value has asked as well. Kafka Streams counts it all the same.
 */
export function foreignKeyResolve(resolving: Resolving): ProcessorSupplier<any, any, any, any> {
  const { node, joiner, isLeftJoin, table, left } = resolving
  const supplier = operator((record, ctx) => {
    const { hash, foreignValue } = record.value as SubscriptionResponse
    const current = table.get(ctx, record.key)?.value ?? null
    if (!isSameHash(hash, left.hash(ctx, current))) {
      ctx.drop('stale_response', `Dropping foreign-key join response at "${node}": its left row has changed since.`)
      return
    }
    const hasResult = current !== null && (foreignValue !== null || isLeftJoin)
    const value = hasResult ? (settled(node, joiner(current, foreignValue, record.key)) ?? null) : null
    void ctx.forward({ ...record, value })
  })
  return { ...supplier, stores: table.stores }
}
