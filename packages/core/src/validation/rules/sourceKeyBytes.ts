import type { CompiledNode, CompiledTopology, ResolvedSerde } from '../../topology/CompiledTopology.js'
import { declarerBelow } from '../declarerBelow.js'
import { declareSource } from '../declareSource.js'
import type { Finding, FindingPlace, Fix, Severity, ValidationInput, ValidationRule } from '../Finding.js'
import { groupBy } from '../groupBy.js'
import { type LaneEntry, laneEntries } from '../laneEntries.js'
import { laneSerdeId } from '../laneSerdeId.js'
import { listOf } from '../sentences.js'
import { atMost, severityOf } from '../severity.js'

const id = 'source-key-bytes'

/** A place where records get their lane, and the serde whose bytes pick it. */
interface LanedBy {
  readonly entry: LaneEntry
  /** The node that is marked: the source, or the child side of the boundary. */
  readonly node: string
  readonly name: string
  /** The serde that writes the bytes; undefined when nothing says how a topic's keys are written. */
  readonly serdeId: string | undefined
  /** Whether people have declared it, here or upstream, rather than left it to the default. */
  readonly declared: boolean
}

/** V13 (A9): what feeds one node with a store, a timer or a join must lane a key by the same bytes. */
export const sourceKeyBytes: ValidationRule = {
  id,
  spec: 'A9',
  check(input) {
    const severity = severityOf(input.config, id)
    if (severity === undefined) return []
    const found = keepersOf(input.topology).flatMap((keeper) => checkKeeper(input, keeper, severity))
    return groupBy(found, (finding) => JSON.stringify(finding.places.slice(1))).map(together)
  },
}

/** What must meet each key on one lane: a node with state, or all nodes that share a store. */
interface Keeper {
  readonly node: CompiledNode
  readonly nodes: readonly CompiledNode[]
  readonly keeps: string
}

function keepersOf({ nodes, stores, node }: CompiledTopology): Keeper[] {
  const alone = nodes
    .filter((each) => each.stores.length > 0 || each.timers.length > 0)
    .map((each) => ({ node: each, nodes: [each], keeps: `It keeps ${kept(each)}.` }))
  const shared = stores.flatMap((store) => {
    const [first, ...others] = store.nodes.map((name) => node(name))
    if (first === undefined || others.length === 0) return []
    const names = listOf(others.map(({ name }) => name))
    return [{ node: first, nodes: [first, ...others], keeps: `It keeps ${store.name}, and so does ${names}.` }]
  })
  return [...alone, ...shared]
}

function kept({ stores, timers }: CompiledNode): string {
  return stores.length > 0 ? listOf(stores) : `timers (${timers.join(', ')})`
}

/** Nodes behind the same places share one finding, at the first of them. */
function together(findings: readonly Finding[]): Finding {
  const [first] = findings as [Finding, ...Finding[]]
  return { ...first, nodes: [...new Set(findings.flatMap((finding) => finding.nodes))] }
}

function checkKeeper(input: ValidationInput, keeper: Keeper, limit: Severity): Finding[] {
  if ((input.topology.subTopologies[keeper.node.subTopology]?.laneCount ?? 1) === 1) return []
  const laned = lanedInto(input.topology, keeper.nodes)
  const ids = (of: readonly LanedBy[]) => [...new Set(of.map((one) => one.serdeId))]
  if (laned.length < 2 || (ids(laned).length === 1 && laned[0]?.serdeId !== undefined)) return []
  const differ = ids(laned.filter((one) => one.declared)).length > 1
  // Nodes that share a store may mean different keys: one may look up what the other keeps by a key of its own.
  const sure = differ && keeper.nodes.length === 1
  return [finding(input, keeper, laned, sure ? limit : atMost('warn', limit), differ)]
}

/** Each way into the lanes of these nodes, once, in the order of the nodes. */
function lanedInto(topology: CompiledTopology, nodes: readonly CompiledNode[]): LanedBy[] {
  const ways = nodes.flatMap(({ name }) => laneEntries(topology, name).flatMap(lanedBy))
  return ways.filter((way, at) => ways.findIndex(({ name }) => name === way.name) === at)
}

/** A8, L9, L11: where no hash of the key picks the lane there is nothing to compare. V6 tells of what is unresolved. */
function lanedBy(entry: LaneEntry): LanedBy[] {
  if (entry.kind === 'boundary') {
    const { from, to, key, partitioner } = entry.boundary
    if (partitioner !== undefined || key.serde === undefined) return []
    const serdeId = laneSerdeId(key)
    return [{ entry, node: to, name: `the boundary ${from} → ${to}`, serdeId, declared: key.status !== 'defaulted' }]
  }
  const { name, source, key } = entry.source
  if (source === undefined || source.laneBy === 'partition') return []
  const declared = source.keyForm === 'serde'
  return [{ entry, node: name, name, serdeId: declared ? key.serde?.id : undefined, declared }]
}

function finding(
  input: ValidationInput,
  { node, nodes, keeps }: Keeper,
  laned: readonly LanedBy[],
  severity: Severity,
  differ: boolean,
): Finding {
  const fixes = [...(differ ? [] : fixesFor(input, laned)), ...repartition(input, node, nodes, laned)]
  const fed = listOf(nodes.map(({ name }) => name))
  return {
    id: `${id}:${laned.map((one) => one.name).join(',')}:${node.name}`,
    rule: id,
    severity,
    node: node.name,
    nodes: [...new Set([...laned.map((one) => one.node), ...nodes.map(({ name }) => name)])],
    path: laned.flatMap((one) => one.entry.path),
    places: [{ node: node.name, title: 'One key, several ways in.', detail: keeps }, ...laned.map(placeOf)],
    title: `${fed} ${differ ? (nodes.length > 1 ? 'get' : 'gets') : 'may get'} one key on different lanes`,
    message:
      `${listOf(laned.map(sentence))}. All of them feed ${fed}. Where the bytes of a key differ, so can its lane: ` +
      'two callbacks for that key can then run at the same time.',
    why:
      'The lane of a record is picked by a hash of the bytes of its key: at a source the bytes in the topic, behind a ' +
      'boundary those that its serde writes. Two producers that write one key in two ways, "k0" with quotes and k0 ' +
      'without, send it to two lanes. What one lane reads from the store, the other can change before it is written back.',
    fixes,
    note: noteFor(laned),
  }
}

function placeOf({ node, serdeId, declared, entry }: LanedBy): FindingPlace {
  if (serdeId === undefined) {
    return { node, title: 'Key bytes unknown.', detail: 'No serde says how the keys of its topic are written.' }
  }
  const origin = entry.kind === 'boundary' ? entry.boundary.key : entry.source.key
  return {
    node,
    title: `Lane picked by ${serdeId}.`,
    detail: declared ? originOf(origin) : 'default.key.serde says so.',
  }
}

function originOf({ by, node }: ResolvedSerde): string {
  return node === undefined ? `${by} says so.` : `${by} on ${node} says so.`
}

function sentence({ name, serdeId, declared }: LanedBy): string {
  if (serdeId === undefined) return `${name} declares no key serde`
  return `${name} lanes by ${serdeId}${declared ? '' : ', the default'}`
}

/**
 * Declaring a source mends it when the serde that writes its samples' very bytes is the one that all others use.
 * A boundary that is left to the default can be given the serde of all others where its keys are grouped or written.
 */
function fixesFor(input: ValidationInput, laned: readonly LanedBy[]): Fix[] {
  const undeclared = laned.filter((one) => one.serdeId === undefined)
  return undeclared.length > 0 ? declareSources(input, laned, undeclared) : declareBoundaries(input, laned)
}

function declareBoundaries({ topology }: ValidationInput, laned: readonly LanedBy[]): Fix[] {
  const wanted = laned.find((one) => one.declared)?.serdeId
  if (wanted === undefined) return []
  const declarers = laned
    .filter((one) => !one.declared && one.serdeId !== wanted)
    .map(({ entry }) => (entry.kind === 'boundary' ? declarerBelow(topology, entry.boundary) : undefined))
  return [...new Set(declarers)].flatMap((node) =>
    node === undefined
      ? []
      : [
          {
            kind: 'declare-serde' as const,
            node,
            side: 'key' as const,
            serde: wanted,
            title: `Declare ${wanted} for the key of ${node}`,
            effect: `Every key then has the bytes that ${wanted} writes, and one lane.`,
          },
        ],
  )
}

function declareSources(input: ValidationInput, laned: readonly LanedBy[], undeclared: readonly LanedBy[]): Fix[] {
  const proposals = undeclared.map(({ entry }) =>
    entry.kind === 'source' ? declareSource(input, entry.source) : undefined,
  )
  const wanted = new Set([
    ...laned.flatMap((one) => one.serdeId ?? []),
    ...proposals.map((proposal) => proposal?.keySerde),
  ])
  if (wanted.size !== 1) return []
  return proposals.flatMap((proposal) =>
    proposal === undefined
      ? []
      : [{ ...proposal, effect: `Every key then has the bytes that ${proposal.keySerde} writes, and one lane.` }],
  )
}

/**
 * Behind a boundary every key is written by one serde, whatever wrote it before. There is a place for one where a node has
 * one way in and shares its stores with no other; a source right in front of it has nothing to write again.
 */
function repartition(
  { topology }: ValidationInput,
  node: CompiledNode,
  nodes: readonly CompiledNode[],
  laned: readonly LanedBy[],
): Fix[] {
  const [parent, ...others] = node.parents
  if (parent === undefined || others.length > 0 || nodes.length > 1) return []
  if (topology.node(parent).kind === 'source') return []
  const keySerde = laned.find((one) => one.declared && one.serdeId !== undefined)?.serdeId
  return [
    {
      kind: 'insert-repartition',
      before: node.name,
      ...(keySerde === undefined ? {} : { keySerde }),
      title: `Repartition in front of ${node.name}`,
      effect: `One serde then writes every key again on the way into ${node.name}, and its bytes pick the lane.`,
    },
  ]
}

function noteFor(laned: readonly LanedBy[]): string {
  const sources = laned.filter((one) => one.entry.kind === 'source' && one.serdeId === undefined).map((one) => one.name)
  const declare =
    sources.length === 0 ? '' : `Declare the key serde of ${listOf(sources)} with Consumed.with(…), if it is the same. `
  return `${declare}Where the topics do differ, call repartition() behind the merge: one serde then writes every key again.`
}
