import type { LaneEdge, LaneGraph } from './LaneGraph.js'

/**
 * The edges on which records cross to the lane of their new key.
 *
 * - A repartition of the DSL always is one (B1).
 * - An edge out of a user's processor that may change keys is one iff the child, or a node below it before the next
 *   boundary, has a store or a timer (B6).
 * - An edge into a user's processor is one when a DSL operator upstream has changed the key since (B1, `lazy`).
 * - Where a node is fed both from behind a boundary and from before it, its other edges are boundaries too: otherwise
 *   a sub-topology would feed itself, and queues could wait for each other in a circle (L7).
 */
export function findBoundaries(graph: LaneGraph): Set<LaneEdge> {
  const boundaries = new Set(graph.edges.filter((edge) => edge.repartition !== undefined))
  addBehindProcessors(graph, boundaries)
  addBeforeProcessors(graph, boundaries)
  addLevelling(graph, boundaries)
  return boundaries
}

function addBehindProcessors(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  const needy = new Set<string>()
  for (const { name } of [...graph.nodes].reverse()) {
    const node = graph.node(name)
    const opens = node.kind === 'processor' && node.userCode && graph.changesKey(name)
    for (const edge of graph.outOf(name)) {
      if (boundaries.has(edge) || !needy.has(edge.to)) continue
      if (opens) boundaries.add(edge)
      else needy.add(name)
    }
    if (graph.needsOwnLane(name)) needy.add(name)
  }
}

function addBeforeProcessors(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  const rekeyed = new Set<string>()
  for (const { name } of graph.nodes) {
    const node = graph.node(name)
    const userCode = node.kind === 'processor' && node.userCode
    for (const edge of graph.into(name)) {
      if (boundaries.has(edge) || !rekeyed.has(edge.from)) continue
      if (userCode) boundaries.add(edge)
      else rekeyed.add(name)
    }
    if (!userCode && graph.changesKey(name)) rekeyed.add(name)
  }
}

function addLevelling(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  const levels = new Map<string, number>()
  for (const { name } of graph.nodes) {
    const arrivals = graph.into(name).map((edge) => ({
      edge,
      level: (levels.get(edge.from) ?? 0) + (boundaries.has(edge) ? 1 : 0),
    }))
    const level = Math.max(0, ...arrivals.map((arrival) => arrival.level))
    levels.set(name, level)
    for (const arrival of arrivals) if (arrival.level < level) boundaries.add(arrival.edge)
  }
}
