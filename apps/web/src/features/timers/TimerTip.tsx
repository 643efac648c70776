import { formatOf } from '../../live/formatNumber.js'
import { formatNear, formatSpan } from '../../live/formatTime.js'
import type { PlacedMark } from './TimerChart.js'
import type { Clocks, TimerMark } from './timerMarks.js'

/** Beside a mark: whose timer, what became of it, and what it emitted. */
export function TimerTip(props: {
  readonly placed: PlacedMark
  readonly width: number
  readonly bottom: number
  readonly clocks: Clocks
}) {
  const { placed, width, bottom, clocks } = props
  const { mark, x, y, count } = placed
  const name = mark.timer.name ? ` ${mark.timer.name}` : ''
  const more = count > 1 ? `, and ${count - 1} more here` : ''
  const first = `${mark.timer.key}${name}${more}`
  const second = markWords(mark, clocks)
  const wide = Math.max(first.length * 7.2, second.length * 6.1) + 20
  const left = Math.max(0, Math.min(width - wide, x + 12))
  const below = y + 52 < bottom || y < 70
  const top = below ? y + 10 : y - 50
  return (
    <g className="timer-tip">
      <circle className="timer-ring" cx={x} cy={y} r={8} />
      <rect x={left} y={top} width={wide} height={38} rx={4} />
      <text x={left + 9} y={top + 16}>
        <tspan className="timer-tip-key">{mark.timer.key}</tspan>
        {name}
        {more}
      </text>
      <text className="timer-tip-words" x={left + 9} y={top + 30}>
        {second}
      </text>
    </g>
  )
}

/** What a mark says in words: "fired 14:03:12, emitted 1 record", "pending, 20 min left". */
export function markWords(mark: TimerMark, clocks: Clocks): string {
  const clock = mark.timer.domain === 'event-time' ? clocks.event : clocks.wall
  const at = formatNear(mark.at, clocks.wall)
  switch (mark.state) {
    case 'pending':
      return clock < 0 ? `pending for ${at}` : `pending for ${at}, ${formatSpan(mark.at - clock)} left`
    case 'due':
      return `due since ${at}`
    case 'fired':
      return `fired ${at}, emitted ${formatOf(mark.forwarded ?? 0, 'record')}`
    case 'replaced':
      return `stood at ${at}, moved to ${formatNear(mark.timer.at, clocks.wall)}`
    case 'deleted':
      return `deleted, was for ${at}`
  }
}
