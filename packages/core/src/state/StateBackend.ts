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

/** Offsets by changelog topic and partition. */
export type ChangelogEnds = ReadonlyMap<string, readonly number[]>

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
  /** What the last commit was given; empty when there was none. */
  readonly changelogEnds: ChangelogEnds
  /**
   * Makes the changes of an epoch durable, over all byte stores at once: all or none of them, and the two marks with them.
   *
   * @param ends up to where each partition of each changelog is in the state with this commit, at least
   */
  commit(epoch: number, changes: readonly StoreChanges[], ends?: ChangelogEnds): Promise<void>
  /**
   * Applies what changelogs hold, in order. What is there is no whole state from here on, also over a crash, until the
   * next commit: `committedEpoch` is undefined meanwhile.
   */
  restore(changes: readonly StoreChanges[]): Promise<void>
  /** Deletes everything, as `restore` does: until the next commit there is no whole state. */
  reset(): Promise<void>
  close(): Promise<void>
}
