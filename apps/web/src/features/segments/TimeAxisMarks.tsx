import type { ReactNode } from 'react'
import { formatSpan } from '../../live/formatTime.js'
import type { PlacedFlag } from '../../live/placeFlags.js'
import type { TimeAxis } from '../../live/timeAxis.js'

/** Ticks above, a hairline below each, and the breaks where idle time is left out. */
export function AxisGrid(props: {
  readonly axis: TimeAxis
  readonly top: number
  readonly bottom: number
  /** Baseline of the tick labels. */
  readonly labels: number
}) {
  const { axis, top, bottom, labels } = props
  return (
    <g className="axis">
      {axis.ticks.map((tick) => (
        <g key={`${tick.at}`}>
          <line className="axis-line" x1={tick.x} x2={tick.x} y1={top} y2={bottom} />
          <text className="axis-label" x={tick.x} y={labels} textAnchor={anchorOf(tick.x, axis)}>
            {tick.label}
          </text>
          {tick.context && (
            <text className="axis-context" x={tick.x} y={labels - 13} textAnchor={anchorOf(tick.x, axis)}>
              {tick.context}
            </text>
          )}
        </g>
      ))}
      {axis.breaks.map((gap) => (
        <AxisBreak key={gap.from} x0={gap.x0} x1={gap.x1} top={top} bottom={bottom} labels={labels}>
          {formatSpan(gap.to - gap.from)}
        </AxisBreak>
      ))}
    </g>
  )
}

/** A label near an end of its piece stays within it. */
function anchorOf(x: number, axis: TimeAxis): 'start' | 'middle' | 'end' {
  const piece = axis.pieces.find((one) => x >= one.x0 && x <= one.x1)
  if (!piece) return 'middle'
  if (x - piece.x0 < NEAR_END) return 'start'
  return piece.x1 - x < NEAR_END ? 'end' : 'middle'
}

/** Half of a label's width, in px. */
const NEAR_END = 26

function AxisBreak(props: {
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  readonly labels: number
  readonly children: string
}) {
  const { x0, x1, top, bottom, labels, children } = props
  const middle = (x0 + x1) / 2
  return (
    <g className="axis-break">
      <rect x={x0} y={top - 4} width={x1 - x0} height={bottom - top + 4} />
      <path d={tear(x0, top - 4, bottom)} />
      <path d={tear(x1, top - 4, bottom)} />
      <text x={middle} y={labels - 13} textAnchor="middle">
        idle
      </text>
      <text x={middle} y={labels} textAnchor="middle">
        {children.replace(/ \d+ (d|h|min|s)$/, '')}
      </text>
    </g>
  )
}

/** A torn edge: time goes on beyond it, and is not drawn. */
function tear(x: number, top: number, bottom: number): string {
  const step = 7
  let path = `M${x} ${top}`
  for (let y = top, side = 1; y < bottom; y += step, side = -side) path += `l${side * 4} ${Math.min(step, bottom - y)}`
  return path
}

/** Width of a flag with these words. */
export function flagWidth(words: string): number {
  return words.length * 6.3 + 16
}

export const FLAG_ROW = 20

/** A moment on the axis: a line through everything below and a flag on top. */
export function ClockFlag(props: {
  readonly x: number
  readonly top: number
  readonly bottom: number
  readonly place: PlacedFlag | undefined
  readonly kind: 'observed' | 'wall' | 'what-if'
  readonly children: string
}) {
  const { x, top, bottom, kind, place, children } = props
  if (!place) return null
  const wide = flagWidth(children)
  const y = top - 20 - place.row * FLAG_ROW
  return (
    <g className={`clock-flag ${kind}`}>
      <line x1={x} x2={x} y1={y + 17} y2={bottom} />
      <rect x={place.left} y={y} width={wide} height={17} rx={2} />
      <text x={place.left + wide / 2} y={y + 12} textAnchor="middle">
        {children}
      </text>
    </g>
  )
}

/** Text on the ground of the chart, readable above lines. */
export function Plate(props: {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly children: ReactNode
}) {
  return (
    <g className="plate" transform={`translate(${props.x} ${props.y})`}>
      <rect width={props.width} height={20} rx={3} />
      <text x={8} y={14}>
        {props.children}
      </text>
    </g>
  )
}
