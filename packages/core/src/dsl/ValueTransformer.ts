import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { Sync } from './sync.js'

/** What a transformer may do while it transforms one value. It cannot forward. */
export interface ValueTransformerContext {
  /** A handle of a connected store: reads and writes. */
  store<S, R>(builder: StoreBuilder<S, R>): S
  /** Wall-clock time in ms, from the injected clock. */
  readonly now: number
  /** The event clock of the node in ms (W7); −1 while unknown. */
  readonly eventTime: number
}

/** Makes a table's value of another table's, with state of its own if it needs some. One a lane (L6). */
export interface ValueTransformer<K, V, VR> {
  /** Gets null for a deleted row; null deletes. Synchronous. */
  transform(key: K, value: V | null, ctx: ValueTransformerContext): Sync<VR>
  close?(): void
}

/** Makes one transformer a lane, and one more for each operator that reads the table through it. */
export interface ValueTransformerSupplier<K, V, VR> {
  get(): ValueTransformer<K, V, VR>
  /** Stores that come along and are connected to the node. */
  readonly stores?: readonly StoreBuilder<any, any>[]
}
