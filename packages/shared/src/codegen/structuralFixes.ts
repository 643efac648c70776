import type { Fix } from '@lanescope/core'
import { isPartName } from '../document/partNames.js'
import type { DocumentEdge, DocumentNode, TopologyDocument } from '../document/TopologyDocument.js'
import { serdeOf, sourceOf } from './serdeOfId.js'

type Of<K extends Fix['kind']> = Extract<Fix, { kind: K }>

/** From one node to the next in a drawing, and how much of that a node takes, in px. */
const COLUMN = 216
const LEAST_COLUMN = 160

/** Puts a repartition on the only edge into a node; nothing changes where there are several, or none. */
export function insertRepartition(document: TopologyDocument, fix: Of<'insert-repartition'>): TopologyDocument {
  const node = document.nodes.find((one) => isPartName(one, fix.before))
  const [edge, ...others] = document.edges.filter(({ to }) => to === node?.id)
  const from = document.nodes.find(({ id }) => id === edge?.from)
  if (node === undefined || edge === undefined || from === undefined || others.length > 0) return document
  const id = freeId(document, `${node.id}-repartition`)
  const keyType = sourceOf(node, document)?.properties.keyType ?? 'unknown'
  const key = fix.keySerde === undefined ? undefined : serdeOf(fix.keySerde, keyType)
  const made: DocumentNode = {
    id,
    kind: 'repartition',
    name: freeName(document, `to-${node.name}`),
    position: { x: from.position.x + COLUMN, y: from.position.y },
    properties: key === undefined ? {} : { key },
  }
  const { to: _, ...into } = edge
  const out: DocumentEdge = { id: freeEdgeId(document, `${id}-${node.id}`), from: id, to: node.id }
  return {
    ...document,
    nodes: [...makeRoom(document.nodes, from, node), made],
    edges: [...document.edges.map((one) => (one === edge ? { ...into, to: id } : one)), out],
  }
}

/** Everything from the second node on moves right, as far as a node between the two needs it. */
function makeRoom(nodes: readonly DocumentNode[], from: DocumentNode, to: DocumentNode): readonly DocumentNode[] {
  const lacking = 2 * COLUMN - (to.position.x - from.position.x)
  if (lacking <= 2 * (COLUMN - LEAST_COLUMN)) return nodes
  return nodes.map((node) =>
    node.position.x >= to.position.x && node !== from
      ? { ...node, position: { ...node.position, x: node.position.x + lacking } }
      : node,
  )
}

/** Adds a sink behind a node. */
export function addSink(document: TopologyDocument, fix: Of<'add-sink'>): TopologyDocument {
  const node = document.nodes.find((one) => isPartName(one, fix.after))
  if (node === undefined || node.kind === 'sink') return document
  const id = freeId(document, `${node.id}-out`)
  const sink: DocumentNode = {
    id,
    kind: 'sink',
    name: freeName(document, fix.topic),
    position: { x: node.position.x + COLUMN, y: node.position.y },
    properties: { topic: fix.topic },
  }
  const edge = { id: freeEdgeId(document, `${node.id}-${id}`), from: node.id, to: id }
  return { ...document, nodes: [...document.nodes, sink], edges: [...document.edges, edge] }
}

function freeId({ nodes }: TopologyDocument, wanted: string): string {
  return free(
    wanted,
    nodes.map(({ id }) => id),
  )
}

function freeName({ nodes }: TopologyDocument, wanted: string): string {
  return free(
    wanted,
    nodes.map(({ name }) => name),
  )
}

function freeEdgeId({ edges }: TopologyDocument, wanted: string): string {
  return free(
    wanted,
    edges.map(({ id }) => id),
  )
}

function free(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const one = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.includes(one)) return one
  }
}
