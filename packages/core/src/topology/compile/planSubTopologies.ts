import type { CompiledSubTopology } from '../CompiledTopology.js'
import type { EngineConfig } from '../EngineConfig.js'
import { joiningEdges } from './findBoundaries.js'
import { Groups } from './Groups.js'
import { type LaneEdge, type LaneGraph, readsTopics } from './LaneGraph.js'

/** Lanes when nothing says how many (L5): they are concurrency, not cores. */
export const defaultLaneCount = 16

export interface SubTopologyPlan {
  readonly list: readonly CompiledSubTopology[]
  indexOf(node: string): number
}

type Lanes = Pick<CompiledSubTopology, 'laneCount' | 'laneCountFrom' | 'lanesAsked'>

/** Splits the graph at its boundaries, and gives each part its lanes (L5), its turn (L1) and what feeds it (L7). */
export function planSubTopologies(
  graph: LaneGraph,
  boundaries: ReadonlySet<LaneEdge>,
  config: EngineConfig,
): SubTopologyPlan {
  const members = splitAt(graph, boundaries)
  const indexes = new Map(members.flatMap((names, index) => names.map((name) => [name, index] as const)))
  const indexOf = (name: string) => indexes.get(name) as number
  const turns = shareTurns(graph, members.length, indexOf)
  const lanes = members.map((_, index) => {
    const sharing = members.filter((_names, other) => turns[other] === turns[index]).flat()
    return lanesOf(graph, sharing, config)
  })
  const list = members.map((nodes, index) => ({
    index,
    ...(lanes[index] as Lanes),
    nodes,
    sources: nodes.filter((name) => readsTopics(graph.node(name))),
    upstream: upstreamOf(boundaries, index, indexOf),
    turn: turns[index] as number,
    sync: nodes.every((name) => isSync(graph, name)),
  }))
  return { list, indexOf }
}

function splitAt(graph: LaneGraph, boundaries: ReadonlySet<LaneEdge>): string[][] {
  const groups = new Groups(graph.nodes.map((node) => node.name))
  for (const edge of joiningEdges(graph, boundaries)) groups.join(edge.from, edge.to)
  return groups.list()
}

/** Sub-topologies that use one store take turns; the turn's number is that of the first of them. */
function shareTurns(graph: LaneGraph, count: number, indexOf: (name: string) => number): number[] {
  const groups = new Groups(Array.from({ length: count }, (_, index) => String(index)))
  for (const { processors } of graph.definition.stores.values()) {
    const [first, ...others] = processors
    for (const other of others) groups.join(String(indexOf(first as string)), String(indexOf(other)))
  }
  const turns = new Array<number>(count).fill(0)
  for (const group of groups.list()) for (const index of group) turns[Number(index)] = Number(group[0])
  return turns
}

/** L5: the largest number that a source, a grouping or a repartition asks for, else the config's, else 16. */
function lanesOf(graph: LaneGraph, names: readonly string[], config: EngineConfig): Lanes {
  const lanesAsked = names.flatMap((node) => askedLanes(graph, node).map((laneCount) => ({ node, laneCount })))
  const laneCount = Math.max(0, ...lanesAsked.map((asked) => asked.laneCount))
  const largest = lanesAsked.find((asked) => asked.laneCount === laneCount)
  if (largest !== undefined) {
    return { laneCount, laneCountFrom: { by: 'numberOfLanes', node: largest.node }, lanesAsked }
  }
  const configured = config['lanes.count']
  if (configured === undefined) return { laneCount: defaultLaneCount, laneCountFrom: { by: 'default' }, lanesAsked }
  const by = config['num.stream.threads'] === undefined ? 'lanes.count' : 'num.stream.threads'
  return { laneCount: configured, laneCountFrom: { by }, lanesAsked }
}

function askedLanes(graph: LaneGraph, name: string): number[] {
  const node = graph.node(name)
  const own =
    node.kind === 'source'
      ? node.consumed.options.numberOfLanes
      : node.kind === 'processor'
        ? node.numberOfLanes
        : undefined
  const crossing = graph.into(name).map((edge) => edge.repartition?.numberOfLanes)
  return [own, ...crossing].filter((asked) => asked !== undefined)
}

function upstreamOf(boundaries: ReadonlySet<LaneEdge>, index: number, indexOf: (name: string) => number): number[] {
  const feeding = [...boundaries].filter((edge) => indexOf(edge.to) === index).map((edge) => indexOf(edge.from))
  return [...new Set(feeding)].sort((a, b) => a - b)
}

function isSync(graph: LaneGraph, name: string): boolean {
  const node = graph.node(name)
  return node.kind !== 'processor' || node.supplier.sync === true
}
