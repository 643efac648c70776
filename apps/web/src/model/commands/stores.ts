import type { DocumentStore, TopologyDocument } from '@lanescope/shared'
import { freeId, freeName, idsOf, namesOf, nodeById } from '../queries.js'
import { setProperties } from './nodes.js'

/** Adds a store to a processor. */
export function addStore(
  document: TopologyDocument,
  processor: string,
  kind: DocumentStore['kind'],
): { readonly document: TopologyDocument; readonly id: string } {
  const node = nodeById(document, processor)
  const name = freeName(namesOf(document.stores), `${node?.name ?? 'node'}-store`)
  const id = freeId(idsOf(document.stores), name)
  const store: DocumentStore = {
    id,
    name,
    kind,
    key: { kind: 'built-in', name: 'string' },
    value: { kind: 'json', type: 'unknown' },
    ...(kind === 'window' && { retentionMs: 3_600_000, windowSizeMs: 300_000 }),
  }
  const added = { ...document, stores: [...document.stores, store] }
  return { document: attachStore(added, processor, id), id }
}

/** Lets another processor use a store that is there. */
export function attachStore(document: TopologyDocument, processor: string, store: string): TopologyDocument {
  const node = nodeById(document, processor)
  if (node?.kind !== 'processor' || node.properties.stores.includes(store)) return document
  return setProperties(document, processor, 'processor', { stores: [...node.properties.stores, store] })
}

/** Takes a store from a processor; the last to let go removes it. */
export function detachStore(document: TopologyDocument, processor: string, store: string): TopologyDocument {
  const node = nodeById(document, processor)
  if (node?.kind !== 'processor') return document
  const stores = node.properties.stores.filter((id) => id !== store)
  if (stores.length === node.properties.stores.length) return document
  const next = setProperties(document, processor, 'processor', { stores })
  const used = next.nodes.some((one) => one.kind === 'processor' && one.properties.stores.includes(store))
  return used ? next : { ...next, stores: next.stores.filter((one) => one.id !== store) }
}

/** Changes a store; undefined takes an optional property away. */
export function editStore(
  document: TopologyDocument,
  id: string,
  patch: { readonly [P in keyof Omit<DocumentStore, 'id'>]?: DocumentStore[P] | undefined },
): TopologyDocument {
  const index = document.stores.findIndex((store) => store.id === id)
  const store = document.stores[index]
  if (!store) return document
  const entries = Object.entries({ ...store, ...patch }).filter(([, value]) => value !== undefined)
  return { ...document, stores: document.stores.with(index, Object.fromEntries(entries) as DocumentStore) }
}
