import { dangerOf, type WhatIf } from '../../live/whatIf.js'
import { PENDING_HEIGHT, PendingTimers } from './PendingTimers.js'
import { ROW_HEIGHT, SegmentRow } from './SegmentRow.js'
import { coordinatesText } from './segmentLabel.js'
import { AxisGrid, ClockFlag, Plate } from './TimeAxisMarks.js'
import { observedWords, type StripModel, wallWords } from './useStripModel.js'
import { WhatIfMarker } from './WhatIfMarker.js'

/** Baseline of the tick labels; flags stand below it, the strips below those. */
export const TICKS_AT = 34
const MOVED_BY = 30

/** All windowed stores on one axis of event time, with both clocks and the what-if. */
export function StripChart(props: {
  readonly model: StripModel
  readonly whatIf: WhatIf | null
  readonly selected: { readonly store: string; readonly segment: number } | null
  readonly onSelect: (selected: { readonly store: string; readonly segment: number } | null) => void
  readonly onMove: (at: number) => void
  /** The marker was grabbed, or let go. */
  readonly onHold: (holding: boolean) => void
}) {
  const { model, whatIf, selected, onSelect, onMove, onHold } = props
  const { axis, strips, timers, wall, leader, flags, top } = model
  const timersAt = top + strips.length * ROW_HEIGHT
  const bottom = timersAt + timers.length * PENDING_HEIGHT
  const dangerous = whatIf?.answer.state === 'answered' && dangerOf(whatIf.answer.preview) !== 'harmless'
  const observedX = leader ? axis.x(leader.observed) : null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a chart.
    <svg
      className="strip-chart"
      width={axis.width}
      height={bottom + MOVED_BY}
      role="group"
      aria-label="Segments on event time"
    >
      <Patterns />
      {whatIf && dangerous && observedX !== null && (
        <rect
          className="what-if-reach"
          x={Math.min(observedX, axis.x(whatIf.timestamp))}
          y={top}
          width={Math.abs(axis.x(whatIf.timestamp) - observedX)}
          height={bottom - top}
        />
      )}
      <AxisGrid axis={axis} top={top} bottom={bottom} labels={TICKS_AT} />
      {strips.map((strip, index) => (
        <SegmentRow
          key={strip.store}
          strip={strip}
          axis={axis}
          y={top + index * ROW_HEIGHT + 4}
          selected={selected?.store === strip.store ? selected.segment : null}
          onSelect={(segment) => onSelect(segment === null ? null : { store: strip.store, segment })}
        />
      ))}
      {timers.map((row, index) => (
        <PendingTimers
          key={row.node}
          row={row}
          axis={axis}
          y={timersAt + (index + 0.5) * PENDING_HEIGHT}
          whatIf={whatIf}
        />
      ))}
      <ClockFlag x={axis.x(wall)} top={top} bottom={bottom} place={flags.get('wall')} kind="wall">
        {wallWords(model)}
      </ClockFlag>
      {leader && observedX !== null && (
        <>
          <ClockFlag x={observedX} top={top} bottom={bottom + 12} place={flags.get('observed')} kind="observed">
            {observedWords(model)}
          </ClockFlag>
          <MovedBy model={model} x={observedX} y={bottom + 12} />
        </>
      )}
      {whatIf && (
        <WhatIfMarker
          axis={axis}
          at={whatIf.timestamp}
          wall={wall}
          top={top}
          bottom={bottom}
          place={flags.get('what-if')}
          dangerous={dangerous}
          onMove={onMove}
          onHold={onHold}
        />
      )}
    </svg>
  )
}

/** Names the record that moved the observed time to where it is. */
function MovedBy(props: { readonly model: StripModel; readonly x: number; readonly y: number }) {
  const { leader, axis } = props.model
  if (!leader?.movedBy) return null
  const words = `moved by ${coordinatesText(leader.movedBy)}`
  const width = words.length * 6.5 + 18
  const right = props.x + 20 + width <= axis.width
  const left = right ? props.x + 20 : Math.max(0, props.x - 20 - width)
  return (
    <g className="moved-by">
      <path d={right ? `M${props.x + 4} ${props.y}h16` : `M${props.x - 4} ${props.y}h-16`} />
      <circle cx={props.x} cy={props.y} r={3.5} />
      <Plate x={left} y={props.y - 10} width={width}>
        moved by <tspan className="mono-text">{coordinatesText(leader.movedBy)}</tspan>
      </Plate>
    </g>
  )
}

function Patterns() {
  return (
    <defs>
      <pattern id="segment-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="hatch-line" width="1.2" height="6" />
      </pattern>
      <pattern id="segment-going" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="going-line" width="1.6" height="6" />
      </pattern>
    </defs>
  )
}
