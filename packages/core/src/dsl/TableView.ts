import type { OperatorContext } from '../processor/OperatorContext.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { ValueAndTimestamp } from './valueAndTimestamp.js'

/**
 * How an operator downstream reads a table: from its store, or through the operators between a store and it.
 *
 * @internal
 */
export interface TableView<K, V> {
  /** What the reading node must be connected to. */
  readonly stores: readonly StoreBuilder<any, any>[]
  /** Whether the table keeps a history, so that `getAsOf` answers. */
  readonly versioned: boolean
  /** The newest value of a key. */
  get(ctx: OperatorContext<any, any, any>, key: K): ValueAndTimestamp<V> | undefined
  /** The value that held at a time in ms, inclusive. Only where `versioned`. */
  getAsOf?(ctx: OperatorContext<any, any, any>, key: K, timestamp: number): ValueAndTimestamp<V> | undefined
}
