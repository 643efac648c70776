import type { EngineConfig } from '../EngineConfig.js'
import type { LaneEdge, LaneGraph } from './LaneGraph.js'

/**
 * The edges on which records cross to the lane of their new key.
 *
 * - `repartition()` always is one, and so is the repartition of an aggregation whose records may be off their lane (B1).
 * - An edge out of a user's processor that may change keys is one iff the child, or a node below it before the next
 *   boundary, has a store or a timer (B6).
 * - An edge into a user's processor is one when a DSL operator upstream has changed the key since (B1, `lazy`).
 * - `eager`: every edge out of a node that may change keys is one, unless it leads to a sink, which needs no lane, or
 *   its records cross right behind it.
 * - Where a node is fed both from behind a boundary and from before it, its other edges are boundaries too: otherwise
 *   a sub-topology would feed itself, and queues could wait for each other in a circle (L7).
 *   A sink is exempt: nothing comes behind it, and it writes from whichever lane forwards to it.
 */
export function findBoundaries(graph: LaneGraph, split: EngineConfig['boundary.split']): Set<LaneEdge> {
  const boundaries = new Set(graph.edges.filter((edge) => edge.repartition !== undefined))
  if (split === 'eager') addAtKeyChanges(graph, boundaries)
  addBehindProcessors(graph, boundaries)
  addBeforeProcessors(graph, boundaries)
  removeNeedless(graph, boundaries)
  addLevelling(graph, boundaries)
  return boundaries
}

function addAtKeyChanges(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  for (const edge of graph.edges) {
    if (!graph.changesKey(edge.from) || graph.node(edge.to).kind === 'sink') continue
    const next = graph.outOf(edge.to)
    const crossesNext = next.length > 0 && next.every((following) => following.repartition !== undefined)
    if (!crossesNext) boundaries.add(edge)
  }
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

/** An aggregation or a join whose records have crossed since their key changed, in front of `processValues` say, needs no second crossing. */
function removeNeedless(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  const offLane = new Set<string>()
  for (const { name } of graph.nodes) {
    for (const edge of graph.into(name)) {
      const off = offLane.has(edge.from)
      if (!boundaries.has(edge)) {
        if (off) offLane.add(name)
      } else if (!off && (edge.repartition?.by === 'Grouped' || edge.repartition?.by === 'Joined'))
        boundaries.delete(edge)
    }
    if (graph.changesKey(name)) offLane.add(name)
  }
}

function addLevelling(graph: LaneGraph, boundaries: Set<LaneEdge>): void {
  const levels = new Map<string, number>()
  for (const { name, kind } of graph.nodes) {
    const level = levelOf(graph, boundaries, levels, name)
    levels.set(name, level)
    if (kind === 'sink') continue
    for (const edge of graph.into(name)) if (levelBehind(boundaries, levels, edge) < level) boundaries.add(edge)
  }
}

/** The edges that keep both ends in one sub-topology: no boundary, and into a sink only from its parents furthest down. */
export function joiningEdges(graph: LaneGraph, boundaries: ReadonlySet<LaneEdge>): LaneEdge[] {
  const levels = new Map<string, number>()
  return graph.nodes.flatMap(({ name }) => {
    const level = levelOf(graph, boundaries, levels, name)
    levels.set(name, level)
    return graph.into(name).filter((edge) => !boundaries.has(edge) && levelBehind(boundaries, levels, edge) === level)
  })
}

/** How many boundaries the longest way to a node crosses. */
function levelOf(
  graph: LaneGraph,
  boundaries: ReadonlySet<LaneEdge>,
  levels: ReadonlyMap<string, number>,
  name: string,
): number {
  return Math.max(0, ...graph.into(name).map((edge) => levelBehind(boundaries, levels, edge)))
}

function levelBehind(boundaries: ReadonlySet<LaneEdge>, levels: ReadonlyMap<string, number>, edge: LaneEdge): number {
  return (levels.get(edge.from) ?? 0) + (boundaries.has(edge) ? 1 : 0)
}
