import type { CompiledBoundary, CompiledNode, CompiledTopology } from '../topology/CompiledTopology.js'

export interface PathEdge {
  readonly from: string
  readonly to: string
}

/** Where records of a node got their lane: at a source, by raw bytes, or at a boundary, by its serde (L4). */
export type LaneEntry =
  | { readonly kind: 'source'; readonly source: CompiledNode; readonly path: readonly PathEdge[] }
  | { readonly kind: 'boundary'; readonly boundary: CompiledBoundary; readonly path: readonly PathEdge[] }

/** Every way into a node's lanes, nearest first, each with the shortest path from there to the node. */
export function laneEntries(topology: CompiledTopology, name: string): LaneEntry[] {
  const entries: LaneEntry[] = []
  const seen = new Set([name])
  const open: { readonly name: string; readonly path: readonly PathEdge[] }[] = [{ name, path: [] }]
  for (const { name: at, path } of open) {
    const node = topology.node(at)
    if (node.kind === 'source') entries.push({ kind: 'source', source: node, path })
    for (const parent of node.parents) {
      const longer = [{ from: parent, to: at }, ...path]
      const boundary = topology.boundaries.find(({ from, to }) => from === parent && to === at)
      if (boundary !== undefined) entries.push({ kind: 'boundary', boundary, path: longer })
      else if (!seen.has(parent)) {
        seen.add(parent)
        open.push({ name: parent, path: longer })
      }
    }
  }
  return entries
}
