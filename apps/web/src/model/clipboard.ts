import {
  type DocumentEdge,
  type DocumentNode,
  type DocumentStore,
  ownStoreOf,
  type TopologyDocument,
} from '@lanescope/shared'
import { connect } from './commands/edges.js'
import type { Position } from './commands/nodes.js'
import { modulesOf } from './nodeKinds.js'
import { freeId, freeName, idsOf, namesOf } from './queries.js'
import { type Workspace, withDocument } from './Workspace.js'

/** What copy puts on the clipboard: nodes with all that belongs to them, so that it can be pasted into another project. */
export interface Clip {
  readonly lanescope: 'clip'
  readonly nodes: readonly DocumentNode[]
  readonly edges: readonly DocumentEdge[]
  readonly stores: readonly DocumentStore[]
  readonly samples: TopologyDocument['samples']
  readonly files: Workspace['files']
}

export function copyNodes(workspace: Workspace, ids: readonly string[]): Clip {
  const { document, files } = workspace
  const nodes = document.nodes.filter((node) => ids.includes(node.id))
  const storeIds = new Set(nodes.flatMap((node) => (node.kind === 'processor' ? node.properties.stores : [])))
  const paths = nodes.flatMap((node) => modulesOf(document, node)).map(pathOf)
  return {
    lanescope: 'clip',
    nodes,
    edges: document.edges.filter((edge) => ids.includes(edge.from) && ids.includes(edge.to)),
    stores: document.stores.filter((store) => storeIds.has(store.id)),
    samples: Object.fromEntries(Object.entries(document.samples).filter(([id]) => ids.includes(id))),
    files: Object.fromEntries(Object.entries(files).filter(([path]) => paths.includes(path))),
  }
}

/** The path under `src/` of a module that the document names. */
export const pathOf = (module: string): string => `${module.replace(/^\.\//, '')}.ts`

/** Reads a clip from clipboard text; undefined for any other text. */
export function parseClip(text: string): Clip | undefined {
  if (!text.startsWith('{"lanescope":"clip"')) return undefined
  try {
    const clip = JSON.parse(text) as Partial<Clip>
    const whole = Array.isArray(clip.nodes) && Array.isArray(clip.edges) && Array.isArray(clip.stores)
    return whole && clip.files && clip.samples ? (clip as Clip) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Adds a clip under free ids and names, shifted by `by`. A store that is shared in the clip stays shared. */
export function pasteClip(
  workspace: Workspace,
  clip: Clip,
  by: Position,
): { readonly workspace: Workspace; readonly ids: readonly string[] } {
  const { document } = workspace
  const stores = renameStores(document, clip.stores)
  const nodeIds = new Map<string, string>()
  const takenIds = new Set(idsOf(document.nodes))
  const takenNames = new Set(namesOf(document.nodes))
  const takenStores = new Set([
    ...namesOf(document.stores),
    ...stores.list.map((store) => store.name),
    ...ownStoreNames(document),
  ])
  const nodes = clip.nodes.map((node) => {
    const name = freeName(takenNames, node.name)
    const id = freeId(takenIds, name)
    takenNames.add(name)
    takenIds.add(id)
    nodeIds.set(node.id, id)
    const position = { x: node.position.x + by.x, y: node.position.y + by.y }
    return pastedNode({ ...node, id, name, position }, stores.ids, takenStores)
  })
  const samples = Object.entries(clip.samples).map(([id, sample]) => [nodeIds.get(id) ?? id, sample])
  const added: Workspace = {
    ...workspace,
    // A file of that name that is here already is this project's own: it wins.
    files: { ...clip.files, ...workspace.files },
    document: {
      ...document,
      nodes: [...document.nodes, ...nodes],
      stores: [...document.stores, ...stores.list],
      samples: { ...document.samples, ...Object.fromEntries(samples) },
    },
  }
  const joined = clip.edges.reduce(
    (next, edge) =>
      withDocument(next, (at) => connect(at, nodeIds.get(edge.from) ?? '', nodeIds.get(edge.to) ?? '', edge)),
    added,
  )
  return { workspace: joined, ids: nodes.map((node) => node.id) }
}

function renameStores(document: TopologyDocument, stores: readonly DocumentStore[]) {
  const names = new Set([...namesOf(document.stores), ...ownStoreNames(document)])
  const takenIds = new Set(idsOf(document.stores))
  const ids = new Map<string, string>()
  const list = stores.map((store) => {
    const name = freeName(names, store.name)
    const id = freeId(takenIds, name)
    names.add(name)
    takenIds.add(id)
    ids.set(store.id, id)
    return { ...store, id, name }
  })
  return { ids, list }
}

const ownStoreNames = (document: TopologyDocument): readonly string[] =>
  document.nodes.flatMap((node) => ownStoreOf(node) ?? [])

function pastedNode(node: DocumentNode, storeIds: ReadonlyMap<string, string>, takenStores: Set<string>): DocumentNode {
  if (node.kind === 'processor') {
    const stores = node.properties.stores.flatMap((id) => storeIds.get(id) ?? [])
    return { ...node, properties: { ...node.properties, stores } }
  }
  const own = ownStoreOf(node)
  if (own === undefined) return node
  const storeName = freeName(takenStores, own)
  takenStores.add(storeName)
  if (node.kind === 'source')
    return { ...node, properties: { ...node.properties, table: { ...node.properties.table, storeName } } }
  return { ...node, properties: { ...node.properties, storeName } } as DocumentNode
}
