import type { BranchNode, DocumentEdge, TopologyDocument } from './TopologyDocument.js'

/** The branches of a node by name, in the order in which they are asked; the default last. */
export function branchNames({ properties }: BranchNode): readonly string[] {
  const { branches, defaultBranch } = properties
  return [...branches.map(({ name }) => name), ...(defaultBranch === undefined ? [] : [defaultBranch])]
}

/**
 * The branch whose records an edge takes. One that says none takes the first that no other edge has, or else the last.
 *
 * @param edges all of the document
 * @returns undefined only where the node has no branch at all
 */
export function branchOf(
  node: BranchNode,
  edge: DocumentEdge,
  { edges }: Pick<TopologyDocument, 'edges'>,
): string | undefined {
  if (edge.branch !== undefined) return edge.branch
  const out = edges.filter(({ from }) => from === node.id)
  const names = branchNames(node)
  const taken = new Set(out.map(({ branch }) => branch))
  const free = names.filter((name) => !taken.has(name))
  const open = out.filter(({ branch }) => branch === undefined)
  return free[open.findIndex(({ id }) => id === edge.id)] ?? names.at(-1)
}
