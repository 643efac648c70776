import { memo } from 'react'
import { formatCount, formatRate, formatShare } from '../../live/formatNumber.js'
import { formatSpan } from '../../live/formatTime.js'
import { shorten } from '../../live/shorten.js'
import { useStores } from '../../store/context.js'
import type { LaneCell } from './laneBoard.js'

/** One lane: number, queue of its capacity, busy share, hottest key, rate, and how long its callback waits. */
export const LaneColumn = memo(function LaneColumn(props: {
  readonly cell: LaneCell
  readonly crowded: boolean
  readonly old: boolean
}) {
  const { cell, crowded, old } = props
  const { figures, fill, cause, part } = cell
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's group; this is a column of figures.
    <div
      role="group"
      aria-label={`Lane ${figures.lane}`}
      className={`lane ${cause ? 'pressed' : ''} ${part ? `part-${part}` : ''} ${old ? 'live-old' : ''}`}
      title={crowded ? words(cell) : undefined}
    >
      <span className="lane-head">
        <b>{figures.lane}</b>
        {!crowded && <LaneTag cell={cell} />}
      </span>
      <span className="lane-queue">
        <span className="lane-fill" style={{ height: `${fill * 100}%` }} />
        {!crowded && <QueueTicks />}
        <span className="lane-queued" style={fill > 0.82 ? { top: 4 } : { bottom: `calc(${fill * 100}% + 2px)` }}>
          {formatCount(figures.queued)}
        </span>
      </span>
      <span className="lane-busy">
        {!crowded && <em>{formatShare(figures.busy)}</em>}
        <span className="lane-track">
          <i style={{ width: `${(figures.busy ?? 0) * 100}%` }} />
        </span>
      </span>
      {!crowded && <LaneWords cell={cell} />}
    </div>
  )
})

function LaneWords({ cell }: { readonly cell: LaneCell }) {
  const { figures, cause } = cell
  const { view } = useStores()
  const follow = (key: string) => {
    view.getState().setParam('key', key)
    view.getState().openTab('records')
  }
  const top = figures.topKey
  return (
    <>
      <span className="lane-key">
        {top ? (
          <button type="button" title={`Follow ${shorten(top.key, 400)} in Records`} onClick={() => follow(top.key)}>
            {shorten(top.key, 24)}
          </button>
        ) : (
          <span className="ink-3">—</span>
        )}
        {top && <small>{formatShare(top.share)}</small>}
      </span>
      <span className="lane-rate">{formatRate(figures.perSecond)}</span>
      <span className={cause ? 'lane-waits caution' : 'lane-waits'} title={figures.current ?? undefined}>
        {figures.awaitingMs > 0 ? formatSpan(figures.awaitingMs) : '—'}
      </span>
    </>
  )
}

/** Beside the number: what the lane has to do with the split, or the key that presses it. */
function LaneTag({ cell }: { readonly cell: LaneCell }) {
  const { figures, hotKey } = cell
  if (hotKey !== null) return <small className="caution">hot: {shorten(hotKey, 16)}</small>
  const timers = figures.timersPerSecond ?? 0
  if (timers > 0) {
    return (
      <small className="timer" title="Timers fired on this lane in the last second">
        ◆ {formatRate(timers)}
      </small>
    )
  }
  return null
}

function QueueTicks() {
  return (
    <span className="lane-ticks">
      <i />
      <i />
      <i />
    </span>
  )
}

function words({ figures }: LaneCell): string {
  const top = figures.topKey ? `, top key ${shorten(figures.topKey.key, 60)} ${formatShare(figures.topKey.share)}` : ''
  return `Lane ${figures.lane}: ${figures.queued} of ${figures.capacity} queued, busy ${formatShare(figures.busy)}, ${formatRate(figures.perSecond)}${top}`
}
