import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import { Change } from '../Change.js'
import type { TableStore } from '../TableStore.js'

/**
 * Keeps a derived table's new row where it has a store, and hands the change on. What was there before is in the store,
 * or is derived from what the table upstream had.
 */
export function forwardDerived(
  store: TableStore<any, any> | undefined,
  record: Record<any, Change<any>>,
  newValue: unknown,
  oldValue: unknown,
  ctx: OperatorContext<any, any, any>,
): void {
  let { isLatest } = record.value
  if (store !== undefined) {
    const outcome = store.put(ctx, record.key, newValue, record.timestamp)
    if (outcome === 'refused') return
    isLatest = outcome === 'latest'
  }
  void ctx.forward({ ...record, value: new Change(newValue, oldValue, isLatest) })
}
