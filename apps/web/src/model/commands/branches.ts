import { type BranchNode, branchNames, type CodeRef, type TopologyDocument } from '@lanescope/shared'
import { functionName } from '../functionCode.js'
import { kafkaNameProblem } from '../names.js'
import { freeName, nodeById } from '../queries.js'
import { setProperties } from './nodes.js'

type Properties = BranchNode['properties']

function edit(
  document: TopologyDocument,
  id: string,
  change: (node: BranchNode) => { readonly [P in keyof Properties]?: Properties[P] | undefined },
): TopologyDocument {
  const node = nodeById(document, id)
  return node?.kind === 'branch' ? setProperties(document, id, 'branch', change(node)) : document
}

/** One more branch, asked last, with a function beside those of the others. */
export function addBranch(document: TopologyDocument, id: string): TopologyDocument {
  return edit(document, id, (node) => {
    const { branches } = node.properties
    const name = freeName(new Set(branchNames(node)), `branch-${branches.length + 1}`)
    const module = branches[0]?.code.module ?? `./${node.id}`
    return { branches: [...branches, { name, code: { module, export: functionName(name) } }] }
  })
}

/** Takes a branch away; edges that took it take the next that is left, or the one before. */
export function removeBranch(document: TopologyDocument, id: string, at: number): TopologyDocument {
  const node = nodeById(document, id)
  const gone = node?.kind === 'branch' ? node.properties.branches[at] : undefined
  if (node?.kind !== 'branch' || gone === undefined) return document
  const left = branchNames(node).filter((name) => name !== gone.name)
  const without = edit(document, id, ({ properties }) => ({ branches: properties.branches.toSpliced(at, 1) }))
  return follow(without, id, gone.name, left[at] ?? left.at(-1))
}

/** Asks a branch at another place in the order. */
export function moveBranch(document: TopologyDocument, id: string, from: number, to: number): TopologyDocument {
  return edit(document, id, ({ properties: { branches } }) => {
    const moved = branches[from]
    if (moved === undefined || branches[to] === undefined) return {}
    return { branches: branches.toSpliced(from, 1).toSpliced(to, 0, moved) }
  })
}

/** Gives a branch another name; edges that take it follow. */
export function renameBranch(document: TopologyDocument, id: string, at: number, name: string): TopologyDocument {
  const node = nodeById(document, id)
  const before = node?.kind === 'branch' ? node.properties.branches[at]?.name : undefined
  if (before === undefined) return document
  const renamed = edit(document, id, ({ properties: { branches } }) => ({
    branches: branches.map((branch, index) => (index === at ? { ...branch, name } : branch)),
  }))
  return follow(renamed, id, before, name)
}

export function setBranchCode(document: TopologyDocument, id: string, at: number, code: CodeRef): TopologyDocument {
  return edit(document, id, ({ properties: { branches } }) => ({
    branches: branches.map((branch, index) => (index === at ? { ...branch, code } : branch)),
  }))
}

/** Names the default branch, or takes it away with undefined; edges that took it follow. */
export function setDefaultBranch(document: TopologyDocument, id: string, name: string | undefined): TopologyDocument {
  const node = nodeById(document, id)
  if (node?.kind !== 'branch') return document
  const before = node.properties.defaultBranch
  const changed = edit(document, id, () => ({ defaultBranch: name }))
  return before === undefined ? changed : follow(changed, id, before, name ?? node.properties.branches.at(-1)?.name)
}

/** Edges that took one branch take another; none, where none is left. */
function follow(document: TopologyDocument, id: string, before: string, after: string | undefined): TopologyDocument {
  const edges = document.edges.map((edge) => {
    if (edge.from !== id || edge.branch !== before) return edge
    const { branch: _, ...rest } = edge
    return after === undefined ? rest : { ...rest, branch: after }
  })
  return { ...document, edges }
}

/** Why a branch cannot be called so; `at` the number of branches means the default one. */
export function branchNameProblem(node: BranchNode, at: number, name: string): string | undefined {
  const problem = kafkaNameProblem(name)
  if (problem !== undefined) return problem
  const others = branchNames(node).toSpliced(at, 1)
  return others.includes(name) ? `Another branch is called ${name}.` : undefined
}
