import { formatCount } from '../../live/formatNumber.js'
import { shapeAt, TIMER_STATES } from './markShapes.js'
import type { TimerState } from './timerMarks.js'

export type TimerCounts = { readonly [state in TimerState]: number | null }

/** The shapes, each with how many there are over the run. */
export function TimerLegend(props: { readonly counts: TimerCounts; readonly next: string | null }) {
  const { counts, next } = props
  return (
    <div className="timer-legend">
      {TIMER_STATES.map((state) => (
        <span key={state}>
          <svg width="14" height="14" aria-hidden="true">
            <path className={`timer-mark ${state}`} d={shapeAt(state, 7, 7)} />
          </svg>
          {counts[state] === null ? '—' : formatCount(counts[state])} {state}
        </span>
      ))}
      {next !== null && <span className="timer-next">{next}</span>}
    </div>
  )
}
