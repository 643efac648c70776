import type {
  CompiledNode,
  CompiledSubTopology,
  CompiledTopology,
  ResolvedSerde,
  SerdeCandidate,
} from '../../topology/CompiledTopology.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { groupBy } from '../groupBy.js'
import { listOf } from '../sentences.js'
import { severityOf } from '../severity.js'
import { shortestPath } from '../shortestPath.js'

const id = 'conflicting-serdes'

/** A place that writes a key or value, and what was found for it. */
interface Use {
  readonly node: string
  readonly side: 'key' | 'value'
  readonly resolved: ResolvedSerde
  /** As in "… at the boundary p → q". */
  readonly place: string
}

/** V7: two declarations disagree on the serde of one key or value, or on the lanes of what runs together (L1). */
export const conflictingSerdes: ValidationRule = {
  id,
  spec: 'V7',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    const clashes = groupBy(usesOf(topology).filter(isClash), clashKey)
    return [
      ...clashes.map((uses) => serdeFinding(topology, uses, severity)),
      ...topology.subTopologies.flatMap((sub) => lanesFinding(sub, severity)),
    ]
  },
}

/** Everything that writes, in the order of the nodes. */
function usesOf(topology: CompiledTopology): Use[] {
  return topology.nodes.flatMap((node) => [
    ...atBoundaries(topology, node),
    ...atStores(topology, node),
    ...atTimers(node),
    ...atSink(node),
  ])
}

function atBoundaries({ boundaries }: CompiledTopology, { name }: CompiledNode): Use[] {
  return boundaries
    .filter((boundary) => boundary.to === name && boundary.partitioner === undefined)
    .map(({ from, to, key }) => ({ node: to, side: 'key', resolved: key, place: `at the boundary ${from} → ${to}` }))
}

function atStores({ stores }: CompiledTopology, { name: node }: CompiledNode): Use[] {
  return stores
    .filter((store) => store.nodes[0] === node)
    .flatMap(({ name, key, value }) => [
      { node, side: 'key' as const, resolved: key, place: `in the store ${name}` },
      { node, side: 'value' as const, resolved: value, place: `in the store ${name}` },
    ])
}

function atTimers({ name, timers, timerKey }: CompiledNode): Use[] {
  if (timers.length === 0 || timerKey === undefined) return []
  return [{ node: name, side: 'key', resolved: timerKey, place: `for the timers of ${name}` }]
}

function atSink({ name, sink, key, value }: CompiledNode): Use[] {
  if (sink === undefined) return []
  return [
    { node: name, side: 'key', resolved: key, place: `in ${name}` },
    { node: name, side: 'value', resolved: value, place: `in ${name}` },
  ]
}

function clashing({ candidates }: ResolvedSerde): readonly SerdeCandidate[] {
  return candidates.filter((candidate) => candidate.verdict === 'conflicting')
}

function isClash({ resolved }: Use): boolean {
  return clashing(resolved).length > 0
}

/** One finding for one disagreement, wherever it shows. */
function clashKey({ side, resolved }: Use): string {
  return [
    side,
    ...clashing(resolved).map((candidate) => `${candidate.by} ${candidate.node} ${candidate.serdeId}`),
  ].join()
}

function serdeFinding(topology: CompiledTopology, uses: readonly Use[], severity: Severity): Finding {
  const [{ node, side, resolved }] = uses as [Use, ...Use[]]
  const declared = clashing(resolved)
  const declarers = declared.map((candidate) => candidate.node as string)
  const places = uses.map((use) => use.place)
  const chosen = resolved.serde === undefined ? 'nothing, as no default is set' : `the default, ${resolved.label}`
  return {
    id: `${id}:${side}:${declarers.join(',')}:${node}`,
    rule: id,
    severity,
    node,
    nodes: [...new Set([...declarers, ...uses.map((use) => use.node)])],
    path: shortestPath(topology, declarers[0] as string, node),
    places: [
      ...declared.map(({ by, node: at, serdeId }) => ({
        node: at as string,
        title: `The ${side} declared as ${serdeId}.`,
        detail: `${by} on ${at} declares it.`,
      })),
      { node, title: `Written by ${chosen}.`, detail: `The declarations do not agree.` },
    ],
    title: `Two serdes are declared for one ${side}`,
    message:
      `${listOf(declared.map(({ serdeId, by, node: at }) => `${by} on ${at} says ${serdeId}`))} for the same ${side}. ` +
      `Neither is chosen over the other: ${listOf(places)} it is written by ${chosen}.`,
    why:
      `Records of both come together here, and what comes behind can tell them apart no more. To write a ${side} by one ` +
      'of two serdes would be a guess, and a wrong one fails, or writes bytes that no other program reads.',
    fixes: [],
    note: `Declare the same serde on ${listOf([...new Set(declarers)])}, or the one you mean where it is written.`,
  }
}

/** What runs on one set of lanes, or takes turns on them, has one number of lanes: the largest asked for. */
function lanesFinding({ index, turn, laneCount, lanesAsked }: CompiledSubTopology, severity: Severity): Finding[] {
  if (index !== turn || lanesAsked.every((asked) => asked.laneCount === laneCount)) return []
  const nodes = [...new Set(lanesAsked.map((asked) => asked.node))]
  const node = nodes[0] as string
  return [
    {
      id: `${id}:lanes:${nodes.join(',')}`,
      rule: id,
      severity,
      node,
      nodes,
      path: [],
      places: lanesAsked.map((asked) => ({
        node: asked.node,
        title: `Asks for ${lanesText(asked.laneCount)}.`,
        detail: `${laneCount} run.`,
      })),
      title: `Different numbers of lanes are declared for what runs together`,
      message:
        `${listOf(lanesAsked.map((asked) => `${asked.node} asks for ${lanesText(asked.laneCount)}`))}. They run on the ` +
        `same lanes, or take turns on them because they use one store: the largest number counts, ${laneCount}.`,
      why: 'Nodes between two boundaries share their lanes, and so do sub-topologies that write one store: the lane of a key must be one place.',
      fixes: [],
      note: `Declare one number on ${listOf(nodes)}.`,
    },
  ]
}

function lanesText(laneCount: number): string {
  return laneCount === 1 ? '1 lane' : `${laneCount} lanes`
}
