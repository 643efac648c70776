import { useMemo } from 'react'
import { formatCount } from '../../live/formatNumber.js'
import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'
import { leftOutOf } from '../../live/RunView.js'
import { useStores, useView } from '../../store/context.js'
import { outside, ownersOf } from './sampleFilter.js'

/** Samples or topics, and what share of the records the samples are. */
export function RecordsAside() {
  const { view } = useStores()
  const topics = useView((state) => state.params.records) === 'topics'
  const all = useLive((state) => state.view?.samples)
  const names = useLive((state) => state.names)
  const shown = useMemo(() => outside(all ?? [], ownersOf(names ?? new Map())).length, [all, names])
  const left = useLive((state) => (state.view ? leftOutOf(state.view, 'samples') : 0)) ?? 0
  return (
    <>
      {!topics && shown > 0 && (
        <LiveNote>{`${formatCount(shown)} samples kept, ${formatCount(left)} left out in the last minute`}</LiveNote>
      )}
      <fieldset className="segmented records-switch" aria-label="Records of">
        <button type="button" aria-pressed={!topics} onClick={() => view.getState().setParam('records', null)}>
          Samples
        </button>
        <button type="button" aria-pressed={topics} onClick={() => view.getState().setParam('records', 'topics')}>
          Topics
        </button>
      </fieldset>
    </>
  )
}
