import { type PointerEvent, useMemo, useState } from 'react'
import { formatNear } from '../../live/formatTime.js'
import { type FlagWish, placeFlags } from '../../live/placeFlags.js'
import type { TimeAxis } from '../../live/timeAxis.js'
import { AxisGrid, ClockFlag, FLAG_ROW, flagWidth } from '../segments/TimeAxisMarks.js'
import { DRAWING_ORDER, shapeAt } from './markShapes.js'
import { TimerTip } from './TimerTip.js'
import type { Clocks, TimerMark, TimerRow } from './timerMarks.js'

const TICKS_AT = 34
const FLAGS_AT = 44
/** How near a mark the pointer has to be, in px. */
const REACH = 9

export interface TimerChartProps {
  readonly axis: TimeAxis
  readonly rows: readonly TimerRow[]
  readonly rowHeight: number
  readonly clocks: Clocks
  readonly selected: TimerMark | null
  readonly onSelect: (mark: TimerMark | null) => void
}

export interface PlacedMark {
  readonly mark: TimerMark
  readonly x: number
  readonly y: number
  /** How many of its row and state stand so near that they are drawn as this one. */
  readonly count: number
}

/** Where the rows begin: below the tick labels and as many rows of flags as are needed. */
export function chartLayout(axis: TimeAxis, clocks: Clocks) {
  const wish = (id: string, at: number, words: string, side: FlagWish['side']): FlagWish => ({
    id,
    x: Math.max(0, Math.min(axis.width, axis.x(at))),
    width: flagWidth(words),
    side,
  })
  const flags = placeFlags(
    [
      ...(clocks.event < 0 ? [] : [wish('observed', clocks.event, eventWords(clocks), 'left' as const)]),
      wish('wall', clocks.wall, wallWords(clocks), 'right'),
    ],
    axis.width,
  )
  const rows = Math.max(1, ...[...flags.values()].map((flag) => flag.row + 1))
  return { flags, top: FLAGS_AT + rows * FLAG_ROW + 6 }
}

/** Timers of a node on event time, a row a lane or key, with the event clock and the wall clock. */
export function TimerChart(props: TimerChartProps) {
  const { axis, rows, rowHeight, clocks, selected, onSelect } = props
  const [hovered, setHovered] = useState<TimerMark | null>(null)
  const { flags, top } = useMemo(() => chartLayout(axis, clocks), [axis, clocks])
  const placed = useMemo(() => place(rows, axis, top, rowHeight), [rows, axis, top, rowHeight])
  const paths = useMemo(() => toPaths(placed), [placed])
  const bottom = top + rows.length * rowHeight
  const shown = placed.find((one) => one.mark.id === (hovered ?? selected)?.id)
  const at = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return nearest(placed, event.clientX - box.left, event.clientY - box.top)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a chart.
    <svg
      className="timer-chart"
      width={axis.width}
      height={bottom + 8}
      role="group"
      aria-label="Timers on event time"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk the marks.
      tabIndex={0}
      onPointerMove={(event) => setHovered(at(event)?.mark ?? null)}
      onPointerLeave={() => setHovered(null)}
      onPointerDown={(event) => onSelect(at(event)?.mark ?? null)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onSelect(null)
        const next = stepTo(placed, selected, event.key)
        if (!next) return
        event.preventDefault()
        onSelect(next.mark)
      }}
    >
      <AxisGrid axis={axis} top={top - 6} bottom={bottom} labels={TICKS_AT} />
      {rows.map((row, index) => (
        <line
          key={row.id}
          className="timer-row"
          x1={0}
          x2={axis.width}
          y1={top + (index + 0.5) * rowHeight}
          y2={top + (index + 0.5) * rowHeight}
        />
      ))}
      <ClockFlag x={axis.x(clocks.wall)} top={top - 6} bottom={bottom} place={flags.get('wall')} kind="wall">
        {wallWords(clocks)}
      </ClockFlag>
      {clocks.event >= 0 && (
        <ClockFlag x={axis.x(clocks.event)} top={top - 6} bottom={bottom} place={flags.get('observed')} kind="observed">
          {eventWords(clocks)}
        </ClockFlag>
      )}
      {DRAWING_ORDER.map((state) => (
        <path key={state} className={`timer-mark ${state}`} d={paths.get(state) ?? ''} />
      ))}
      {shown && <TimerTip placed={shown} width={axis.width} bottom={bottom} clocks={clocks} />}
    </svg>
  )
}

function eventWords(clocks: Clocks): string {
  return `event clock ${formatNear(clocks.event, clocks.wall)}`
}

function wallWords(clocks: Clocks): string {
  return `wall ${formatNear(clocks.wall, clocks.event < 0 ? clocks.wall : clocks.event)}`
}

/** Marks of one state nearer than this are drawn as one, which says how many it is. */
const APART = 8

function place(rows: readonly TimerRow[], axis: TimeAxis, top: number, rowHeight: number): readonly PlacedMark[] {
  return rows.flatMap((row, index) => {
    const kept = new Map<string, PlacedMark>()
    for (const mark of row.marks) {
      const x = axis.x(mark.at)
      const spot = `${mark.state} ${Math.round(x / APART)}`
      const count = (kept.get(spot)?.count ?? 0) + 1
      kept.set(spot, { mark, x, y: top + (index + 0.5) * rowHeight, count })
    }
    return [...kept.values()]
  })
}

function toPaths(placed: readonly PlacedMark[]): ReadonlyMap<string, string> {
  const parts = new Map<string, string[]>()
  for (const { mark, x, y } of placed) {
    const list = parts.get(mark.state) ?? []
    list.push(shapeAt(mark.state, x, y))
    parts.set(mark.state, list)
  }
  return new Map([...parts].map(([state, shapes]) => [state, shapes.join('')]))
}

function nearest(placed: readonly PlacedMark[], x: number, y: number): PlacedMark | null {
  let found: PlacedMark | null = null
  let least = REACH
  for (const one of placed) {
    const distance = Math.hypot(one.x - x, one.y - y)
    if (distance <= least) {
      least = distance
      found = one
    }
  }
  return found
}

/** Left and right walk a row in order of time, up and down go to the nearest mark of the next row that has one. */
function stepTo(placed: readonly PlacedMark[], from: TimerMark | null, key: string): PlacedMark | null {
  if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(key)) return null
  const here = placed.find((one) => one.mark.id === from?.id)
  if (!here) return placed[0] ?? null
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const row = placed.filter((one) => one.y === here.y).sort((a, b) => a.x - b.x)
    return row[row.indexOf(here) + (key === 'ArrowLeft' ? -1 : 1)] ?? here
  }
  const beyond = placed.filter((one) => (key === 'ArrowUp' ? one.y < here.y : one.y > here.y))
  const distance = (one: PlacedMark) => Math.abs(one.y - here.y) * 10_000 + Math.abs(one.x - here.x)
  return beyond.reduce((best, one) => (distance(one) < distance(best) ? one : best), beyond[0] ?? here)
}
