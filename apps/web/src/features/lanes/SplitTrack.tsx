import { formatCount } from '../../live/formatNumber.js'
import type { Split } from './laneBoard.js'

/** The track from a key's record lane to its timers' lane, below the two columns. */
export function SplitTrack(props: { readonly split: Split; readonly laneCount: number; readonly count: number }) {
  const { split, laneCount, count } = props
  const first = Math.min(split.recordLane, split.timerLane)
  const span = Math.abs(split.recordLane - split.timerLane) + 1
  const centre = ((first + span / 2) / laneCount) * 100
  // Narrower tracks have no room for the words on their rail.
  const wide = (span - 1) / laneCount >= 0.6
  return (
    <div className="split-track" style={{ gridColumn: `2 / span ${laneCount}` }}>
      <div
        className={split.recordLane < split.timerLane ? 'split-arc' : 'split-arc reversed'}
        style={{ left: `${((first + 0.5) / laneCount) * 100}%`, width: `${((span - 1) / laneCount) * 100}%` }}
      >
        <span className="split-rail" />
        <svg className="split-from" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="3.2" />
        </svg>
        <svg className="split-to" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M5 1 9 5 5 9 1 5z" />
        </svg>
      </div>
      <p
        className={wide ? 'split-words' : 'split-words below'}
        style={{ left: `clamp(190px, ${centre}%, calc(100% - 190px))` }}
      >
        <b>{split.key}</b> records on lane {split.recordLane}, timers on lane {split.timerLane}:{' '}
        <b className="danger">
          {split.proven ? 'proven' : 'sampled'} {count === 1 ? 'once' : `${formatCount(count)} times`}
        </b>
      </p>
    </div>
  )
}
