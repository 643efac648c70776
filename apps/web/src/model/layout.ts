import { graphlib, layout as runDagre } from '@dagrejs/dagre'
import type { TopologyDocument } from '@lanescope/shared'
import type { Position } from './commands/nodes.js'
import { storesOf } from './queries.js'

export const NODE_WIDTH = 120
export const NODE_HEIGHT = 46
export const STORE_HEIGHT = 17
/** Column and row pitch of a tidy graph leave room for chips, store tags and numbered places. */
const COLUMN_GAP = 96
const ROW_GAP = 76
const GRID = 2

/** Height of a node with the stores that hang below it. */
export function heightWithStores(document: TopologyDocument, id: string): number {
  const node = document.nodes.find((one) => one.id === id)
  return NODE_HEIGHT + (node ? storesOf(document, node).length * STORE_HEIGHT : 0)
}

/**
 * A layered layout from left to right, of the whole graph or of the nodes given. A part is laid out in place:
 * its upper left corner stays.
 */
export function tidy(document: TopologyDocument, ids?: readonly string[]): ReadonlyMap<string, Position> {
  const chosen = document.nodes.filter((node) => ids === undefined || ids.length < 2 || ids.includes(node.id))
  if (chosen.length === 0) return new Map()
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', ranksep: COLUMN_GAP, nodesep: ROW_GAP, marginx: 0, marginy: 0 })
  graph.setDefaultEdgeLabel(() => ({}))
  // As much above as its stores take below: nodes stand level in a row, and tracks between them run straight.
  const reserved = (id: string) => 2 * heightWithStores(document, id) - NODE_HEIGHT
  for (const { id } of chosen) graph.setNode(id, { width: NODE_WIDTH, height: reserved(id) })
  for (const edge of document.edges)
    if (graph.hasNode(edge.from) && graph.hasNode(edge.to)) graph.setEdge(edge.from, edge.to)
  runDagre(graph)
  const places = chosen.map((node) => {
    const at = graph.node(node.id) as { x: number; y: number }
    return { id: node.id, x: at.x - NODE_WIDTH / 2, y: at.y - NODE_HEIGHT / 2 }
  })
  const origin = corner(chosen.map((node) => node.position))
  const own = corner(places)
  const snap = (value: number) => Math.round(value / GRID) * GRID
  return new Map(
    places.map((place) => [place.id, { x: snap(place.x - own.x + origin.x), y: snap(place.y - own.y + origin.y) }]),
  )
}

function corner(places: readonly Position[]): Position {
  return { x: Math.min(...places.map((place) => place.x)), y: Math.min(...places.map((place) => place.y)) }
}

/**
 * A free place for a new node: right of `parent`, below what stands there already. One without a parent is the first of
 * a sub-topology of its own, and its outline keeps clear of the row above.
 */
export function placeBeside(document: TopologyDocument, parent: string | undefined): Position {
  const from = document.nodes.find((node) => node.id === parent)
  const gap = from ? ROW_GAP / 2 : ROW_GAP
  const x = from ? from.position.x + NODE_WIDTH + COLUMN_GAP - 24 : freeColumn(document)
  const top = from?.position.y ?? document.nodes[0]?.position.y ?? 0
  let y = top
  const hit = () =>
    document.nodes.find(
      (node) =>
        Math.abs(node.position.x - x) < NODE_WIDTH &&
        Math.abs(node.position.y - y) < heightWithStores(document, node.id) + gap,
    )
  for (let blocked = hit(); blocked; blocked = hit())
    y = blocked.position.y + heightWithStores(document, blocked.id) + gap
  return { x, y }
}

function freeColumn(document: TopologyDocument): number {
  if (document.nodes.length === 0) return 0
  return Math.min(...document.nodes.map((node) => node.position.x))
}
