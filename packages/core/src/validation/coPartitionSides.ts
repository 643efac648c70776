import type { CompiledBoundary, CompiledNode, CompiledTopology } from '../topology/CompiledTopology.js'
import { type LaneEntry, laneEntries } from './laneEntries.js'

/** What brings records to one side of a join: topics, or a boundary. */
export interface CoPartitioned {
  /** The node that is marked: the source, or the child side of the boundary. */
  readonly node: string
  readonly topics: readonly string[]
  readonly keySerdeId: string | undefined
  /** Whether people have declared that serde, here or upstream. */
  readonly declared: boolean
  /** Asked for by `Repartitioned`. */
  readonly numberOfPartitions: number | undefined
  readonly partitioner: CompiledBoundary['partitioner']
}

/** A join, and all that must be partitioned alike for its keys to meet. */
export interface CoPartitionGroup {
  readonly join: CompiledNode
  readonly sides: readonly CoPartitioned[]
}

/**
 * The groups of topics and boundaries that joins bring together (C.4): what leads to the join itself, and to the nodes
 * that keep the state it reads. Global tables take no part: each application has all of theirs.
 */
export function coPartitionGroups(topology: CompiledTopology): CoPartitionGroup[] {
  return topology.nodes
    .filter(({ facts }) => facts?.joins === true)
    .map((join) => ({ join, sides: sidesOf(topology, join) }))
    .filter(({ sides }) => sides.length > 1)
}

function sidesOf(topology: CompiledTopology, join: CompiledNode): CoPartitioned[] {
  const keepers = topology.stores
    .filter(({ name, global }) => join.stores.includes(name) && global !== true)
    .flatMap(({ nodes }) => nodes)
  const entries = [...new Set([join.name, ...keepers])].flatMap((name) => laneEntries(topology, name))
  const sides = entries.flatMap(sideOf)
  return sides.filter((side, at) => sides.findIndex((other) => other.node === side.node) === at)
}

function sideOf(entry: LaneEntry): CoPartitioned[] {
  if (entry.kind === 'boundary') {
    const { to, topic, key, numberOfPartitions, partitioner } = entry.boundary
    return [
      {
        node: to,
        topics: topic === undefined ? [] : [topic],
        keySerdeId: key.serde?.id,
        declared: key.status === 'declared' || key.status === 'inherited',
        numberOfPartitions,
        partitioner,
      },
    ]
  }
  const { name, key, source } = entry.source
  if (source?.schedule !== undefined || source?.feeds === 'global') return []
  return [
    {
      node: name,
      topics: source?.topics ?? [],
      keySerdeId: key.serde?.id,
      declared: source?.keyForm === 'serde',
      numberOfPartitions: undefined,
      partitioner: undefined,
    },
  ]
}
