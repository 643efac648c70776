import { compareBytes, type StoreChanges } from '@lanescope/core'
import type { DiskStore } from './DiskStore.js'
import type { Change } from './entry.js'
import { inOrder } from './inOrder.js'
import type { StoreHead } from './levelLayout.js'

/** What a commit makes of a store. Nothing is changed yet. */
export interface StorePlan {
  readonly store: DiskStore
  readonly head: StoreHead
  /** In the order of their keys, each once; without deletions of what is not there. */
  readonly changes: readonly Change[]
}

/** Of a store that has nothing. */
export const NONE: StoreHead = { id: 0, size: 0, bytes: 0 }

/** So many changes are looked at between two pauses. */
const CHANGES_AT_ONCE = 128

/**
 * @param changes in any order of their keys; of one key the last counts
 * @param id the store's from this commit on: another one than it has when all that it had is gone
 * @param pause gives others their turn when it is time for it
 */
export async function planCommit(
  store: DiskStore,
  { entries }: StoreChanges,
  id: number,
  pause: () => Promise<void>,
): Promise<StorePlan> {
  const isNew = id !== store.id
  let { size, bytes } = isNew ? { size: 0, bytes: 0 } : store.head
  const changes: Change[] = []
  let count = 0
  for (const change of sorted(entries)) {
    const [key, value] = change
    const before = isNew ? undefined : store.get(key)
    if (++count % CHANGES_AT_ONCE === 0) await pause()
    if (before === undefined && value === undefined) continue
    changes.push(change)
    if (before !== undefined) {
      size--
      bytes -= key.length + before.length
    }
    if (value !== undefined) {
      size++
      bytes += key.length + value.length
    }
  }
  // What is empty needs no mark of what was deleted, and no head: it begins anew with its next entry.
  return size === 0 ? { store, head: NONE, changes: [] } : { store, head: { id, size, bytes }, changes }
}

/** Changes by store, each in the order in which they are given: what is replayed comes record by record. */
export function byStore(changes: readonly StoreChanges[]): readonly StoreChanges[] {
  const stores = new Map<string, { store: string; cleared: boolean; entries: Change[] }>()
  for (const { store, cleared, entries } of changes) {
    const known = stores.get(store)
    if (known === undefined || cleared) stores.set(store, { store, cleared, entries: [...entries] })
    else for (const entry of entries) known.entries.push(entry)
  }
  return [...stores.values()]
}

/** The last change of each key, in order. */
function sorted(entries: Iterable<Change>): Change[] {
  const all = inOrder(Array.from(entries))
  return all.filter(([key], i) => {
    const next = all[i + 1]
    return next === undefined || compareBytes(key, next[0]) !== 0
  })
}
