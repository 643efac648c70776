import { useMemo } from 'react'
import { formatOf } from '../../live/formatNumber.js'
import { formatClock } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { useOpenByteProof } from '../../live/useOpenByteProof.js'
import { Glyph } from '../../ui/Glyph.js'
import type { Split } from './laneBoard.js'
import { SplitChart } from './SplitChart.js'
import { toSplitTimeline } from './splitTimeline.js'
import type { ShownSplit } from './useShownSplit.js'

/** One split: the key's records on their lane and its timers on theirs, as far as samples show them. */
export function SplitCard(props: { readonly split: Split; readonly shown: ShownSplit }) {
  const { split, shown } = props
  const samples = useLive((state) => state.view?.samples)
  const timerEvents = useLive((state) => state.view?.timerEvents)
  const failed = useLive((state) => state.run?.state === 'failed') ?? false
  const openByteProof = useOpenByteProof()
  const timeline = useMemo(
    () => toSplitTimeline(split, samples ?? [], timerEvents ?? []),
    [split, samples, timerEvents],
  )
  return (
    <section className="split-card" aria-label={`Split of ${split.key}`}>
      <header>
        <h3>Split of {split.key}</h3>
        <span className="mono ink-3">{formatClock(split.at, 'ms')}</span>
        <span className="spring" />
        <button
          type="button"
          className="icon-button small"
          aria-label="Earlier split"
          disabled={shown.position <= 1}
          onClick={() => shown.step(-1)}
        >
          <Glyph name="up" className="turn-left" />
        </button>
        <span className="mono ink-2">
          {shown.position} of {shown.total}
        </span>
        <button
          type="button"
          className="icon-button small"
          aria-label="Later split"
          disabled={shown.position >= shown.total}
          onClick={() => shown.step(1)}
        >
          <Glyph name="up" className="turn-right" />
        </button>
      </header>
      <SplitChart split={split} timeline={timeline} />
      <p className="split-said">{saidOf(split, timeline.records.length, timeline.timers.length, failed)}</p>
      <footer>
        <button type="button" className="button lined small" onClick={() => openByteProof(split)}>
          Open byte proof
        </button>
        {split.coordinates && (
          <span className="mono ink-3">
            {split.coordinates.topic}-{split.coordinates.partition} @ {split.coordinates.offset}
          </span>
        )}
      </footer>
    </section>
  )
}

function saidOf(split: Split, records: number, timers: number, failed: boolean) {
  const seen = `${formatOf(records, 'record')} seen on lane ${split.recordLane}`
  if (timers > 0) {
    return (
      <>
        {seen},{' '}
        <b className="danger">
          {formatOf(timers, 'firing')} on lane {split.timerLane}
        </b>
        : the two lanes may run {split.key} at the same time.
      </>
    )
  }
  if (failed)
    return (
      <>
        {seen}. No timer of {split.key} fired: the guard stopped the run before one was registered.
      </>
    )
  return (
    <>
      {seen}. No firing of {split.key} was sampled near this moment.
    </>
  )
}
