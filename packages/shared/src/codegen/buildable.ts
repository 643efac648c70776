import { type MissingPart, unbuildable } from '../document/incompleteness.js'
import { joinInputs } from '../document/nodeForms.js'
import type { DocumentEdge, DocumentNode, TopologyDocument } from '../document/TopologyDocument.js'

/** A node that can be built, with the parents that can. */
export interface BuildableNode {
  readonly node: DocumentNode
  /** In the order of their edges; of a join: left, right. */
  readonly parents: readonly DocumentNode[]
  /** The edge from each of them. */
  readonly edges: readonly DocumentEdge[]
}

export interface Buildable {
  /** Each after its parents; else in document order, which decides ties in the engine too. */
  readonly nodes: readonly BuildableNode[]
  /** Why the others are left out; a node that only hangs below one of these is left out with it. */
  readonly leftOut: readonly MissingPart[]
}

/** The part of a drawing that can be built. All of it, when nothing is missing. */
export function buildableNodes(document: TopologyDocument): Buildable {
  const leftOut = unbuildable(document)
  const unfinished = new Set(leftOut.map((part) => part.nodeId))
  const built = new Map<string, BuildableNode>()
  for (const node of topologicalOrder(document)) {
    if (unfinished.has(node.id)) continue
    const edges = inputEdges(document, node).filter(({ from }) => built.has(from))
    const parents = edges.flatMap(({ from }) => built.get(from)?.node ?? [])
    // Half a join is none.
    const needed = node.kind === 'source' ? 0 : node.kind === 'join' ? 2 : 1
    if (parents.length >= needed) built.set(node.id, { node, parents, edges })
  }
  return { nodes: [...built.values()], leftOut }
}

function inputEdges(document: TopologyDocument, node: DocumentNode): readonly DocumentEdge[] {
  if (node.kind !== 'join') return document.edges.filter((edge) => edge.to === node.id)
  const { left, right } = joinInputs(document, node.id)
  return [left, right].filter((edge) => edge !== undefined)
}

/** Nodes, each after all that lead into it, else in document order; those of a cycle, which `parseDocument` refuses, are absent. */
export function topologicalOrder(document: Pick<TopologyDocument, 'nodes' | 'edges'>): DocumentNode[] {
  const waitingFor = new Map(document.nodes.map((node) => [node.id, 0]))
  const children = new Map<string, string[]>()
  for (const { from, to } of document.edges) {
    if (!waitingFor.has(from) || !waitingFor.has(to)) continue
    waitingFor.set(to, (waitingFor.get(to) as number) + 1)
    const list = children.get(from)
    if (list) list.push(to)
    else children.set(from, [to])
  }
  const ordered: DocumentNode[] = []
  const rest = [...document.nodes]
  for (;;) {
    const at = rest.findIndex((node) => waitingFor.get(node.id) === 0)
    const [node] = at === -1 ? [] : rest.splice(at, 1)
    if (node === undefined) break
    ordered.push(node)
    for (const child of children.get(node.id) ?? []) waitingFor.set(child, (waitingFor.get(child) as number) - 1)
  }
  return ordered
}
