import type { TopologyDocument } from '@lanescope/shared'
import type { Position } from './commands/nodes.js'

/** On one row, in one column, or at even distances along either. */
export type Alignment = 'row' | 'column' | 'spread-across' | 'spread-down'

/** Least that even distances need. */
export const LEAST: { readonly [alignment in Alignment]: number } = {
  row: 2,
  column: 2,
  'spread-across': 3,
  'spread-down': 3,
}

/** Where the nodes given stand when they are aligned: by the first that was selected, or between the outermost two. */
export function aligned(
  { nodes }: Pick<TopologyDocument, 'nodes'>,
  ids: readonly string[],
  alignment: Alignment,
): ReadonlyMap<string, Position> {
  const chosen = ids.flatMap((id) => nodes.find((node) => node.id === id) ?? [])
  const [first] = chosen
  if (first === undefined || chosen.length < LEAST[alignment]) return new Map()
  if (alignment === 'row' || alignment === 'column') {
    const { x, y } = first.position
    return new Map(
      chosen.map(({ id, position }) => [id, alignment === 'row' ? { x: position.x, y } : { x, y: position.y }]),
    )
  }
  const axis = alignment === 'spread-across' ? 'x' : 'y'
  const inOrder = [...chosen].sort((a, b) => a.position[axis] - b.position[axis])
  const from = inOrder[0]?.position[axis] ?? 0
  const step = ((inOrder.at(-1)?.position[axis] ?? 0) - from) / (inOrder.length - 1)
  return new Map(inOrder.map(({ id, position }, at) => [id, { ...position, [axis]: Math.round(from + at * step) }]))
}
