import type { TopologyDocument } from '@lanescope/shared'
import type { Position } from './commands/nodes.js'
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js'
import { nodeById } from './queries.js'
import { trackPoints } from './track.js'

/** The edge that passes within `reach` of a point, the nearest first; undefined when none does. */
export function edgeAt(document: TopologyDocument, point: Position, reach = 16): string | undefined {
  let best: { id: string; distance: number } | undefined
  for (const edge of document.edges) {
    const from = nodeById(document, edge.from)
    const to = nodeById(document, edge.to)
    if (!from || !to) continue
    const points = trackPoints(
      { x: from.position.x + NODE_WIDTH, y: from.position.y + NODE_HEIGHT / 2 },
      { x: to.position.x, y: to.position.y + NODE_HEIGHT / 2 },
    )
    for (let i = 1; i < points.length; i++) {
      const distance = toSegment(point, points[i - 1] as Position, points[i] as Position)
      if (distance <= reach && (!best || distance < best.distance)) best = { id: edge.id, distance }
    }
  }
  return best?.id
}

function toSegment(p: Position, a: Position, b: Position): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy)
}
