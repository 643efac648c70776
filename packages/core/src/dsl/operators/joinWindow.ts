import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import { operator } from './operator.js'

/**
 * The buffer of one side of a join: hands a record on to the join, then keeps it for the other side. A record without a
 * key never meets another, so it is not kept; nor is one without a value.
 */
export function joinWindow(store: StoreBuilder<WindowStore<any, any>, any>): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    void ctx.forward(record)
    if (record.key !== null && record.key !== undefined) {
      ctx.store(store).put(record.key, record.value ?? undefined, record.timestamp)
    }
  })
  return { ...supplier, stores: [store] }
}
