import type { CompiledNode, ResolvedSerde } from '../../topology/CompiledTopology.js'
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
    const found = input.topology.nodes.filter(mindsItsLane).flatMap((node) => checkNode(input, node, severity))
    return groupBy(found, (finding) => JSON.stringify(finding.places.slice(1))).map(together)
  },
}

function mindsItsLane({ stores, timers }: CompiledNode): boolean {
  return stores.length > 0 || timers.length > 0
}

/** Nodes behind the same places share one finding, at the first of them. */
function together(findings: readonly Finding[]): Finding {
  const [first] = findings as [Finding, ...Finding[]]
  return { ...first, nodes: [...new Set(findings.flatMap((finding) => finding.nodes))] }
}

function checkNode(input: ValidationInput, node: CompiledNode, limit: Severity): Finding[] {
  if ((input.topology.subTopologies[node.subTopology]?.laneCount ?? 1) === 1) return []
  const laned = laneEntries(input.topology, node.name).flatMap(lanedBy)
  const ids = (of: readonly LanedBy[]) => [...new Set(of.map((one) => one.serdeId))]
  if (laned.length < 2 || (ids(laned).length === 1 && laned[0]?.serdeId !== undefined)) return []
  const differ = ids(laned.filter((one) => one.declared)).length > 1
  return [finding(input, node, laned, differ ? limit : atMost('warn', limit), differ)]
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
  node: CompiledNode,
  laned: readonly LanedBy[],
  severity: Severity,
  differ: boolean,
): Finding {
  const fixes = differ ? [] : fixesFor(input, laned)
  return {
    id: `${id}:${laned.map((one) => one.name).join(',')}:${node.name}`,
    rule: id,
    severity,
    node: node.name,
    nodes: [...new Set([...laned.map((one) => one.node), node.name])],
    path: laned.flatMap((one) => one.entry.path),
    places: [{ node: node.name, title: 'One key, several ways in.', detail: keeps(node) }, ...laned.map(placeOf)],
    title: differ ? `${node.name} gets one key on different lanes` : `${node.name} may get one key on different lanes`,
    message:
      `${listOf(laned.map(sentence))}. All of them feed ${node.name}. Where the bytes of a key differ, so can its lane: ` +
      'two callbacks for that key can then run at the same time.',
    why:
      'The lane of a record is picked by a hash of the bytes of its key: at a source the bytes in the topic, behind a ' +
      'boundary those that its serde writes. Two producers that write one key in two ways, "k0" with quotes and k0 ' +
      'without, send it to two lanes. What one lane reads from the store, the other can change before it is written back.',
    fixes,
    note: noteFor(laned),
  }
}

function keeps({ stores, timers }: CompiledNode): string {
  return stores.length > 0 ? `It keeps ${listOf(stores)}.` : `It keeps timers (${timers.join(', ')}).`
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

/** Declaring a source mends it when the serde that writes its samples' very bytes is the one that all others use. */
function fixesFor(input: ValidationInput, laned: readonly LanedBy[]): Fix[] {
  const undeclared = laned.filter((one) => one.serdeId === undefined)
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

function noteFor(laned: readonly LanedBy[]): string {
  const sources = laned.filter((one) => one.entry.kind === 'source' && one.serdeId === undefined).map((one) => one.name)
  const declare =
    sources.length === 0 ? '' : `Declare the key serde of ${listOf(sources)} with Consumed.with(…), if it is the same. `
  return `${declare}Where the topics do differ, call repartition() behind the merge: one serde then writes every key again.`
}
