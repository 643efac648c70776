import {
  arePacked,
  type ChangeView,
  NO_VALUE,
  NOT_LOOKED_UP,
  newChangeView,
  type PackedChanges,
  type StoreChanges,
} from '@lanescope/core'
import type { DiskStore } from './DiskStore.js'
import type { Change } from './entry.js'
import { inOrder } from './inOrder.js'
import { ListedChanges } from './ListedChanges.js'
import type { StoreHead } from './levelLayout.js'
import type { PieceWriter } from './logPieces.js'
import type { StagedChanges } from './StagedChanges.js'

/** What a commit makes of a store. Nothing of it counts yet. */
export interface StorePlan {
  readonly store: DiskStore
  readonly head: StoreHead
  /** Undefined: it has nothing any more. */
  readonly staged: StagedChanges | undefined
}

/** What a commit does to one store, as it is asked for. */
export interface StoreWrites {
  readonly store: string
  /** All that was in it is gone. */
  readonly cleared: boolean
  readonly changes: PackedChanges
}

/** Where changes go. */
export interface StageTarget {
  readonly pieces: readonly Uint8Array[]
  readonly writer: PieceWriter
  /** Takes what the writer has, as a piece of the store with this id. @returns its place in `pieces`: the next one */
  endPiece(store: number): number
  /** Gives others their turn when it is time for it. */
  pause(): Promise<void>
}

/** Of a store that has nothing. */
export const NONE: StoreHead = { id: 0, size: 0, bytes: 0 }

/** So many changes are taken in between two pauses. */
const CHANGES_AT_ONCE = 128

/**
 * Takes changes in: into pieces of the log in the order of their keys, each key once and without deletions of what is
 * not there, and into memory, where they do not count yet.
 *
 * @param changes in any order of their keys; of one key the last counts
 * @param id the store's from this commit on: another one than it has when all that it had is gone
 */
export async function stageCommit(
  store: DiskStore,
  changes: PackedChanges,
  id: number,
  target: StageTarget,
): Promise<StorePlan> {
  const order = await inOrder(changes, () => target.pause())
  const staging = new Staging(store, id, target)
  // What is empty needs no mark of what was deleted, and no head: it begins anew with its next entry.
  if (await staging.emptiedBy(changes, order)) return { store, head: NONE, staged: undefined }
  try {
    return { store, head: await staging.take(changes, order), staged: staging.staged }
  } catch (error) {
    target.writer.drop()
    staging.staged.abandon()
    throw error
  }
}

class Staging {
  readonly staged: StagedChanges
  readonly #view = newChangeView()
  readonly #isNew: boolean
  /** Of the store, with what was taken by now. */
  #size: number
  #bytes: number

  constructor(
    store: DiskStore,
    private readonly id: number,
    private readonly target: StageTarget,
  ) {
    this.#isNew = id !== store.id
    this.staged = store.stage(id, target.pieces)
    const { size, bytes } = this.#isNew ? NONE : store.head
    this.#size = size
    this.#bytes = bytes
  }

  async emptiedBy(changes: PackedChanges, order: Uint32Array): Promise<boolean> {
    let left = this.#size
    if (order.length < left) return false
    const view = this.#view
    for (const [i, index] of order.entries()) {
      changes.look(index, view)
      if (view.value !== undefined) return false
      this.staged.find(view.key, view.keyFrom, view.keyTo)
      if (this.#before(view) !== NO_VALUE) left--
      if (i % CHANGES_AT_ONCE === 0) await this.target.pause()
    }
    return left === 0
  }

  /** @returns what the store is with the changes */
  async take(changes: PackedChanges, order: Uint32Array): Promise<StoreHead> {
    for (let at = 0; at < order.length; ) {
      await this.staged.makeRoom(CHANGES_AT_ONCE, () => this.target.pause())
      const to = Math.min(order.length, at + CHANGES_AT_ONCE)
      at = this.#takeSome(changes, order, at, to)
      if (at < to) await this.#endPiece()
      await this.target.pause()
    }
    if (!this.target.writer.isEmpty) await this.#endPiece()
    return { id: this.id, size: this.#size, bytes: this.#bytes }
  }

  /** @returns up to where it has taken them: less than all when the piece is full */
  #takeSome(changes: PackedChanges, order: Uint32Array, from: number, to: number): number {
    const { staged, target } = this
    const { writer } = target
    const piece = target.pieces.length
    const view = this.#view
    for (let i = from; i < to; i++) {
      changes.look(order[i] as number, view)
      const { key, keyFrom, keyTo } = view
      const isDeleted = view.value === undefined
      // What came and went within the epoch is not even looked for.
      if (isDeleted && view.before === NO_VALUE) continue
      if (!writer.fits(view)) return i
      staged.find(key, keyFrom, keyTo, this.#isNew ? 0 : view.place)
      const before = this.#before(view)
      if (isDeleted && before === NO_VALUE) continue
      staged.add(key, keyFrom, keyTo, isDeleted, piece, writer.add(view))
      if (before !== NO_VALUE) {
        this.#size--
        this.#bytes -= keyTo - keyFrom + before
      }
      if (!isDeleted) {
        this.#size++
        this.#bytes += keyTo - keyFrom + view.valueTo - view.valueFrom
      }
    }
    return to
  }

  async #endPiece(): Promise<void> {
    const piece = this.target.endPiece(this.id)
    await this.staged.endPiece(piece, () => this.target.pause())
  }

  /** How long the value is that the change of the key found takes the place of, or `NO_VALUE`. */
  #before({ before, key, keyFrom, keyTo }: ChangeView): number {
    if (this.#isNew) return NO_VALUE
    return before === NOT_LOOKED_UP ? this.staged.lengthBefore(key, keyFrom, keyTo) : before
  }
}

/** Changes by store, each in the order in which they are given: what is replayed comes record by record. */
export function byStore(all: readonly StoreChanges[]): readonly StoreWrites[] {
  const stores = new Map<string, { cleared: boolean; changes: PackedChanges | undefined; entries: Change[] }>()
  for (const { store, cleared, entries } of all) {
    const known = stores.get(store)
    if (known === undefined || cleared) {
      stores.set(
        store,
        arePacked(entries)
          ? { cleared, changes: entries, entries: [] }
          : { cleared, changes: undefined, entries: [...entries] },
      )
      continue
    }
    if (known.changes !== undefined) known.entries.push(...known.changes)
    known.changes = undefined
    for (const entry of entries) known.entries.push(entry)
  }
  return [...stores].map(([store, { cleared, changes, entries }]) => {
    return { store, cleared, changes: changes ?? new ListedChanges(entries) }
  })
}
