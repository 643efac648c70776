import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'
import { leftOutOf } from '../../live/RunView.js'
import { useView } from '../../store/context.js'
import { TimersPickers } from './TimersTab.js'
import { sampling } from './timerMarks.js'
import { useTimerModel } from './useTimerModel.js'

/** What share of pending timers and of what happened to them is drawn, and how rows are made. */
export function TimersAside() {
  const by = useView((state) => state.params['timers-by']) === 'key' ? 'key' : 'lane'
  const chosen = useView((state) => state.params['timers-of'])
  const model = useTimerModel(chosen, by)
  const left = useLive((state) => (state.view ? leftOutOf(state.view, 'timerEvents') : 0)) ?? 0
  const received = useLive((state) => state.view?.timerEvents.length ?? 0) ?? 0
  if (!model) return null
  const pending = model.marks.filter((mark) => mark.happenedAt === null).length
  const said = `${sampling(pending, model.counts.pending ?? 0)} pending, ${happened(received, left)}`
  const all = `Drawn: ${said} in the last minute; near marks as one`
  return (
    <>
      <LiveNote title={all}>{said}</LiveNote>
      <TimersPickers nodes={model.nodes} node={model.node} />
    </>
  )
}

function happened(received: number, left: number): string {
  return left === 0 ? 'all that happened' : `${sampling(received, received + left)} of what happened`
}
