import type { DocumentNode, TopologyDocument } from '@lanescope/shared'
import { nodeById } from './queries.js'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The node that an arrow key leads to: along the edges sideways, to the nearest one up and down. */
export function walk(document: TopologyDocument, from: string, direction: Direction): string | undefined {
  const node = nodeById(document, from)
  if (!node) return document.nodes[0]?.id
  if (direction === 'left' || direction === 'right') {
    const next = document.edges
      .filter((edge) => (direction === 'right' ? edge.from : edge.to) === from)
      .flatMap((edge) => nodeById(document, direction === 'right' ? edge.to : edge.from) ?? [])
    return nearest(next, (other) => Math.abs(other.position.y - node.position.y))
  }
  const sign = direction === 'down' ? 1 : -1
  const beyond = document.nodes.filter((other) => (other.position.y - node.position.y) * sign > 1)
  return nearest(beyond, (other) => {
    const dx = Math.abs(other.position.x - node.position.x)
    const dy = Math.abs(other.position.y - node.position.y)
    return dy + dx * 2
  })
}

function nearest(nodes: readonly DocumentNode[], distance: (node: DocumentNode) => number): string | undefined {
  let best: DocumentNode | undefined
  for (const node of nodes) if (!best || distance(node) < distance(best)) best = node
  return best?.id
}
