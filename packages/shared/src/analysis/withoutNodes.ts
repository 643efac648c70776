import type { TopologyDocument } from '../document/TopologyDocument.js'

/** A document without some nodes, and without all that only they fed. */
export interface ReducedDocument {
  readonly document: TopologyDocument
  /** Ids of every node that is gone: those asked for, and those that nothing reaches any more. */
  readonly leftOut: readonly string[]
}

/** Leaves nodes out so that the rest can still be built: a node stays while some source still reaches it. */
export function withoutNodes(document: TopologyDocument, broken: ReadonlySet<string>): ReducedDocument {
  const reached = new Set(
    document.nodes.filter(({ kind, id }) => kind === 'source' && !broken.has(id)).map(({ id }) => id),
  )
  for (let size = -1; size !== reached.size; ) {
    size = reached.size
    for (const { from, to } of document.edges) if (reached.has(from) && !broken.has(to)) reached.add(to)
  }
  const nodes = document.nodes.filter(({ id }) => reached.has(id))
  const edges = document.edges.filter(({ from, to }) => reached.has(from) && reached.has(to))
  // A store that only broken nodes use goes with them: its serde may be what broke them.
  const used = new Set(nodes.flatMap((node) => (node.kind === 'processor' ? node.properties.stores : [])))
  const lost = new Set(
    document.nodes.flatMap((node) => (node.kind === 'processor' && broken.has(node.id) ? node.properties.stores : [])),
  )
  const stores = document.stores.filter(({ id }) => used.has(id) || !lost.has(id))
  const samples = Object.fromEntries(Object.entries(document.samples).filter(([id]) => reached.has(id)))
  return {
    document: { ...document, nodes, edges, stores, samples },
    leftOut: document.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id),
  }
}
