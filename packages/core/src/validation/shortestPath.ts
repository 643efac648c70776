import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { PathEdge } from './laneEntries.js'

/** The edges from one node to another, by the fewest; empty when there is no way, or when the two are one. */
export function shortestPath(topology: CompiledTopology, from: string, to: string): readonly PathEdge[] {
  const paths = new Map<string, readonly PathEdge[]>([[from, []]])
  for (const [name, path] of paths) {
    if (name === to) return path
    for (const child of topology.node(name).children) {
      if (!paths.has(child)) paths.set(child, [...path, { from: name, to: child }])
    }
  }
  return []
}
