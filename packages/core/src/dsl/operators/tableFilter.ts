import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'
import { operator } from './operator.js'
import { forwardDerived } from './tableDerive.js'

type Predicate = (key: any, value: any) => boolean

interface Filter {
  readonly node: string
  readonly predicate: Predicate
  /** Rows stay for which the predicate says this. */
  readonly wanted: boolean
  /** Whether the table before it is versioned: then every row is told, for one that comes late may be known no better. */
  readonly versioned: boolean
}

/**
 * Keeps the rows that the predicate holds for; another one is as if it were deleted. Whether a row was there before is
 * known only where old values are sent: without them a row that never was in is deleted once more (`kafka-streams.md` G-98).
 */
export function tableFilter(
  filter: Filter,
  store: TableStore<any, any> | undefined,
  sendsOldValues: boolean,
): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const newValue = kept(filter, record.key, record.value.newValue)
    const before = () =>
      store === undefined
        ? kept(filter, record.key, record.value.oldValue)
        : (store.get(ctx, record.key)?.value ?? null)
    const oldValue = sendsOldValues ? before() : null
    if (sendsOldValues && !filter.versioned && oldValue === null && newValue === null) return
    forwardDerived(store, record, newValue, oldValue, ctx)
  })
  return store === undefined ? supplier : { ...supplier, stores: store.stores }
}

/** Reads a filtered table through the one it was filtered from. */
export function filteredView<K, V>(filter: Omit<Filter, 'versioned'>, parent: TableView<K, V>): TableView<K, V> {
  const passing = (key: K, row: ReturnType<typeof parent.get>) =>
    row !== undefined && kept(filter, key, row.value) !== null ? row : undefined
  const { getAsOf } = parent
  return {
    stores: parent.stores,
    versioned: parent.versioned,
    get: (ctx, key) => passing(key, parent.get(ctx, key)),
    ...(getAsOf !== undefined && {
      getAsOf: (ctx, key, timestamp) => passing(key, getAsOf.call(parent, ctx, key, timestamp)),
    }),
  }
}

function kept<V>({ node, predicate, wanted }: Omit<Filter, 'versioned'>, key: unknown, value: V | null): V | null {
  if (value === null) return null
  return Boolean(settled(node, predicate(key, value))) === wanted ? value : null
}
