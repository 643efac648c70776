/** A stretch of time that holds something to draw; a single moment has `from` = `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A stretch that is drawn to scale. */
export interface AxisPiece extends Span {
  readonly x0: number
  readonly x1: number
}

export interface AxisTick {
  readonly at: number
  readonly x: number
  readonly label: string
  /** The date, where a piece or a day begins; empty elsewhere. */
  readonly context: string
}

/** Time along the page. Idle stretches between pieces are collapsed to a break of fixed width. */
export interface TimeAxis {
  readonly width: number
  readonly pieces: readonly AxisPiece[]
  readonly breaks: readonly AxisPiece[]
  readonly ticks: readonly AxisTick[]
  x(at: number): number
  /** The time at a place; within a break, the share of the way through it. */
  at(x: number): number
}

export interface AxisOptions {
  readonly spans: readonly Span[]
  readonly width: number
  /** Width of a break, in px. */
  readonly breakWidth?: number
  /** A piece is never narrower than this, in px. */
  readonly leastPiece?: number
  /** The shortest stretch that a lone moment is given, in ms. */
  readonly leastSpanMs?: number
  /** Distance of ticks, in px. */
  readonly tickEvery?: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 15, 30, 90, 182, 365, 730, 1_825, 3_650, 36_500, 365_000].map((n) => n * DAY),
]

/** The smallest usual step that is not shorter than `least`. */
export function niceStep(least: number): number {
  return STEPS.find((step) => step >= least) ?? STEPS.at(-1)!
}

/** Lays time out over `width`, so that what happened ten years apart stays readable side by side. */
export function buildTimeAxis(options: AxisOptions): TimeAxis {
  const { width, breakWidth = 34, leastPiece = 96, leastSpanMs = SECOND, tickEvery = 84 } = options
  const clusters = toClusters(options.spans, leastSpanMs)
  const pieces = placePieces(clusters, width, breakWidth, leastPiece)
  const breaks = pieces.slice(1).map((piece, index) => {
    const before = pieces[index] ?? piece
    return { from: before.to, to: piece.from, x0: before.x1, x1: piece.x0 }
  })
  const all = interleave(pieces, breaks)
  return {
    width,
    pieces,
    breaks,
    ticks: pieces.flatMap((piece) => ticksOf(piece, tickEvery)),
    x: (at) => project(all, at, 'from', 'to', 'x0', 'x1'),
    at: (x) => project(all, x, 'x0', 'x1', 'from', 'to'),
  }
}

/**
 * Merges spans that are near each other. A stretch without anything is idle when it is longer than all that is
 * drawn to scale together; so the axis breaks only where a scale without breaks would squeeze everything else.
 */
export function toClusters(spans: readonly Span[], leastSpanMs: number): readonly Span[] {
  const sorted = spans.filter(isSpan).sort((a, b) => a.from - b.from)
  const merged: { from: number; to: number }[] = []
  for (const span of sorted) {
    const last = merged.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else merged.push({ from: span.from, to: span.to })
  }
  const active = merged.reduce((sum, span) => sum + Math.max(leastSpanMs, span.to - span.from), 0)
  const clusters: { from: number; to: number }[] = []
  for (const span of merged) {
    const last = clusters.at(-1)
    if (last && span.from - last.to <= active) last.to = span.to
    else clusters.push(span)
  }
  return clusters.map((span) => widen(span, leastSpanMs))
}

/** Grows a cluster to whole steps, so that an axis fed ten times a second moves only now and then. */
function widen(span: Span, leastSpanMs: number): Span {
  const length = Math.max(leastSpanMs, span.to - span.from)
  const step = niceStep(length / 12)
  const from = Math.max(0, Math.floor(span.from / step) * step)
  const to = Math.ceil(span.to / step) * step
  return to > from ? { from, to } : { from: Math.max(0, from - step), to: from + step }
}

function placePieces(
  clusters: readonly Span[],
  width: number,
  breakWidth: number,
  leastPiece: number,
): readonly AxisPiece[] {
  const room = Math.max(1, width - breakWidth * Math.max(0, clusters.length - 1))
  const least = Math.min(leastPiece, room / Math.max(1, clusters.length))
  const total = clusters.reduce((sum, span) => sum + span.to - span.from, 0)
  const rest = room - least * clusters.length
  let x = 0
  return clusters.map((span) => {
    const x0 = x
    const x1 = x0 + least + (rest * (span.to - span.from)) / total
    x = x1 + breakWidth
    return { ...span, x0, x1 }
  })
}

function ticksOf(piece: AxisPiece, tickEvery: number): readonly AxisTick[] {
  const count = Math.max(1, Math.floor((piece.x1 - piece.x0) / tickEvery))
  const step = niceStep((piece.to - piece.from) / count)
  const ticks: AxisTick[] = []
  let day = ''
  for (let at = Math.ceil(piece.from / step) * step; at <= piece.to; at += step) {
    const date = new Date(at).toISOString()
    const context = step >= DAY ? date.slice(0, 4) : date.slice(0, 10)
    const x = piece.x0 + ((at - piece.from) / (piece.to - piece.from)) * (piece.x1 - piece.x0)
    ticks.push({ at, x, label: tickLabel(date, step), context: context === day ? '' : context })
    day = context
  }
  return ticks
}

function tickLabel(date: string, step: number): string {
  if (step >= DAY) return date.slice(5, 10)
  if (step >= MINUTE) return date.slice(11, 16)
  if (step >= SECOND) return date.slice(11, 19)
  return date.slice(14, 23)
}

function interleave(pieces: readonly AxisPiece[], breaks: readonly AxisPiece[]): readonly AxisPiece[] {
  return pieces.flatMap((piece, index) => {
    const gap = breaks[index]
    return gap ? [piece, gap] : [piece]
  })
}

type Edge = keyof AxisPiece

/** Maps a value along the pieces; beyond both ends it goes on at the scale of the outermost piece. */
function project(all: readonly AxisPiece[], value: number, from: Edge, to: Edge, outFrom: Edge, outTo: Edge): number {
  const piece = all.find((one) => value <= one[to]) ?? all.at(-1)
  if (!piece) return 0
  const length = piece[to] - piece[from]
  const share = length === 0 ? 0 : (value - piece[from]) / length
  return piece[outFrom] + share * (piece[outTo] - piece[outFrom])
}

function isSpan(span: Span): boolean {
  return Number.isFinite(span.from) && Number.isFinite(span.to) && span.from >= 0 && span.to >= span.from
}
