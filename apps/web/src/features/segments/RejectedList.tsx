import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatBound, formatClock, formatDateTime, formatSpan } from '../../live/formatTime.js'
import type { Kept, RareOf } from '../../live/journal.js'
import { shorten } from '../../live/shorten.js'
import { coordinatesText } from './segmentLabel.js'

type Future = RareOf<'future-timestamp'>

const TITLES: { readonly [verdict in Future['verdict']]: string } = {
  rejected: 'Rejected',
  warned: 'Entered with a warning',
  passed: 'Passed',
}

/** Records too far in the future, each with what it would have taken. */
export function RejectedList(props: { readonly events: Kept<Future>; readonly guarded: boolean }) {
  const { events, guarded } = props
  return (
    <section className="clock-list">
      <h3>
        Rejected records <span className="ink-3">{formatCount(events.total)}</span>
      </h3>
      {events.items.length === 0 ? (
        <p className="ink-3">
          {guarded
            ? "No record was ahead of its source's bound."
            : 'The future-timestamp guard is off in this run: no record is held against a bound, and none is rejected.'}
        </p>
      ) : (
        <ul aria-label="Rejected records">
          {events.items.toReversed().map((event) => (
            <RejectedRecord key={event.n} event={event} />
          ))}
        </ul>
      )}
    </section>
  )
}

function RejectedRecord({ event }: { readonly event: Future }) {
  const { segments, windows, timers, refuses } = event.blast
  return (
    <li className={`clock-item ${event.verdict}`}>
      <p>
        <b className={event.verdict === 'passed' ? '' : event.verdict === 'rejected' ? 'danger' : 'caution'}>
          {TITLES[event.verdict]}
        </b>{' '}
        <span className="mono">{coordinatesText(event.coordinates)}</span>
        {event.key !== null && <span className="mono"> {shorten(event.key, 40)}</span>}
        <span className="clock-when mono">{formatClock(event.at)}</span>
      </p>
      <p>
        <span className="mono">{formatDateTime(event.coordinates.timestamp)}</span>, {formatSpan(event.aheadMs)} ahead;{' '}
        {event.source} is bound to {formatSpan(event.boundMs)}.
      </p>
      <ul>
        {segments.map((segment) => {
          const length = segment.to - segment.from
          return (
            <li key={`${segment.store} ${segment.segment}`}>
              would have expired <b>{segment.store}</b>{' '}
              <span className="mono">
                {formatBound(segment.from, length)} to {formatBound(segment.to, length)}
              </span>
              , {formatOf(segment.entries, 'entry', 'entries')}
            </li>
          )
        })}
        {windows.map((entry) => (
          <li key={`w ${entry.node}`}>
            would have closed {formatOf(entry.count, 'window')} of <b>{entry.node}</b>
          </li>
        ))}
        {timers.map((entry) => (
          <li key={`t ${entry.node}`}>
            would have fired {formatOf(entry.count, 'timer')} of <b>{entry.node}</b>
          </li>
        ))}
        {refuses.map((span) => (
          <li key={`r ${span.where} ${span.reason}`}>
            would have refused records of <b>{span.where}</b> before{' '}
            <span className="mono">{formatDateTime(span.to)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
