import { compareBytes, type StoreChanges } from '@lanescope/core'
import type { DiskStore, PageUpdate } from './DiskStore.js'
import { inOrder } from './inOrder.js'
import { isBefore } from './levelLayout.js'
import { type MergedPage, mergePage, type PageChange } from './page.js'

const EMPTY = new Uint8Array(0)

/**
 * What an epoch's changes of a store make of its pages, one page after the other. Nothing is changed yet.
 *
 * @param changes in any order of their keys; of one key the last counts
 */
export function* planCommit(store: DiskStore, { cleared, entries }: StoreChanges): Generator<PageUpdate> {
  const changes = sorted(entries)
  if (cleared || store.pages === 0) {
    if (changes.length > 0) yield { at: undefined, ...beginning(EMPTY, mergePage(EMPTY, changes)) }
    return
  }
  for (let from = 0; from < changes.length; ) {
    const at = store.pageOf((changes[from] as PageChange)[0]) ?? EMPTY
    const next = store.pageBehind(at)
    let to = from + 1
    while (to < changes.length && (next === undefined || isBefore((changes[to] as PageChange)[0], next))) to++
    yield { at, ...beginning(at, mergePage(store.read(at), changes.slice(from, to))) }
    from = to
  }
}

/** Changes by store, each in the order in which they are given: what is replayed comes record by record. */
export function byStore(changes: readonly StoreChanges[]): readonly StoreChanges[] {
  const stores = new Map<string, { store: string; cleared: boolean; entries: PageChange[] }>()
  for (const { store, cleared, entries } of changes) {
    const known = stores.get(store)
    if (known === undefined || cleared) stores.set(store, { store, cleared, entries: [...entries] })
    else for (const entry of entries) known.entries.push(entry)
  }
  return [...stores.values()]
}

/** The last change of each key, in order. */
function sorted(entries: Iterable<PageChange>): PageChange[] {
  const all = inOrder(Array.from(entries))
  return all.filter(([key], i) => {
    const next = all[i + 1]
    return next === undefined || compareBytes(key, next[0]) !== 0
  })
}

/**
 * A page keeps its first key, so that it is overwritten where it lies. The first one of all stays even when it is empty:
 * every key has a page to be in.
 */
function beginning(at: Uint8Array, merged: MergedPage): MergedPage {
  const [first, ...others] = merged.pages
  if (first !== undefined) return { ...merged, pages: [{ first: at, bytes: first.bytes }, ...others] }
  return at.length > 0 ? merged : { ...merged, pages: [{ first: at, bytes: EMPTY }] }
}
