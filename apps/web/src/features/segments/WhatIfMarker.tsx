import type { KeyboardEvent, PointerEvent } from 'react'
import { formatDateTime, formatSpan } from '../../live/formatTime.js'
import type { PlacedFlag } from '../../live/placeFlags.js'
import type { TimeAxis } from '../../live/timeAxis.js'
import { ClockFlag } from './TimeAxisMarks.js'

export function whatIfWords(at: number): string {
  return `what if ${formatDateTime(at, 'minute')}`
}

/** The marker of a record that was not sent: dragged, or moved by keys. */
export function WhatIfMarker(props: {
  readonly axis: TimeAxis
  readonly at: number
  readonly wall: number
  readonly top: number
  readonly bottom: number
  readonly place: PlacedFlag | undefined
  readonly dangerous: boolean
  readonly onMove: (at: number) => void
  readonly onHold: (holding: boolean) => void
}) {
  const { axis, at, wall, top, bottom, place, dangerous, onMove, onHold } = props
  const x = Math.max(0, Math.min(axis.width, axis.x(at)))
  const step = Math.max(1, Math.round(axis.at(Math.min(axis.width, x)) - axis.at(Math.min(axis.width, x) - 4)))
  return (
    <g
      role="slider"
      tabIndex={0}
      aria-label="What if a record had this time"
      aria-valuemin={0}
      aria-valuemax={Number.MAX_SAFE_INTEGER}
      aria-valuenow={at}
      aria-valuetext={formatDateTime(at)}
      className={dangerous ? 'what-if-marker dangerous' : 'what-if-marker'}
      onKeyDown={(event) => moveByKey(event, at, step, wall, onMove)}
      onPointerDown={(event) => drag(event, axis, at, onMove, onHold)}
    >
      <ClockFlag x={x} top={top} bottom={bottom} place={place} kind="what-if">
        {whatIfWords(at)}
      </ClockFlag>
      <rect className="what-if-grab" x={x - 9} y={top} width={18} height={bottom - top + 26} />
      <g transform={`translate(${x - 8} ${bottom + 3})`} className="what-if-handle">
        <rect width={16} height={22} rx={3} />
        <path d="M5 7v8M8 7v8M11 7v8" />
      </g>
      <title>{`${formatSpan(at - wall)} ${at < wall ? 'behind' : 'ahead of'} the wall clock`}</title>
    </g>
  )
}

function moveByKey(
  event: KeyboardEvent<SVGGElement>,
  at: number,
  step: number,
  wall: number,
  onMove: (at: number) => void,
): void {
  const moves: { readonly [key: string]: number } = {
    ArrowLeft: at - step,
    ArrowRight: at + step,
    PageDown: at - step * 10,
    PageUp: at + step * 10,
    Home: wall,
  }
  const to = moves[event.key]
  if (to === undefined) return
  event.preventDefault()
  onMove(to)
}

/** While it is dragged the scale of the moment of grabbing holds; letting go lays the axis out anew. */
function drag(
  event: PointerEvent<SVGGElement>,
  axis: TimeAxis,
  at: number,
  onMove: (at: number) => void,
  onHold: (holding: boolean) => void,
): void {
  const target = event.currentTarget
  const startX = event.clientX
  const from = axis.x(at)
  target.setPointerCapture(event.pointerId)
  target.focus()
  onHold(true)
  const within = (x: number) => Math.max(0, Math.min(axis.width, x))
  const move = (moved: globalThis.PointerEvent) => onMove(axis.at(within(from + moved.clientX - startX)))
  const end = () => {
    onHold(false)
    target.removeEventListener('pointermove', move)
    target.removeEventListener('pointerup', end)
    target.removeEventListener('pointercancel', end)
  }
  target.addEventListener('pointermove', move)
  target.addEventListener('pointerup', end)
  target.addEventListener('pointercancel', end)
}
