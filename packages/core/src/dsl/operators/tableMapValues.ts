import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import { operator } from './operator.js'
import { forwardDerived } from './tableDerive.js'

type Mapper = (value: any, key: any) => unknown

/** Gives each row a new value; a deleted row stays deleted, and one mapped to null is. */
export function tableMapValues(
  node: string,
  mapper: Mapper,
  store: TableStore<any, any> | undefined,
  sendsOldValues: boolean,
): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const newValue = mapped(node, mapper, record.key, record.value.newValue)
    const before = () =>
      store === undefined
        ? mapped(node, mapper, record.key, record.value.oldValue)
        : (store.get(ctx, record.key)?.value ?? null)
    forwardDerived(store, record, newValue, sendsOldValues ? before() : null, ctx)
  })
  return store === undefined ? supplier : { ...supplier, stores: store.stores }
}

/** Reads a mapped table through the one it was mapped from. */
export function mappedView<K>(node: string, mapper: Mapper, parent: TableView<K, any>): TableView<K, any> {
  const map = (key: K, row: ValueAndTimestamp<any> | undefined) => {
    const value = row === undefined ? null : mapped(node, mapper, key, row.value)
    return row === undefined || value === null ? undefined : { value, timestamp: row.timestamp }
  }
  const { getAsOf } = parent
  return {
    stores: parent.stores,
    versioned: parent.versioned,
    get: (ctx, key) => map(key, parent.get(ctx, key)),
    ...(getAsOf !== undefined && {
      getAsOf: (ctx, key, timestamp) => map(key, getAsOf.call(parent, ctx, key, timestamp)),
    }),
  }
}

function mapped(node: string, mapper: Mapper, key: unknown, value: unknown): unknown {
  return value === null ? null : (settled(node, mapper(value, key)) ?? null)
}
