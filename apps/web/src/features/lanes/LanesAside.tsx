import { formatCount } from '../../live/formatNumber.js'
import { missingCount } from '../../live/journal.js'
import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'
import { frameRate, leftOutOf } from '../../live/RunView.js'

/** How the board was measured: over which time, how often, and what is not on it. */
export function LanesAside() {
  const lanes = useLive((state) => state.view?.figures.lanes.length) ?? 0
  const rate = useLive((state) => (state.view ? Math.round(frameRate(state.view) ?? 0) : 0)) ?? 0
  const left = useLive((state) => (state.view ? leftOutOf(state.view, 'frames') : 0)) ?? 0
  const missing = useLive((state) => (state.view ? missingCount(state.view.journal) : 0)) ?? 0
  if (lanes === 0) return null
  const said = [
    `${lanes} lanes`,
    'last 1 s',
    `${rate} frames /s`,
    left === 0 ? 'nothing left out' : `${formatCount(left)} frames merged in the last minute`,
    ...(missing === 0 ? [] : [`${formatCount(missing)} earlier events not received`]),
  ]
  return <LiveNote>{said.join(' · ')}</LiveNote>
}
