import type { CompiledNode, CompiledSubTopology, CompiledTopology, Finding, ResolvedSerde } from '@lanescope/core'
import { joinInputs } from '../document/nodeForms.js'
import { describedName } from '../document/partNames.js'
import type { DocumentNode, TopologyDocument } from '../document/TopologyDocument.js'
import type {
  AnalysedEdge,
  AnalysedFinding,
  AnalysedNode,
  AnalysedSubTopology,
  AnalysisView,
  Chip,
  ChipWithCandidates,
  SuppressedFinding,
} from './AnalysisResult.js'
import { NodeOwners } from './NodeOwners.js'

export interface DocumentAnalysis {
  readonly view: AnalysisView
  readonly findings: readonly AnalysedFinding[]
  readonly suppressed: readonly SuppressedFinding[]
}

/** Says in terms of the document what compiling and validating its topology found. */
export function toAnalysis(
  compiled: CompiledTopology,
  findings: readonly Finding[],
  document: TopologyDocument,
): DocumentAnalysis {
  const owners = new NodeOwners(compiled, document)
  const all = findings.map((finding) => toFinding(finding, owners))
  const suppressed = all.flatMap((finding) => {
    const reason = reasonFor(finding, document)
    return reason === undefined ? [] : [{ finding, reason }]
  })
  const hidden = new Set(suppressed.map(({ finding }) => finding))
  return { view: toView(compiled, owners, document), findings: all.filter((one) => !hidden.has(one)), suppressed }
}

function reasonFor(finding: AnalysedFinding, document: TopologyDocument): string | undefined {
  return document.suppressions.find(({ rule, node }) => rule === finding.rule && node === finding.nodeId)?.reason
}

function toFinding(finding: Finding, owners: NodeOwners): AnalysedFinding {
  const ids = finding.nodes.map((name) => owners.idOf(name)).filter((id) => id !== undefined)
  const edges = finding.path.map(({ from, to }) => owners.edgeIdOf(from, to)).filter((id) => id !== undefined)
  return {
    ...finding,
    nodeId: owners.idOf(finding.node) ?? '',
    nodeIds: [...new Set(ids)],
    pathEdgeIds: [...new Set(edges)],
  }
}

function toView(compiled: CompiledTopology, owners: NodeOwners, document: TopologyDocument): AnalysisView {
  const nodes = document.nodes.flatMap((node) => {
    const parts = owners.namesOf(node.id).map((part) => compiled.node(part))
    return parts.length === 0 ? [] : [toNode(node, parts, compiled, owners)]
  })
  return {
    nodes,
    edges: toEdges(compiled, owners, document),
    subTopologies: compiled.subTopologies.map((sub) => toSubTopology(sub, nodes, compiled, owners)),
    describe: compiled.describe(),
    describeLanes: compiled.describeLanes(),
  }
}

function toNode(
  node: DocumentNode,
  parts: readonly CompiledNode[],
  compiled: CompiledTopology,
  owners: NodeOwners,
): AnalysedNode {
  const first = parts[0]!
  // Some begin in one sub-topology and end in another: a node stands where what comes out of it is.
  const { subTopology } = parts.find(({ name }) => name === describedName(node)) ?? first
  const timerKey = parts.find((part) => part.timers.length > 0)?.timerKey
  return {
    nodeId: node.id,
    name: node.name,
    subTopology,
    laneCount: compiled.subTopologies[subTopology]?.laneCount ?? 0,
    keyChip: toChip(first.key, owners),
    valueChip: toChip(first.value, owners),
    ...(timerKey === undefined ? {} : { timerKey: withCandidates(timerKey, owners) }),
    timers: [...new Set(parts.flatMap((part) => part.timers))],
    stores: [...new Set(parts.flatMap((part) => part.stores))],
    changesKey: parts.some((part) => part.changesKey),
    compiledNames: parts.map((part) => part.name),
  }
}

function toEdges(compiled: CompiledTopology, owners: NodeOwners, document: TopologyDocument): AnalysedEdge[] {
  return document.edges.flatMap((edge) => {
    const parts = compiled.edges.filter(({ from, to }) => owners.edgeIdOf(from, to) === edge.id)
    const part = parts[0]
    if (part === undefined) return lookUp(edge, compiled, owners, document)
    // Rows that are joined by a foreign key cross to its lane within the join, and back.
    const boundary = parts.some((one) => one.boundary) || isByForeignKey(document, edge.to)
    return [{ edgeId: edge.id, keyChip: toEdgeChip(part.key, owners), valueChip: toChip(part.value, owners), boundary }]
  })
}

function isByForeignKey({ nodes }: TopologyDocument, id: string): boolean {
  return nodes.some((node) => node.id === id && node.kind === 'join' && node.properties.of === 'foreign-key')
}

/** A join of a stream reads the rows of a table where they are kept: no record goes from one to the other. */
function lookUp(
  edge: TopologyDocument['edges'][number],
  compiled: CompiledTopology,
  owners: NodeOwners,
  document: TopologyDocument,
): AnalysedEdge[] {
  const to = document.nodes.find(({ id }) => id === edge.to)
  if (to?.kind !== 'join' || joinInputs(document, to.id).right?.id !== edge.id) return []
  const keepers = owners.namesOf(edge.from)
  // A global table is read without being connected to.
  const readers = to.properties.of === 'stream-global' ? keepers : owners.namesOf(edge.to)
  const read = readers.flatMap((name) => compiled.node(name).stores)
  // A table that keeps no rows of its own is read through to the one behind it.
  const store = compiled.stores.find(
    ({ name, nodes }) => read.includes(name) && nodes.some((one) => keepers.includes(one)),
  )
  const table = keepers.at(-1)
  if (table === undefined || read.length === 0) return []
  const { key, value } = store ?? compiled.node(table)
  return [
    {
      edgeId: edge.id,
      keyChip: toChip(key, owners),
      valueChip: { ...toChip(value, owners), label: rowLabel(value.label) },
      boundary: false,
      looksUp: true,
    },
  ]
}

/** A store of rows keeps a time beside each value: the value is what is read. */
function rowLabel(label: string): string {
  return /^valueAndTimestamp\((.*)\)$/.exec(label)?.[1] ?? label
}

function toSubTopology(
  sub: CompiledSubTopology,
  nodes: readonly AnalysedNode[],
  compiled: CompiledTopology,
  owners: NodeOwners,
): AnalysedSubTopology {
  const isGlobal = sub.sources.length > 0 && sub.sources.every((name) => compiled.node(name).source?.feeds === 'global')
  return {
    index: sub.index,
    laneCount: sub.laneCount,
    laneCountFrom: { ...sub.laneCountFrom },
    nodeIds: nodes.filter(({ subTopology }) => subTopology === sub.index).map(({ nodeId }) => nodeId),
    title: isGlobal
      ? `all of ${sub.sources.map((name) => owners.nameOf(name)).join(', ')}`
      : titleOf(sub, compiled, (name) => owners.nameOf(name)),
    ...(isGlobal && { global: true as const }),
  }
}

function titleOf(sub: CompiledSubTopology, compiled: CompiledTopology, nameOf: (name: string) => string): string {
  if (sub.sources.length > 0) {
    const byPartition = sub.sources.every((name) => compiled.node(name).source?.laneBy === 'partition')
    return `by the ${byPartition ? 'partition' : 'raw key bytes'} of ${sub.sources.map(nameOf).join(', ')}`
  }
  const from = compiled.boundaries.filter(({ toSubTopology }) => toSubTopology === sub.index).map((one) => one.from)
  return `by the key that ${[...new Set(from.map(nameOf))].join(', ')} gives`
}

const WINDOWED = /^(?:windowed|sessionWindowed)\((.+?)(?:,\d+)?\)$/

/** On an edge, a key serde that is declared with its window is drawn as one that gets it on the way. */
function toEdgeChip(serde: ResolvedSerde, owners: NodeOwners): Chip {
  const chip = toChip(serde, owners)
  const inner = WINDOWED.exec(chip.label)?.[1]
  return inner === undefined ? chip : { ...chip, label: inner, windowed: true }
}

function toChip(serde: ResolvedSerde, owners: NodeOwners): Chip {
  const nodeId = serde.node === undefined ? undefined : owners.idOf(serde.node)
  return {
    status: serde.status,
    label: serde.label,
    windowed: serde.windowed === true,
    ...(serde.windowed && serde.serde !== undefined ? { windowedId: serde.serde.id } : {}),
    ...(serde.by === undefined ? {} : { by: serde.by }),
    ...(serde.node === undefined ? {} : { node: serde.node }),
    ...(nodeId === undefined ? {} : { nodeId }),
  }
}

function withCandidates(serde: ResolvedSerde, owners: NodeOwners): ChipWithCandidates {
  return {
    chip: toChip(serde, owners),
    candidates: serde.candidates.map((candidate) => {
      const nodeId = candidate.node === undefined ? undefined : owners.idOf(candidate.node)
      return { ...candidate, ...(nodeId === undefined ? {} : { nodeId }) }
    }),
  }
}
