import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import type { TableStore } from '../TableStore.js'
import { operator } from './operator.js'
import { recordPlace } from './recordPlace.js'

type Context = OperatorContext<any, any, any>

/**
 * Takes records as the rows of a table: the last one of a key counts, in the order in which they are read. One that is
 * older than the row it replaces is told (`kafka-streams.md` B.8); a null key is dropped. Without a store it knows no
 * old rows.
 */
export function tableSource(
  store: TableStore<any, any> | undefined,
  sendsOldValues: boolean,
): ProcessorSupplier<any, any, any, any> {
  const update =
    store === undefined
      ? (record: Record<any, any>, ctx: Context) => {
          void ctx.forward({ ...record, value: new Change(record.value ?? null, null) })
        }
      : (record: Record<any, any>, ctx: Context) => replaceRow(store, sendsOldValues, record, ctx)
  const supplier = operator((record, ctx) => {
    if (record.key !== null && record.key !== undefined) update(record, ctx)
    else ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
  })
  return store === undefined ? supplier : { ...supplier, stores: store.stores }
}

function replaceRow(
  store: TableStore<any, any>,
  sendsOldValues: boolean,
  record: Record<any, any>,
  ctx: Context,
): void {
  const { key, timestamp } = record
  const old = store.get(ctx, key)
  if (old !== undefined && timestamp < old.timestamp) {
    ctx.warn(
      `Detected out-of-order KTable update for ${store.builder.name}, old timestamp=[${old.timestamp}] ` +
        `new timestamp=[${timestamp}]. ${recordPlace(ctx)}.`,
    )
  }
  const value = record.value ?? null
  const outcome = store.put(ctx, key, value, timestamp)
  if (outcome === 'refused') return
  const oldValue = sendsOldValues ? (old?.value ?? null) : null
  void ctx.forward({ ...record, value: new Change(value, oldValue, outcome === 'latest') })
}
