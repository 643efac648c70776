import type { TopologyDocument } from '@lanescope/shared'
import { heightWithStores, NODE_HEIGHT, NODE_WIDTH } from './layout.js'

/** A sub-topology's outline on the canvas. */
export interface Region {
  readonly index: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const SIDE = 26
/** From an outline to its first row. */
export const REGION_ABOVE = 36
const BELOW = 24

/** The outline around the nodes of each sub-topology; a topology of one has none to tell apart. */
export function regionsOf(
  document: TopologyDocument,
  subTopologies: readonly { readonly index: number; readonly nodeIds: readonly string[] }[],
): readonly Region[] {
  return subTopologies.flatMap((sub) => {
    const nodes = document.nodes.filter((node) => sub.nodeIds.includes(node.id))
    if (nodes.length === 0) return []
    const left = Math.min(...nodes.map((node) => node.position.x)) - SIDE
    const top = Math.min(...nodes.map((node) => node.position.y)) - REGION_ABOVE
    const right = Math.max(...nodes.map((node) => node.position.x + NODE_WIDTH)) + SIDE
    const bottom = Math.max(...nodes.map((node) => node.position.y + heightWithStores(document, node.id))) + BELOW
    return [{ index: sub.index, x: left, y: top, width: right - left, height: bottom - top }]
  })
}

/** A rectangle with its corners cut at 45°, as an SVG path. */
export function cutCorners(region: Omit<Region, 'index'>, cut = 8): string {
  const { x, y, width, height } = region
  const [r, b] = [x + width, y + height]
  return `M${x} ${y + cut}L${x + cut} ${y}H${r - cut}L${r} ${y + cut}V${b - cut}L${r - cut} ${b}H${x + cut}L${x} ${b - cut}Z`
}

/** Between a title and the edge of the canvas, in pixels. */
const FROM_EDGE = 6

/** Where a title stands in the drawing: at `top`, or as far down to `lowest` as it needs to be seen. */
export function titleTop(top: number, lowest: number, moved: number, zoom: number): number {
  return Math.max(top, Math.min(lowest, Math.ceil((FROM_EDGE - moved) / zoom)))
}

/** Whether a sub-topology has an outline: there are others, and nothing of theirs stands in it. The first one never has. */
export function isOutlined(
  { nodes }: Pick<TopologyDocument, 'nodes'>,
  region: Region,
  nodeIds: readonly string[],
  regions: number,
): boolean {
  if (regions < 2 || region.index === 0) return false
  return !nodes.some(({ id, position: { x, y } }) => {
    const inside = x + NODE_WIDTH > region.x && x < region.x + region.width
    return !nodeIds.includes(id) && inside && y + NODE_HEIGHT > region.y && y < region.y + region.height
  })
}

/** Where the title of a sub-topology without an outline stands: above its first node on the left, and not where others are. */
export function titleNode(
  { nodes }: Pick<TopologyDocument, 'nodes'>,
  nodeIds: readonly string[],
): { readonly x: number; readonly y: number } | undefined {
  const places = nodes.filter(({ id }) => nodeIds.includes(id)).map(({ position }) => position)
  return places.sort((a, b) => a.x - b.x || a.y - b.y)[0]
}

/** `8 lanes`; a global store is filled by all that reads it, and has none. */
export function lanesText({ global, laneCount }: { readonly global?: unknown; readonly laneCount: number }): string {
  if (global) return 'global store'
  return laneCount === 1 ? '1 lane' : `${laneCount} lanes`
}
