import {
  type BranchNode,
  branchNames,
  type CogroupNode,
  type DocumentEdge,
  formOf,
  joinForms,
  joinInputs,
  type TopologyDocument,
} from '@lanescope/shared'
import { connectRefusal } from '../connectRules.js'
import { functionName } from '../functionCode.js'
import { freeId, idsOf, nodeById } from '../queries.js'

/** What an edge says beside its ends, and keeps when one of them moves. */
export type EdgeWords = Pick<DocumentEdge, 'side' | 'branch' | 'aggregator' | 'value'>

/** Draws an edge; one that the rules refuse changes nothing. Ask `connectRefusal` for the reason. */
export function connect(
  document: TopologyDocument,
  from: string,
  to: string,
  { side, branch, aggregator, value }: EdgeWords = {},
): TopologyDocument {
  if (connectRefusal(document, from, to) !== undefined) return document
  const id = freeId(idsOf(document.edges), `${from}-${to}`)
  const words = {
    side: side ?? freeSide(document, from, to),
    branch: branch ?? freeBranch(document, from),
    aggregator: aggregator ?? newAggregator(document, from, to),
    value,
  }
  const said = Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined))
  return { ...document, edges: [...document.edges, { id, from, to, ...said } as DocumentEdge] }
}

/** What of an edge holds for another with these ends. */
export function wordsFor(edge: DocumentEdge, from: string, to: string): EdgeWords {
  const { side, branch, aggregator, value } = edge
  return {
    ...(edge.from === from && branch !== undefined && { branch }),
    ...(edge.to === to && side !== undefined && { side }),
    ...(edge.to === to && aggregator !== undefined && { aggregator }),
    ...(edge.to === to && value !== undefined && { value }),
  }
}

/** The side of a join that is free, of two the one that takes what `from` gives; undefined for any other node. */
function freeSide(document: TopologyDocument, from: string, to: string): DocumentEdge['side'] {
  const join = nodeById(document, to)
  const source = nodeById(document, from)
  if (join?.kind !== 'join' || source === undefined) return undefined
  const { left, right } = joinInputs(document, to)
  if (left !== undefined) return 'right'
  if (right !== undefined) return 'left'
  const forms = joinForms(join)
  const isTable = formOf(document, source) !== 'stream'
  return isTable && forms.left === 'stream' && forms.right !== 'stream' ? 'right' : 'left'
}

/** The first branch that no edge takes yet, or else the last; undefined where there is none. */
function freeBranch(document: TopologyDocument, from: string): string | undefined {
  const node = nodeById(document, from)
  if (node?.kind !== 'branch') return undefined
  return untaken(document, node)[0] ?? branchNames(node).at(-1)
}

function untaken({ edges }: TopologyDocument, node: BranchNode): readonly string[] {
  const taken = new Set(edges.filter(({ from }) => from === node.id).map(({ branch }) => branch))
  return branchNames(node).filter((name) => !taken.has(name))
}

/** How a stream's records are added by a cogroup: a function of its own, in the cogroup's file. */
function newAggregator(document: TopologyDocument, from: string, to: string): DocumentEdge['aggregator'] {
  const node = nodeById(document, to)
  const source = nodeById(document, from)
  if (node?.kind !== 'cogroup' || source === undefined) return undefined
  const { module } = node.properties.initializer
  const wanted = functionName(`add-${source.name}`)
  const taken = exportsOf(document, node)
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
  return { module, export: name }
}

function exportsOf({ edges }: TopologyDocument, { id, properties }: CogroupNode): ReadonlySet<string> {
  const codes = [
    properties.initializer,
    properties.merger,
    ...edges.filter(({ to }) => to === id).map((e) => e.aggregator),
  ]
  return new Set(codes.flatMap((code) => code?.export ?? []))
}

/** Lets the two inputs of a join change places. */
export function swapSides(document: TopologyDocument, join: string): TopologyDocument {
  const { left, right } = joinInputs(document, join)
  return {
    ...document,
    edges: document.edges.map((edge) => {
      if (edge.id === left?.id) return { ...edge, side: 'right' as const }
      return edge.id === right?.id ? { ...edge, side: 'left' as const } : edge
    }),
  }
}

/** Changes what an edge says; undefined takes it away. */
export function editEdge(
  document: TopologyDocument,
  id: string,
  words: { readonly [W in keyof EdgeWords]?: EdgeWords[W] | undefined },
): TopologyDocument {
  const edges = document.edges.map((edge) => {
    if (edge.id !== id) return edge
    const entries = Object.entries({ ...edge, ...words }).filter(([, word]) => word !== undefined)
    return Object.fromEntries(entries) as DocumentEdge
  })
  return { ...document, edges }
}

export function disconnect(document: TopologyDocument, ids: readonly string[]): TopologyDocument {
  const edges = document.edges.filter((edge) => !ids.includes(edge.id))
  return edges.length === document.edges.length ? document : { ...document, edges }
}

/** Moves an end of an edge to another node; refused, it stays. */
export function reconnect(document: TopologyDocument, id: string, from: string, to: string): TopologyDocument {
  const edge = document.edges.find((one) => one.id === id)
  if (!edge || (edge.from === from && edge.to === to)) return document
  const without = disconnect(document, [id])
  const next = connect(without, from, to, wordsFor(edge, from, to))
  return next === without ? document : next
}

/** Puts a node into an edge: from → node → to. Undefined with the reason when it does not fit there. */
export function splice(
  document: TopologyDocument,
  edgeId: string,
  node: string,
): { readonly document: TopologyDocument } | { readonly refusal: string } {
  const edge = document.edges.find((one) => one.id === edgeId)
  if (!edge) return { refusal: 'The edge is gone.' }
  if (edge.from === node || edge.to === node) return { refusal: 'The edge ends at this node already.' }
  const open = disconnect(document, [edgeId])
  const before = connectRefusal(open, edge.from, node)
  if (before !== undefined) return { refusal: before }
  const joined = connect(open, edge.from, node, wordsFor(edge, edge.from, node))
  const after = connectRefusal(joined, node, edge.to)
  if (after !== undefined) return { refusal: after }
  return { document: connect(joined, node, edge.to, wordsFor(edge, node, edge.to)) }
}
