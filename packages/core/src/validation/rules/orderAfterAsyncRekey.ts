import type { CompiledBoundary, CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { laneEntries } from '../laneEntries.js'
import { listOf } from '../sentences.js'
import { severityOf } from '../severity.js'
import { shortestPath } from '../shortestPath.js'

const id = 'order-after-async-rekey'

/** V14 (L11): state behind a boundary that different keys reach as one, from behind a processor that may await. */
export const orderAfterAsyncRekey: ValidationRule = {
  id,
  spec: 'L11',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes
      .filter(({ stores, timers }) => stores.length > 0 || timers.length > 0)
      .flatMap((node) => checkNode(topology, node, severity))
  },
}

function checkNode(topology: CompiledTopology, node: CompiledNode, severity: Severity): Finding[] {
  return laneEntries(topology, node.name).flatMap((entry) => {
    if (entry.kind === 'source') return []
    const upstream = upstreamOf(topology, entry.boundary.from)
    const awaiting = upstream.filter((one) => mayAwait(topology, one))
    if (awaiting.length === 0 || !upstream.some((one) => one.changesKey)) return []
    return [finding(topology, node, entry.boundary, awaiting, severity)]
  })
}

/** A node and all above it, nearest first. */
function upstreamOf(topology: CompiledTopology, name: string): CompiledNode[] {
  const names = new Set([name])
  for (const at of names) for (const parent of topology.node(at).parents) names.add(parent)
  return [...names].map((at) => topology.node(at))
}

/** On one lane, or where the partition picks it, records overtake none of their own partition (L11). */
function mayAwait(topology: CompiledTopology, { name, supplier, subTopology }: CompiledNode): boolean {
  if (supplier === undefined || supplier.sync === true) return false
  if (topology.subTopologies[subTopology]?.laneCount === 1) return false
  return laneEntries(topology, name).some(
    (entry) => entry.kind === 'boundary' || entry.source.source?.laneBy !== 'partition',
  )
}

function finding(
  topology: CompiledTopology,
  node: CompiledNode,
  { from, to }: CompiledBoundary,
  awaiting: readonly CompiledNode[],
  severity: Severity,
): Finding {
  const names = awaiting.map(({ name }) => name)
  const [nearest] = names as [string, ...string[]]
  return {
    id: `${id}:${from}->${to}:${node.name}`,
    rule: id,
    severity,
    node: node.name,
    nodes: [...new Set([...names, from, to, node.name])],
    path: shortestPath(topology, nearest, node.name),
    places: [
      ...names.map((name) => ({
        node: name,
        title: 'May await.',
        detail: 'Records of other keys go on meanwhile, on other lanes.',
      })),
      {
        node: to,
        title: 'Different keys become one here.',
        detail: `Records cross from ${from} to the lane of their new key.`,
      },
    ],
    title: `${node.name} may get records of one key in another order than they were read`,
    message:
      `${listOf(names)} may await, and other lanes go on meanwhile. Two records with different keys that get one key in ` +
      `front of ${node.name} can reach it in the order in which they finished, not in that in which they were read.`,
    why:
      'Order is kept per key: a lane takes its next record when the last has settled. Records of different keys run on ' +
      'different lanes, and nothing orders those against each other. Where the order across keys matters to what is ' +
      'kept, a sum does not care, the latest value does, it has to be kept on purpose.',
    fixes: [],
    note:
      `If ${listOf(names)} never ${names.length === 1 ? 'awaits' : 'await'}, declare sync: true; ` +
      'if the key stays, declare sameKey: true. To keep the order of a partition, lane its source by it: ' +
      "Consumed.laneBy('partition').",
  }
}
