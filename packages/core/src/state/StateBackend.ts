import type { LayerEntry } from './epoch/EpochLayer.js'
import type { OrderedByteStore } from './OrderedByteStore.js'

/** What one epoch changes in one byte store. */
export interface StoreChanges {
  readonly store: string
  /** Everything that was in it before is gone. */
  readonly cleared: boolean
  /** Each key once, with its final value; undefined deletes. */
  readonly entries: Iterable<LayerEntry>
}

/**
 * Where committed state is kept. It knows nothing of epochs that are alive: they lie above it (E2).
 * Adapters: memory here, disk in `packages/node`.
 */
export interface StateBackend {
  /** The epoch that it was last committed with (E13); undefined when it never was. */
  readonly committedEpoch: number | undefined
  /** The committed entries of a byte store; empty when it is new. The same object at every call. */
  open(store: string): OrderedByteStore
  /** Names of all byte stores that hold entries and begin with `prefix`, in order of their names. */
  names(prefix: string): readonly string[]
  /** Makes the changes of an epoch durable, over all byte stores at once: all or none of them. */
  commit(epoch: number, changes: readonly StoreChanges[]): Promise<void>
  close(): Promise<void>
}
