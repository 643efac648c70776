import type { Position } from './commands/nodes.js'
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js'

/** The minimap's box in the canvas: from its left edge, and up from its foot, above the zoom. */
const BOX = { left: 12, right: 160, foot: 48, head: 152 }

/**
 * Whether any node lies below the minimap.
 *
 * @param nodes where they stand, in the drawing
 * @param view how far the drawing is moved, in pixels, and its zoom
 * @param height of the canvas, in pixels
 */
export function isBelowMinimap(
  nodes: readonly Position[],
  [x, y, zoom]: readonly [x: number, y: number, zoom: number],
  height: number,
): boolean {
  return nodes.some((node) => {
    const left = node.x * zoom + x
    const top = node.y * zoom + y
    const isBeside = left >= BOX.right || left + NODE_WIDTH * zoom <= BOX.left
    const isApart = top >= height - BOX.foot || top + NODE_HEIGHT * zoom <= height - BOX.head
    return !isBeside && !isApart
  })
}
