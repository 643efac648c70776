import { formatCount } from '../../live/formatNumber.js'
import { keptOf } from '../../live/journal.js'
import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'

/** How many epochs were committed; none is sampled away. */
export function EpochsAside() {
  const total = useLive((state) => (state.view ? keptOf(state.view.journal, 'epoch').total : 0)) ?? 0
  const last = useLive((state) => state.view?.frame?.snapshot.epoch.number ?? null) ?? null
  if (last === null) return null
  return <LiveNote>{`epoch ${formatCount(last)} · ${formatCount(total)} seen · every commit is shown`}</LiveNote>
}
