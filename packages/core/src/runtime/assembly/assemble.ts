import type { CompiledEdge, CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import { ClockBoard } from '../clocks/ClockBoard.js'
import { NodeRuntime } from '../nodes/NodeRuntime.js'
import { Lane, type LaneHost } from '../scheduling/Lane.js'
import { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'

/** The moving parts of a topology, before anything runs. */
export interface Assembly {
  readonly nodes: ReadonlyMap<string, NodeRuntime>
  readonly subTopologies: readonly SubTopologyRuntime[]
  readonly lanes: readonly Lane[]
  readonly clocks: ClockBoard
  /** Sources whose records move each clock group (W2). */
  readonly clockGroups: readonly (readonly string[])[]
  /** Clock groups of nodes without a topic source upstream, by the scheduled sources whose ticks move them (W2). */
  readonly tickedGroups: ReadonlyMap<string, readonly number[]>
}

/**
 * Builds nodes, queues, lanes and the clock board of a compiled topology.
 *
 * @param singleLane one running lane a sub-topology, as in the test driver (D1)
 * @param oneClock all sources move one clock, as the single task of the test driver does
 */
export function assemble(
  compiled: CompiledTopology,
  capacity: number,
  host: LaneHost,
  singleLane: boolean,
  oneClock: boolean,
): Assembly {
  const subTopologies = compiled.subTopologies.map(
    (sub) => new SubTopologyRuntime(sub, singleLane ? 1 : sub.laneCount, capacity),
  )
  linkSubTopologies(subTopologies)
  const groups = groupClocks(compiled, oneClock)
  const clocks = new ClockBoard(
    groups.members.length,
    subTopologies.length,
    compiled.subTopologies.map((sub) => [...sub.upstream, ...storesAwaited(compiled, sub.index)]),
  )
  const nodes = new Map<string, NodeRuntime>()
  for (const node of compiled.nodes) {
    const sub = subTopologies[node.subTopology] as SubTopologyRuntime
    const runtime = new NodeRuntime(node, sub, groups.of(node))
    nodes.set(node.name, runtime)
    sub.nodes.push(runtime)
  }
  for (const edge of compiled.edges) linkNodes(edge, compiled, nodes)
  for (const node of nodes.values()) node.clock = nodes.get(node.compiled.clock ?? node.name) as NodeRuntime
  const { members: clockGroups, ticked: tickedGroups } = groups
  return { nodes, subTopologies, lanes: makeLanes(subTopologies, host), clocks, clockGroups, tickedGroups }
}

/** Sub-topologies that fill a store which a node of this one looks up as of a time, and so must not run ahead of. */
function storesAwaited(compiled: CompiledTopology, subTopology: number): number[] {
  const waiting = compiled.nodes.filter((node) => node.subTopology === subTopology && node.facts?.waitsForStores)
  const stores = new Set(waiting.flatMap((node) => node.stores))
  return compiled.stores
    .filter(({ name }) => stores.has(name))
    .flatMap(({ nodes }) => nodes.map((name) => compiled.node(name).subTopology))
}

function linkSubTopologies(subTopologies: readonly SubTopologyRuntime[]): void {
  for (const sub of subTopologies) {
    for (const index of sub.compiled.upstream) {
      const feeder = subTopologies[index] as SubTopologyRuntime
      sub.upstream.push(feeder)
      feeder.downstream.push(sub)
    }
  }
}

function linkNodes(edge: CompiledEdge, compiled: CompiledTopology, nodes: ReadonlyMap<string, NodeRuntime>): void {
  const parent = nodes.get(edge.from) as NodeRuntime
  const child = nodes.get(edge.to) as NodeRuntime
  const boundary = edge.boundary
    ? compiled.boundaries.find((candidate) => candidate.from === edge.from && candidate.to === edge.to)
    : undefined
  parent.children.push({ child, boundary, place: `${edge.from}-${edge.to}`, count: 0 })
}

/** One set of lanes for each turn; sub-topologies that share a store share the turn (L1). */
function makeLanes(subTopologies: readonly SubTopologyRuntime[], host: LaneHost): readonly Lane[] {
  const turns = new Map<number, SubTopologyRuntime[]>()
  for (const sub of subTopologies) {
    const sharing = turns.get(sub.compiled.turn)
    if (sharing) sharing.push(sub)
    else turns.set(sub.compiled.turn, [sub])
  }
  const all: Lane[] = []
  for (const sharing of turns.values()) {
    const downstreamFirst = [...sharing].sort((a, b) => depth(b) - depth(a) || b.index - a.index)
    const count = Math.max(...sharing.map((sub) => sub.runningLanes))
    const lanes = Array.from({ length: count }, (_, index) => {
      const served = downstreamFirst.filter((sub) => index < sub.runningLanes)
      return new Lane(index, served, host)
    })
    for (const sub of sharing) sub.lanes = lanes.slice(0, sub.runningLanes)
    all.push(...lanes)
  }
  return all
}

/** The longest way from a source, in boundaries. */
function depth(sub: SubTopologyRuntime): number {
  return sub.upstream.length === 0 ? 0 : 1 + Math.max(...sub.upstream.map(depth))
}

interface ClockGroups {
  readonly members: readonly (readonly string[])[]
  readonly ticked: ReadonlyMap<string, readonly number[]>
  readonly of: (node: CompiledNode) => number
}

/** Nodes with the same topic sources upstream see the same source clock (W2); those with none go by their ticks. */
function groupClocks(compiled: CompiledTopology, oneClock: boolean): ClockGroups {
  const topics = compiled.nodes.filter(({ source }) => source !== undefined && source.schedule === undefined)
  const movers = new Set(topics.filter(({ source }) => source?.feeds === 'stream').map(({ name }) => name))
  const schedules = schedulesAbove(compiled)
  const index = new Map<string, number>()
  const members: (readonly string[])[] = []
  const ticked = new Map<string, number[]>()
  const known = (key: string, moving: readonly string[]): number => {
    const group = index.get(key) ?? members.length
    if (group === members.length) {
      index.set(key, group)
      members.push(moving)
    }
    return group
  }
  const groupOf = (node: CompiledNode): number => {
    const above = schedules.get(node.name) ?? []
    if (node.sources.length === 0 && above.length > 0) {
      const group = known(`ticks\u0000${above.join('\u0000')}`, [])
      for (const source of above) {
        const groups = ticked.get(source) ?? []
        ticked.set(source, groups.includes(group) ? groups : [...groups, group])
      }
      return group
    }
    if (oneClock)
      return known(
        '',
        topics.filter(({ source }) => source?.feeds !== 'global').map(({ name }) => name),
      )
    const streams = node.sources.filter((source) => movers.has(source))
    // A node without a stream upstream goes by its table sources (W2).
    const moving = (streams.length > 0 ? streams : [...node.sources]).sort()
    return known(moving.join('\u0000'), moving)
  }
  const clockOf = ({ name, clock = name }: CompiledNode) => compiled.node(clock)
  const byNode = new Map(compiled.nodes.map((node) => [node.name, groupOf(clockOf(node))]))
  return { members, ticked, of: (node) => byNode.get(node.name) as number }
}

/** For each node the scheduled sources whose records reach it, itself included, in order. */
function schedulesAbove(compiled: CompiledTopology): ReadonlyMap<string, readonly string[]> {
  const above = new Map<string, readonly string[]>()
  for (const node of compiled.nodes) {
    const own = node.source?.schedule === undefined ? [] : [node.name]
    const inherited = node.parents.flatMap((parent) => above.get(parent) ?? [])
    above.set(node.name, [...new Set([...own, ...inherited])].sort())
  }
  return above
}
