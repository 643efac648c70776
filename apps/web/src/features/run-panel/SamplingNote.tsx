import { formatCount } from '../../live/formatNumber.js'
import { formatClock, formatSpan } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { leftOutOf } from '../../live/RunView.js'
import { Glyph } from '../../ui/Glyph.js'

/** What share of records is shown, what was left out, and how old the newest figure is. */
export function SamplingNote() {
  const shown = useLive((state) => state.view?.samples.length ?? 0) ?? 0
  const left = useLive((state) => (state.view ? leftOutOf(state.view, 'samples') : 0)) ?? 0
  const since = useLive((state) => state.view?.leftOut[0]?.at ?? null) ?? null
  const age =
    useLive((state) => ('ageMs' in state.freshness ? Math.round(state.freshness.ageMs / 100) * 100 : null)) ?? null
  const why = useLive((state) => ('why' in state.freshness ? state.freshness.why : '')) ?? ''
  if (age === null) return null
  return (
    <footer className="sampling-note">
      <Glyph name="search" />
      <p>
        <b>{shownWords(shown, left)}</b>{' '}
        {left > 0 && since !== null && `${formatCount(left)} left out since ${formatClock(since)}. `}
        Every split, drop and expiry is shown.{' '}
        {why ? <span className="caution">{why}.</span> : `${formatSpan(age)} old.`}
      </p>
    </footer>
  )
}

function shownWords(shown: number, left: number): string {
  if (left === 0) return 'Every sampled record is shown.'
  if (shown === 0) return 'No record is shown.'
  const share = (shown + left) / Math.max(1, shown)
  if (share >= 2) return `1 of ${formatCount(Math.round(share))} records shown.`
  return `${formatCount(shown)} of ${formatCount(shown + left)} records shown.`
}
