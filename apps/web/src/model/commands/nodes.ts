import type { DocumentNode, SourceNode, TopologyDocument } from '@lanescope/shared'
import { kindFacts, type PaletteKind } from '../nodeKinds.js'
import { freeId, freeName, idsOf, namesOf, nodeById, sourcesOf } from '../queries.js'
import type { Workspace } from '../Workspace.js'
import { connectNodes } from './connectNodes.js'
import { createNode } from './createNode.js'
import { connect, type EdgeWords, wordsFor } from './edges.js'

export interface Position {
  readonly x: number
  readonly y: number
}

/** Adds a node of a kind; one with code comes with a file of its own. Returns what it became and its id. */
export function addNode(
  workspace: Workspace,
  kind: PaletteKind,
  position: Position,
  parent?: string,
): { readonly workspace: Workspace; readonly id: string } {
  const { document } = workspace
  const name = freeName(namesOf(document.nodes), kindFacts(kind).baseName)
  const id = freeId(idsOf(document.nodes), name)
  const upstream = parent === undefined ? undefined : sourcesOf(document, parent)[0]
  const only = document.nodes.filter((node): node is SourceNode => node.kind === 'source')
  const source = upstream ?? (only.length === 1 ? only[0] : undefined)
  const around = { workspace, parent, source }
  const { node, files } = createNode(kind, { id, name, position: rounded(position) }, around)
  const added = { ...workspace, document: { ...document, nodes: [...document.nodes, node] }, files }
  if (parent === undefined) return { workspace: added, id }
  return { workspace: connectNodes(added, parent, id), id }
}

/** Removes nodes with their edges, samples and suppressions, and the stores that nobody else uses. Code files stay. */
export function removeNodes(document: TopologyDocument, ids: readonly string[]): TopologyDocument {
  const gone = new Set(ids.filter((id) => nodeById(document, id) !== undefined))
  if (gone.size === 0) return document
  const bridges = [...gone].flatMap((id) => bridge(document, id, gone))
  const nodes = document.nodes.filter((node) => !gone.has(node.id))
  const used = new Set(nodes.flatMap((node) => (node.kind === 'processor' ? node.properties.stores : [])))
  const lost = new Set(
    document.nodes.flatMap((node) => (gone.has(node.id) && node.kind === 'processor' ? node.properties.stores : [])),
  )
  const kept: TopologyDocument = {
    ...document,
    nodes,
    edges: document.edges.filter((edge) => !gone.has(edge.from) && !gone.has(edge.to)),
    stores: document.stores.filter((store) => used.has(store.id) || !lost.has(store.id)),
    samples: Object.fromEntries(Object.entries(document.samples).filter(([id]) => !gone.has(id))),
    suppressions: document.suppressions.filter((one) => !gone.has(one.node)),
  }
  return bridges.reduce((next, [from, to, words]) => connect(next, from, to, words), kept)
}

/** A step with one way in and one way out leaves its neighbours joined. */
function bridge(document: TopologyDocument, id: string, gone: ReadonlySet<string>): [string, string, EdgeWords][] {
  const before = document.edges.filter((edge) => edge.to === id)
  const after = document.edges.filter((edge) => edge.from === id)
  const [into, out] = [before[0], after[0]]
  if (before.length !== 1 || after.length !== 1 || into === undefined || out === undefined) return []
  const [from, to] = [into.from, out.to]
  if (gone.has(from) || gone.has(to)) return []
  return [[from, to, { ...wordsFor(into, from, to), ...wordsFor(out, from, to) }]]
}

export function renameNode(document: TopologyDocument, id: string, name: string): TopologyDocument {
  return changeNode(document, id, (node) => (node.name === name ? node : { ...node, name }))
}

/** Moves nodes to places; positions are whole pixels. */
export function moveNodes(document: TopologyDocument, places: ReadonlyMap<string, Position>): TopologyDocument {
  let moved = false
  const nodes = document.nodes.map((node) => {
    const place = places.get(node.id)
    if (!place) return node
    const position = rounded(place)
    if (position.x === node.position.x && position.y === node.position.y) return node
    moved = true
    return { ...node, position }
  })
  return moved ? { ...document, nodes } : document
}

const rounded = (place: Position): Position => ({ x: Math.round(place.x), y: Math.round(place.y) })

/** Replaces one node by what `change` makes of it. */
export function changeNode(
  document: TopologyDocument,
  id: string,
  change: (node: DocumentNode) => DocumentNode,
): TopologyDocument {
  const index = document.nodes.findIndex((node) => node.id === id)
  const node = document.nodes[index]
  if (!node) return document
  const next = change(node)
  return next === node ? document : { ...document, nodes: document.nodes.with(index, next) }
}

/** Sets properties of a node of a kind; undefined takes one away. A node of another kind is left as it is. */
export function setProperties<K extends DocumentNode['kind']>(
  document: TopologyDocument,
  id: string,
  kind: K,
  patch: PropertiesPatch<K>,
): TopologyDocument {
  return changeNode(document, id, (node) => {
    if (node.kind !== kind) return node
    const entries = Object.entries({ ...node.properties, ...patch }).filter(([, value]) => value !== undefined)
    return { ...node, properties: Object.fromEntries(entries) } as DocumentNode
  })
}

/** Properties to set; undefined takes one away. */
export type PropertiesPatch<K extends DocumentNode['kind']> = {
  readonly [P in keyof PropertiesOf<K>]?: PropertiesOf<K>[P] | undefined
}

type PropertiesOf<K extends DocumentNode['kind']> = Extract<DocumentNode, { kind: K }>['properties']

/** A note on a node; an empty one takes it away. */
export function setNote(document: TopologyDocument, id: string, note: string): TopologyDocument {
  return changeNode(document, id, (node) => {
    const { note: _, ...rest } = node
    return (note === '' ? rest : { ...rest, note }) as DocumentNode
  })
}
