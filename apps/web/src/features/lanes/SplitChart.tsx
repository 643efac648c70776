import { formatSpan } from '../../live/formatTime.js'
import { useWidth } from '../../live/useWidth.js'
import type { Split } from './laneBoard.js'
import type { SplitMark, SplitTimeline } from './splitTimeline.js'

const LABELS = 58
const RECORDS_Y = 52
const TIMERS_Y = 108
const HEIGHT = 138

/** Two lane tracks on one small axis; the moment of proof is the line across both. */
export function SplitChart(props: { readonly split: Split; readonly timeline: SplitTimeline }) {
  const { split, timeline } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const room = Math.max(80, width - LABELS - 26)
  const x = (at: number) => LABELS + ((at - timeline.from) / (timeline.to - timeline.from)) * room
  const ticks = ticksOf(timeline)
  return (
    <div ref={ref} className="split-chart">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Records of ${split.key} on lane ${split.recordLane}, timers on lane ${split.timerLane}`}
      >
        {ticks.map((at) => (
          <g key={at}>
            <line className="split-grid" x1={x(at)} x2={x(at)} y1={24} y2={HEIGHT - 6} />
            <text className="split-tick" x={x(at)} y={14} textAnchor="middle">
              {at === split.at ? 'proof' : `${at < split.at ? '−' : '+'}${formatSpan(at - split.at)}`}
            </text>
          </g>
        ))}
        <rect className="split-moment" x={x(split.at) - 5} y={24} width={10} height={HEIGHT - 30} />
        <line className="split-moment-line" x1={x(split.at)} x2={x(split.at)} y1={24} y2={HEIGHT - 6} />
        <line className="split-lane" x1={LABELS} x2={LABELS + room} y1={RECORDS_Y} y2={RECORDS_Y} />
        <line className="split-lane" x1={LABELS} x2={LABELS + room} y1={TIMERS_Y} y2={TIMERS_Y} />
        {timeline.records.map((mark) => (
          <RecordMark key={mark.id} mark={mark} x={x(mark.at)} />
        ))}
        {timeline.timers.map((mark) => (
          <FiredMark key={mark.id} mark={mark} x={x(mark.at)} />
        ))}
        <Track y={RECORDS_Y} lane={split.recordLane} what="records" className="flow" />
        <Track y={TIMERS_Y} lane={split.timerLane} what="timers" className="timer" />
      </svg>
    </div>
  )
}

function Track(props: {
  readonly y: number
  readonly lane: number
  readonly what: string
  readonly className: string
}) {
  return (
    <>
      <text className={`split-lane-name ${props.className}`} x={0} y={props.y - 1}>
        lane {props.lane}
      </text>
      <text className="split-tick" x={0} y={props.y + 13}>
        {props.what}
      </text>
    </>
  )
}

function RecordMark({ mark, x }: { readonly mark: SplitMark; readonly x: number }) {
  return (
    <g className="split-record">
      <title>{mark.label}</title>
      <rect x={x - 2.5} y={RECORDS_Y - 12} width={5} height={24} rx={1} />
    </g>
  )
}

function FiredMark({ mark, x }: { readonly mark: SplitMark; readonly x: number }) {
  return (
    <g className="split-fired">
      <title>{mark.label}</title>
      <path d={`M${x} ${TIMERS_Y - 7}l7 7-7 7-7-7z`} />
    </g>
  )
}

function ticksOf({ from, to, stepMs }: SplitTimeline): readonly number[] {
  const count = Math.round((to - from) / stepMs)
  return Array.from({ length: count + 1 }, (_, index) => from + index * stepMs)
}
