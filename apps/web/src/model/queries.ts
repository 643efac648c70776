import {
  type DocumentEdge,
  type DocumentNode,
  type DocumentStore,
  type NodeWindows,
  ownStoreOf,
  type SourceNode,
  type TopologyDocument,
  windowsOf,
} from '@lanescope/shared'

export function nodeById(document: TopologyDocument, id: string): DocumentNode | undefined {
  return document.nodes.find((node) => node.id === id)
}

export function storeById(document: TopologyDocument, id: string): DocumentStore | undefined {
  return document.stores.find((store) => store.id === id)
}

export function edgesInto(document: TopologyDocument, id: string): readonly DocumentEdge[] {
  return document.edges.filter((edge) => edge.to === id)
}

export function edgesOutOf(document: TopologyDocument, id: string): readonly DocumentEdge[] {
  return document.edges.filter((edge) => edge.from === id)
}

/** Ids of all nodes that records of `id` reach, itself not among them. */
export function downstreamOf(document: Pick<TopologyDocument, 'edges'>, id: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [id]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const edge of document.edges) {
      if (edge.from !== at || seen.has(edge.to)) continue
      seen.add(edge.to)
      open.push(edge.to)
    }
  }
  return seen
}

/** The sources whose records reach a node; of a source, itself. */
export function sourcesOf(document: TopologyDocument, id: string): readonly SourceNode[] {
  return document.nodes.filter(
    (node): node is SourceNode => node.kind === 'source' && (node.id === id || downstreamOf(document, node.id).has(id)),
  )
}

/** Stores that a node keeps, by name and kind, in the order they hang below it. */
export function storesOf(document: TopologyDocument, node: DocumentNode): readonly StoreTag[] {
  const own = ownStoreTag(node)
  if (own !== undefined) return [own]
  if (node.kind !== 'processor') return []
  return node.properties.stores.flatMap((id) => {
    const store = storeById(document, id)
    if (!store) return []
    const { name, kind, retentionMs } = store
    return [{ id, name, kind, ...(retentionMs === undefined ? {} : { retentionMs }) }]
  })
}

/** The store that a node keeps by itself. A join of streams has two, named after the one. */
function ownStoreTag(node: DocumentNode): StoreTag | undefined {
  const name = ownStoreOf(node)
  if (name === undefined) return undefined
  const retentionMs = keptMs(node)
  return {
    id: node.id,
    name,
    kind: retentionMs === undefined ? 'key-value' : 'window',
    ...(retentionMs !== undefined && { retentionMs }),
  }
}

/** How long a windowed store keeps what is in it; undefined for one without windows. */
export function keptMs(node: DocumentNode): number | undefined {
  const windows = windowsOf(node)
  if (windows !== undefined) {
    const own = 'retentionMs' in node.properties ? node.properties.retentionMs : undefined
    return own ?? leastMs(windows)
  }
  if (node.kind !== 'join') return undefined
  const { of, beforeMs = 0, afterMs = 0, graceMs = 0 } = node.properties
  return of === 'stream-stream' ? beforeMs + afterMs + graceMs : undefined
}

/** How long windows have to be kept at least. */
export function leastMs(windows: NodeWindows): number {
  switch (windows.kind) {
    case 'time':
      return windows.sizeMs + windows.graceMs
    case 'session':
      return windows.gapMs + windows.graceMs
    case 'sliding':
      return 2 * windows.differenceMs + windows.graceMs
  }
}

export interface StoreTag {
  readonly id: string
  readonly name: string
  readonly kind: 'key-value' | 'window'
  readonly retentionMs?: number
}

/** `base`, or `base-2`, `base-3` … : the first that is not taken. */
export function freeName(taken: ReadonlySet<string>, base: string): string {
  if (!taken.has(base)) return base
  for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`
}

/** An id made of a name: lower case, letters, digits and dashes, not yet taken. */
export function freeId(taken: ReadonlySet<string>, name: string): string {
  const base = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return freeName(taken, base === '' ? 'n' : base)
}

export const idsOf = (items: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(items.map((item) => item.id))
export const namesOf = (items: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(items.map((item) => item.name))
