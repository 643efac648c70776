import { type DocumentEdge, formOf, joinInputs, type TopologyDocument } from '@lanescope/shared'
import { connectRefusal } from '../connectRules.js'
import { freeId, idsOf, nodeById } from '../queries.js'

/** Draws an edge; one that the rules refuse changes nothing. Ask `connectRefusal` for the reason. */
export function connect(
  document: TopologyDocument,
  from: string,
  to: string,
  side?: DocumentEdge['side'],
): TopologyDocument {
  if (connectRefusal(document, from, to) !== undefined) return document
  const id = freeId(idsOf(document.edges), `${from}-${to}`)
  const taken = side ?? freeSide(document, from, to)
  const edge: DocumentEdge = { id, from, to, ...(taken === undefined ? {} : { side: taken }) }
  return { ...document, edges: [...document.edges, edge] }
}

/** The side of a join that is free, of two the one that takes what `from` gives; undefined for any other node. */
function freeSide(document: TopologyDocument, from: string, to: string): DocumentEdge['side'] {
  const join = nodeById(document, to)
  const source = nodeById(document, from)
  if (join?.kind !== 'join' || source === undefined) return undefined
  const { left, right } = joinInputs(document, to)
  if (left !== undefined) return 'right'
  if (right !== undefined) return 'left'
  const isTable = formOf(document, source) !== 'stream'
  return isTable && join.properties.of === 'stream-table' ? 'right' : 'left'
}

/** Lets the two inputs of a join change places. */
export function swapSides(document: TopologyDocument, join: string): TopologyDocument {
  const { left, right } = joinInputs(document, join)
  return {
    ...document,
    edges: document.edges.map((edge) => {
      if (edge.id === left?.id) return { ...edge, side: 'right' as const }
      return edge.id === right?.id ? { ...edge, side: 'left' as const } : edge
    }),
  }
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
  const next = connect(without, from, to, edge.to === to ? edge.side : undefined)
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
