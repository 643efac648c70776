import type { OperatorContext } from '../processor/OperatorContext.js'
import { Stores } from '../state/builders/Stores.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { KeyValueStore } from '../state/stores.js'
import type { TableView } from './TableView.js'
import type { ValueAndTimestamp } from './valueAndTimestamp.js'

type Context = OperatorContext<any, any, any>

/**
 * What became of a put: it is the key's newest version now, it went in behind a newer one, or it was not taken. Only
 * versioned stores answer anything but `latest`. What was not taken is not sent on either.
 */
export type PutOutcome = 'latest' | 'older' | 'refused'

/**
 * The store of a table by key, whatever kind it is of: an operator reads and writes it in one way.
 *
 * @internal
 */
export interface TableStore<K, V> extends TableView<K, V> {
  readonly builder: StoreBuilder<any, any>
  /** Null deletes the key as of this time. */
  put(ctx: Context, key: K, value: V | null, timestamp: number): PutOutcome
}

/** A key-value store that keeps each value with its time. */
export function timestampedTableStore<K, V>(
  builder: StoreBuilder<KeyValueStore<K, ValueAndTimestamp<V>>, any>,
): TableStore<K, V> {
  return {
    builder,
    stores: [builder],
    versioned: false,
    get: (ctx, key) => ctx.store(builder).get(key),
    put(ctx, key, value, timestamp) {
      const store = ctx.store(builder)
      if (value === null || value === undefined) store.delete(key)
      else store.put(key, { value, timestamp })
      return 'latest'
    },
  }
}

/** The store of a table that `Materialized` says nothing else about. */
export function defaultTableStore<K, V>(name: string): TableStore<K, V> {
  return timestampedTableStore(Stores.keyValue<K, ValueAndTimestamp<V>>(name))
}
