import type { DocumentNode, TopologyDocument } from '@lanescope/shared'

export interface OutlineRow {
  readonly node: DocumentNode
  readonly depth: number
}

/** The topology as an indented list: each node once, below the first that feeds it; loose ones at the end. */
export function outlineOf(document: TopologyDocument): readonly OutlineRow[] {
  const rows: OutlineRow[] = []
  const seen = new Set<string>()
  const byId = new Map(document.nodes.map((node) => [node.id, node]))
  const visit = (node: DocumentNode, depth: number) => {
    if (seen.has(node.id)) return
    seen.add(node.id)
    rows.push({ node, depth })
    for (const edge of document.edges) {
      const child = edge.from === node.id ? byId.get(edge.to) : undefined
      if (child) visit(child, depth + 1)
    }
  }
  const fed = new Set(document.edges.map((edge) => edge.to))
  for (const node of document.nodes) if (node.kind === 'source') visit(node, 0)
  for (const node of document.nodes) if (!fed.has(node.id)) visit(node, 0)
  for (const node of document.nodes) visit(node, 0)
  return rows
}
