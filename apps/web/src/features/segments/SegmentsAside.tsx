import { formatCount, formatOf } from '../../live/formatNumber.js'
import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'

/** How many segments are drawn, and that none of what happened to them was sampled. */
export function SegmentsAside() {
  const segments = useLive((state) => countSegments(state.view?.frame?.snapshot.stores)) ?? 0
  const expired = useLive((state) => state.view?.journal.byType['segment-expired']?.total ?? 0) ?? 0
  if (segments === 0 && expired === 0) return null
  return (
    <LiveNote>{`${formatOf(segments, 'segment')} alive · ${formatCount(expired)} expired · every creation and expiry is shown`}</LiveNote>
  )
}

function countSegments(
  stores: readonly { readonly windowed?: { readonly segments: readonly unknown[] } }[] | undefined,
): number {
  return (stores ?? []).reduce((sum, store) => sum + (store.windowed?.segments.length ?? 0), 0)
}
