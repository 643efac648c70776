import type { Position } from './commands/nodes.js'

/** How far a 45° switch goes sideways at a bend. */
const SWITCH = 12
const ROUND = 9

/**
 * The points of an edge between two ports: a straight run when they are level; else out, down a vertical run
 * near `bendAt`, and in, with 45° switches at both bends.
 */
export function trackPoints(from: Position, to: Position, bendAt?: number): readonly Position[] {
  const dy = to.y - from.y
  if (Math.abs(dy) < 1) return [from, to]
  const sign = Math.sign(dy)
  const cut = Math.min(SWITCH, Math.abs(dy) / 2)
  const room = to.x - from.x
  if (room < SWITCH * 4) return backwards(from, to, sign, cut)
  const x = Math.max(from.x + SWITCH * 2, Math.min(to.x - SWITCH * 2, bendAt ?? from.x + SWITCH * 3))
  return [
    from,
    { x: x - cut, y: from.y },
    { x, y: from.y + sign * cut },
    { x, y: to.y - sign * cut },
    { x: x + cut, y: to.y },
    to,
  ]
}

/** Where on a node an edge comes in. */
export type Entry = 'left' | 'top' | 'bottom'

/**
 * Where the right side of a join with a table comes in: from below or above where it stands there, so that it does not
 * run along the left side's track.
 *
 * @param dx from the out port to the middle of the node
 * @param dy of the rows, down
 */
export function sideEntry(dx: number, dy: number): Entry {
  if (dx < SWITCH * 2 || Math.abs(dy) < SWITCH * 4) return 'left'
  return dy < 0 ? 'bottom' : 'top'
}

/** Along the row of its start to below or above its end, and in. */
export function trackIntoSide(from: Position, to: Position): readonly Position[] {
  const sign = Math.sign(to.y - from.y)
  const cut = Math.min(SWITCH, Math.abs(to.y - from.y) / 2, Math.abs(to.x - from.x) / 2)
  return [from, { x: to.x - cut, y: from.y }, { x: to.x, y: from.y + sign * cut }, to]
}

/** Where the target stands to the left: out, half way down, back, and in. */
function backwards(from: Position, to: Position, sign: number, cut: number): readonly Position[] {
  const right = from.x + SWITCH * 2
  const left = to.x - SWITCH * 2
  const middle = (from.y + to.y) / 2
  const half = Math.min(cut, Math.abs(middle - from.y) / 2)
  return [
    from,
    { x: right - half, y: from.y },
    { x: right, y: from.y + sign * half },
    { x: right, y: middle - sign * half },
    { x: right - half, y: middle },
    { x: left + half, y: middle },
    { x: left, y: middle + sign * half },
    { x: left, y: to.y - sign * half },
    { x: left + half, y: to.y },
    to,
  ]
}

/** An SVG path through points, its corners rounded by at most `radius`. */
export function trackPath(points: readonly Position[], radius = ROUND): string {
  const first = points[0]
  if (!first) return ''
  let path = `M${first.x} ${first.y}`
  for (let i = 1; i < points.length - 1; i++) {
    const [before, at, after] = [points[i - 1] as Position, points[i] as Position, points[i + 1] as Position]
    const into = towards(at, before, Math.min(radius, distance(at, before) / 2))
    const out = towards(at, after, Math.min(radius, distance(at, after) / 2))
    path += `L${into.x} ${into.y}Q${at.x} ${at.y} ${out.x} ${out.y}`
  }
  const last = points.at(-1) as Position
  return `${path}L${last.x} ${last.y}`
}

/** Kept free at the end of a track that bends, for its arrow. */
const ARROW = 14

/**
 * The middle of the longest run: where a chip stands, clear of the arrow behind a bend.
 *
 * @param share how far down a vertical run, of its length: those of a fan begin together, and are apart further on
 */
export function chipPlace(points: readonly Position[], share = 0.5): Position & { readonly vertical: boolean } {
  let best: [Position, Position] = [points[0] as Position, points[1] as Position]
  for (let i = 1; i < points.length - 1; i++) {
    const run: [Position, Position] = [points[i] as Position, points[i + 1] as Position]
    if (distance(...run) > distance(...best)) best = run
  }
  const [a, end] = best
  const bends = points.length > 2 && end === points.at(-1)
  const b = bends ? { x: end.x - Math.sign(end.x - a.x) * Math.min(ARROW, distance(a, end)), y: end.y } : end
  const vertical = Math.abs(a.x - b.x) < 1
  return { x: (a.x + b.x) / 2, y: vertical ? a.y + (b.y - a.y) * share : (a.y + b.y) / 2, vertical }
}

function distance(a: Position, b: Position): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function towards(from: Position, to: Position, by: number): Position {
  const length = distance(from, to) || 1
  const x = from.x + ((to.x - from.x) * by) / length
  const y = from.y + ((to.y - from.y) * by) / length
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 }
}
