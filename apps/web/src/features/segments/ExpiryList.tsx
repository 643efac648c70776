import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatBound, formatClock, formatDateTime, formatSpan } from '../../live/formatTime.js'
import { type ClockMove, isOrdinary } from './clockMoves.js'
import { coordinatesText } from './segmentLabel.js'

/** Records that moved the clock and expired segments, each with what they held. */
export function ExpiryList(props: { readonly moves: readonly ClockMove[]; readonly total: number }) {
  const { moves, total } = props
  return (
    <section className="clock-list">
      <h3>
        Expired segments <span className="ink-3">{formatCount(total)}</span>
      </h3>
      {moves.length === 0 ? (
        <p className="ink-3">No segment has expired in this run.</p>
      ) : (
        <ul aria-label="Expired segments">
          {moves.map((move) => (
            <li key={move.n} className={isOrdinary(move) ? 'clock-item' : 'clock-item expired'}>
              <p>
                <b className={isOrdinary(move) ? '' : 'danger'}>{formatOf(move.segments.length, 'segment')} expired</b>
                <span>{formatOf(move.entries, 'entry', 'entries')} gone</span>
                <span className="clock-when mono">{formatClock(move.segments[0]?.at ?? -1)}</span>
              </p>
              <p>
                by <span className="mono">{move.causedBy ? coordinatesText(move.causedBy) : 'the event clock'}</span>
                {move.causedBy && (
                  <>
                    , timestamp <span className="mono">{formatDateTime(move.causedBy.timestamp)}</span>
                  </>
                )}
                ; the clock went {formatSpan(move.clockAfter - Math.max(0, move.clockBefore))} on
              </p>
              <ul>
                {move.segments.map((segment) => {
                  const length = segment.to - segment.from
                  return (
                    <li key={segment.n}>
                      <b>{segment.store}</b>{' '}
                      <span className="mono">
                        {formatBound(segment.from, length)} to {formatBound(segment.to, length)}
                      </span>{' '}
                      held {formatOf(segment.entries, 'entry', 'entries')}
                    </li>
                  )
                })}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
