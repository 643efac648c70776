import type { LayerEntry, PackedChanges } from './epoch/PackedChanges.js'
import type { OrderedByteStore } from './OrderedByteStore.js'

/** What one epoch changes in one byte store. */
export interface StoreChanges {
  readonly store: string
  /** Everything that was in it before is gone. */
  readonly cleared: boolean
  /**
   * Each key once, with its final value; undefined deletes. Those of a live epoch are `PackedChanges`, which hold until
   * it is settled: who goes through many of them looks at them where they lie.
   */
  readonly entries: Iterable<LayerEntry> | PackedChanges
}

/** What local state knows of one changelog: how far it is in the state, and what would make it worthless (E11). */
export interface ChangelogMark {
  /** Up to which offset each partition is in the state, at least. */
  readonly ends: readonly number[]
  /** The epoch that the state of this changelog is of. */
  readonly epoch: number
  /** Wall clock in ms when the state was last level with the log. */
  readonly at: number
  /** Which topic it was, of all that have had or will have this name; absent where the log cannot tell. */
  readonly topicId?: string
  /** From which offset on each part of the store is in it, partition by partition; −1: not at all. Of windowed stores (E12). */
  readonly live?: { readonly [part: string]: readonly number[] }
}

/** By changelog topic. */
export type ChangelogMarks = ReadonlyMap<string, ChangelogMark>

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
  /** What the last commit or restore was given; empty when there was none. */
  readonly changelogMarks: ChangelogMarks
  /** Byte stores that can be read no more (E11): every use of them throws, until they are cleared by a restore. */
  readonly damaged: readonly string[]
  /**
   * Makes the changes of an epoch durable, over all byte stores at once: all or none of them, and the two marks with them.
   *
   * @param marks how far each changelog is in the state with this commit; as before where left out
   * @throws StreamError STATE_CORRUPT while a store is damaged
   */
  commit(epoch: number, changes: readonly StoreChanges[], marks?: ChangelogMarks): Promise<void>
  /**
   * Applies what changelogs hold, in order. What is there is no whole state from here on, also over a crash, until the
   * next commit: `committedEpoch` is undefined meanwhile.
   *
   * @param marks of the changelogs whose stores a crash in the middle leaves as good as they are; none where left out
   * @throws StreamError STATE_CORRUPT while a store is damaged that these changes do not clear
   */
  restore(changes: readonly StoreChanges[], marks?: ChangelogMarks): Promise<void>
  /** Deletes everything, as `restore` does: until the next commit there is no whole state. */
  reset(): Promise<void>
  /**
   * Makes it usable again after a write that failed, as what is there says; does nothing where none has. Absent: a write
   * cannot fail.
   *
   * @throws StreamError STATE_UNAVAILABLE when it still cannot be used
   */
  recover?(): Promise<void>
  close(): Promise<void>
}
