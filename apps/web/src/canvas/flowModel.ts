import type { ByteProof, Severity } from '@lanescope/core'
import {
  type AnalysedFinding,
  type AnalysisResult,
  branchOf,
  type Chip,
  type DocumentEdge,
  type DocumentNode,
  joinForms,
  joinInputs,
  type TopologyDocument,
} from '@lanescope/shared'
import { NODE_WIDTH } from '../model/layout.js'
import { type PaletteKind, paletteKindOf } from '../model/nodeKinds.js'
import { nodeById, type StoreTag, storesOf } from '../model/queries.js'
import { type Entry, sideEntry } from '../model/track.js'
import { waitsFor } from '../model/waitsFor.js'
import { metaOf } from './nodeMeta.js'

/** All that a node's drawing depends on. Kept equal by reference while nothing of it changed. */
export interface NodeFacts {
  readonly node: DocumentNode
  readonly kind: PaletteKind
  /** The line under the name. */
  readonly meta: string
  readonly stores: readonly StoreTag[]
  readonly laneCount: number
  readonly severity: Severity | undefined
  readonly away: boolean
  /** The numbered place of the finding that is shown. */
  readonly place: { readonly n: number; readonly title: string; readonly detail: string } | undefined
  /** The two lanes of the key that is proven on, on the finding's own node. */
  readonly proof: ByteProof | undefined
  /** Where the right side of a join comes in, if not with the left one. */
  readonly sideEntry: 'top' | 'bottom' | undefined
  readonly leftOut: boolean
  /** Why it was left out, where nothing of its own is the reason. */
  readonly waits: string | undefined
}

export interface EdgeFacts {
  readonly edge: DocumentEdge
  readonly from: string
  readonly to: string
  readonly chip: Chip | undefined
  readonly boundary: boolean
  /** Nothing travels here: rows are looked up. */
  readonly looksUp: boolean
  /** Which input of a join it is, where that is not plain from the drawing. */
  readonly side: 'left' | 'right' | undefined
  /** The branch whose records go here, of a node that splits them. */
  readonly branch: string | undefined
  readonly entry: Entry
  /** A second track into one port bends in front of it, and not where the first begins. */
  readonly bendsLate: boolean
  readonly onPath: boolean
  readonly away: boolean
  /** Key bytes that travel here, on the finding's path. */
  readonly bytes: Uint8Array | undefined
}

export interface FlowInput {
  readonly document: TopologyDocument
  readonly analysis: AnalysisResult | null
  readonly finding: AnalysedFinding | undefined
  readonly proof: ByteProof | undefined
  /** Ids that a search found; the rest is dimmed. Null while none is on. */
  readonly found: ReadonlySet<string> | null
}

const RANK: { readonly [severity in Severity]: number } = { error: 3, warn: 2, hint: 1 }
const DEFAULT_LANES = 8

/** The worst severity on each node, from findings and problems. */
export function severities(analysis: AnalysisResult | null): ReadonlyMap<string, Severity> {
  const worst = new Map<string, Severity>()
  const add = (id: string | undefined, severity: Severity) => {
    if (id === undefined) return
    const now = worst.get(id)
    if (!now || RANK[severity] > RANK[now]) worst.set(id, severity)
  }
  for (const finding of analysis?.findings ?? []) add(finding.nodeId, finding.severity)
  for (const problem of analysis?.problems ?? []) add(problem.nodeId, problem.severity)
  return worst
}

/** Facts of every node, in document order. */
export function nodeFacts(input: FlowInput): readonly NodeFacts[] {
  const { document, analysis, finding } = input
  const worst = severities(analysis)
  const analysed = new Map(analysis?.view.nodes.map((node) => [node.nodeId, node]))
  const onPath = finding ? new Set([...finding.nodeIds, ...pathNodes(document, finding)]) : null
  const leftOut = new Set(analysis?.leftOut)
  return document.nodes.map((node) => ({
    node,
    kind: paletteKindOf(node),
    meta: metaOf(node),
    stores: storesOf(document, node),
    laneCount: analysed.get(node.id)?.laneCount ?? DEFAULT_LANES,
    severity: worst.get(node.id),
    away: isAway(node.id, onPath, input.found),
    place: placeOn(document, finding, node),
    proof: finding?.nodeId === node.id ? input.proof : undefined,
    sideEntry: sideEntryOf(document, node),
    leftOut: leftOut.has(node.id),
    waits: leftOut.has(node.id) ? waitsFor(document, analysis, node.id) : undefined,
  }))
}

function isAway(id: string, onPath: ReadonlySet<string> | null, found: ReadonlySet<string> | null): boolean {
  if (found) return !found.has(id)
  return onPath !== null && !onPath.has(id)
}

function pathNodes(document: TopologyDocument, finding: AnalysedFinding): string[] {
  return document.edges.filter((edge) => finding.pathEdgeIds.includes(edge.id)).flatMap((edge) => [edge.from, edge.to])
}

function placeOn(
  document: TopologyDocument,
  finding: AnalysedFinding | undefined,
  node: DocumentNode,
): NodeFacts['place'] {
  const index = finding?.places.findIndex((place) => place.node === node.name) ?? -1
  const place = finding?.places[index]
  return place && document.nodes.length > 0 ? { n: index + 1, title: place.title, detail: place.detail } : undefined
}

/** Facts of every edge, in document order. */
export function edgeFacts(input: FlowInput): readonly EdgeFacts[] {
  const { document, analysis, finding, found, proof } = input
  const analysed = new Map(analysis?.view.edges.map((edge) => [edge.edgeId, edge]))
  const names = new Map(document.nodes.map((node) => [node.id, node.name]))
  const sides = joinSides(document)
  return document.edges.map((edge) => {
    const seen = analysed.get(edge.id)
    const onPath = finding?.pathEdgeIds.includes(edge.id) ?? false
    return {
      edge,
      from: names.get(edge.from) ?? '',
      to: names.get(edge.to) ?? '',
      chip: seen?.keyChip,
      boundary: seen?.boundary ?? false,
      looksUp: seen?.looksUp ?? false,
      side: sides.get(edge.id),
      branch: takenBranch(document, edge),
      ...entryOf(document, edge),
      onPath,
      away: found ? !(found.has(edge.from) && found.has(edge.to)) : finding !== undefined && !onPath,
      bytes: onPath ? proof?.recordBytes : undefined,
    }
  })
}

function takenBranch(document: TopologyDocument, edge: DocumentEdge): string | undefined {
  const from = nodeById(document, edge.from)
  return from?.kind === 'branch' ? branchOf(from, edge, document) : undefined
}

/** How an edge comes into a join: what has a store below it keeps all on the left. */
function entryOf(document: TopologyDocument, edge: DocumentEdge): Pick<EdgeFacts, 'entry' | 'bendsLate'> {
  const to = nodeById(document, edge.to)
  const from = nodeById(document, edge.from)
  if (to?.kind !== 'join' || !from || joinInputs(document, to.id).right?.id !== edge.id)
    return { entry: 'left', bendsLate: false }
  if (to.properties.of === 'stream-stream') return { entry: 'left', bendsLate: true }
  const dx = to.position.x + NODE_WIDTH / 2 - from.position.x - NODE_WIDTH
  const entry = sideEntry(dx, to.position.y - from.position.y)
  return { entry, bendsLate: entry === 'left' }
}

function sideEntryOf(document: TopologyDocument, node: DocumentNode): 'top' | 'bottom' | undefined {
  const right = node.kind === 'join' ? joinInputs(document, node.id).right : undefined
  const entry = right && entryOf(document, right).entry
  return entry === 'left' ? undefined : entry
}

/** The side of every edge into a join of two alike: where a stream meets a table, which is which is plain. */
function joinSides(document: TopologyDocument): ReadonlyMap<string, 'left' | 'right'> {
  const sides = new Map<string, 'left' | 'right'>()
  for (const node of document.nodes) {
    if (node.kind !== 'join') continue
    const forms = joinForms(node)
    if (forms.left !== forms.right) continue
    const { left, right } = joinInputs(document, node.id)
    if (left) sides.set(left.id, 'left')
    if (right) sides.set(right.id, 'right')
  }
  return sides
}

/** The earlier object where nothing changed, so that what is drawn from it stays. */
export function reuse<T extends object>(before: ReadonlyMap<string, T>, id: string, next: T): T {
  const old = before.get(id)
  if (!old) return next
  const keys = Object.keys(next) as (keyof T)[]
  return keys.every((key) => sameValue(old[key], next[key])) ? old : next
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Uint8Array || b instanceof Uint8Array) return false
  return JSON.stringify(a) === JSON.stringify(b)
}
