import type { DocumentEdge, TopologyDocument } from '@lanescope/shared'
import { connectRefusal } from '../connectRules.js'
import { freeId, idsOf } from '../queries.js'

/** Draws an edge; one that the rules refuse changes nothing. Ask `connectRefusal` for the reason. */
export function connect(document: TopologyDocument, from: string, to: string): TopologyDocument {
  if (connectRefusal(document, from, to) !== undefined) return document
  const edge: DocumentEdge = { id: freeId(idsOf(document.edges), `${from}-${to}`), from, to }
  return { ...document, edges: [...document.edges, edge] }
}

export function disconnect(document: TopologyDocument, ids: readonly string[]): TopologyDocument {
  const edges = document.edges.filter((edge) => !ids.includes(edge.id))
  return edges.length === document.edges.length ? document : { ...document, edges }
}

/** Moves an end of an edge to another node; refused, it stays. */
export function reconnect(document: TopologyDocument, id: string, from: string, to: string): TopologyDocument {
  const edge = document.edges.find((one) => one.id === id)
  if (!edge || (edge.from === from && edge.to === to)) return document
  const without = disconnect(document, [id])
  const next = connect(without, from, to)
  return next === without ? document : next
}

/** Puts a node into an edge: from → node → to. Undefined with the reason when it does not fit there. */
export function splice(
  document: TopologyDocument,
  edgeId: string,
  node: string,
): { readonly document: TopologyDocument } | { readonly refusal: string } {
  const edge = document.edges.find((one) => one.id === edgeId)
  if (!edge) return { refusal: 'The edge is gone.' }
  if (edge.from === node || edge.to === node) return { refusal: 'The edge ends at this node already.' }
  const open = disconnect(document, [edgeId])
  const before = connectRefusal(open, edge.from, node)
  if (before !== undefined) return { refusal: before }
  const joined = connect(open, edge.from, node)
  const after = connectRefusal(joined, node, edge.to)
  if (after !== undefined) return { refusal: after }
  return { document: connect(joined, node, edge.to) }
}
