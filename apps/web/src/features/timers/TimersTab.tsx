import { useMemo, useState } from 'react'
import { formatSpan } from '../../live/formatTime.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive } from '../../live/LiveProvider.js'
import { documentName } from '../../live/LiveStore.js'
import { buildTimeAxis } from '../../live/timeAxis.js'
import { useRoomyDrawer } from '../../live/useRoomyDrawer.js'
import { useWidth } from '../../live/useWidth.js'
import { useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { chartLayout, TimerChart } from './TimerChart.js'
import { TimerLegend } from './TimerLegend.js'
import { markWords } from './TimerTip.js'
import { nextDue, type TimerMark, timerSpans } from './timerMarks.js'
import { type TimerModel, useTimerModel } from './useTimerModel.js'
import './timers.css'

/** The timer timeline: a row a lane or key on event time; pending, due, fired, replaced and deleted by shape. */
export function TimersTab() {
  useRoomyDrawer()
  const by = useView((state) => state.params['timers-by']) === 'key' ? 'key' : 'lane'
  const chosen = useView((state) => state.params['timers-of'])
  const model = useTimerModel(chosen, by)
  const [selected, onSelect] = useState<TimerMark | null>(null)
  const running = useLive((state) => state.view?.frame != null) ?? false
  if (!model) {
    return (
      <LiveEmpty
        {...(running ? { because: 'No node of this run uses keyed timers.' } : {})}
        shows="Timers are drawn here lane by lane on event time: pending, due, fired, replaced and deleted."
      />
    )
  }
  return (
    <div className="timers-tab">
      <Timeline model={model} selected={selected} onSelect={onSelect} />
      <p className="visually-hidden" aria-live="polite">
        {selected ? `${selected.timer.key} ${selected.timer.name ?? ''}, ${markWords(selected, model.clocks)}` : ''}
      </p>
    </div>
  )
}

function Timeline(props: {
  readonly model: TimerModel
  readonly selected: TimerMark | null
  readonly onSelect: (mark: TimerMark | null) => void
}) {
  const { model, selected, onSelect } = props
  const { marks, rows, clocks, counts } = model
  const [ref, width] = useWidth<HTMLDivElement>()
  const old = useLive((state) => state.freshness.state !== 'live')
  const axis = useMemo(
    () => buildTimeAxis({ spans: timerSpans(marks, clocks), width: Math.max(200, width), breakWidth: 58 }),
    [marks, clocks, width],
  )
  const rowHeight = rows.length > 10 ? 15 : 21
  const { top } = chartLayout(axis, clocks)
  const next = nextDue(marks)
  const nextWords =
    next && clocks.event >= 0
      ? `next due: ${next.timer.key} in ${formatSpan(next.at - clocks.event)} of event time`
      : null
  return (
    <>
      <div className={old ? 'timers-chart live-old' : 'timers-chart'}>
        <div className="timers-labels" style={{ paddingTop: top }}>
          <span className="timers-time segment">Event time, UTC</span>
          {rows.map((row) => (
            <span key={row.id} style={{ height: rowHeight }}>
              {row.label}
            </span>
          ))}
        </div>
        <div ref={ref} className="timers-axis">
          {width > 0 && (
            <TimerChart
              axis={axis}
              rows={rows}
              rowHeight={rowHeight}
              clocks={clocks}
              selected={selected}
              onSelect={onSelect}
            />
          )}
        </div>
      </div>
      <div className="timers-foot">
        <TimerLegend counts={counts} next={nextWords} />
        {selected && <Selected mark={selected} model={model} />}
      </div>
    </>
  )
}

/** What a clicked mark says, with the way to its key's records. */
function Selected({ mark, model }: { readonly mark: TimerMark; readonly model: TimerModel }) {
  const { view } = useStores()
  const names = useLive((state) => state.names)
  const node = names ? documentName(names, mark.timer.node) : mark.timer.node
  return (
    <p className="timer-selected">
      <b className="mono">{mark.timer.key}</b> {mark.timer.name} on lane {mark.timer.lane} of {node}:{' '}
      {markWords(mark, model.clocks)}
      <button
        type="button"
        className="button small"
        onClick={() => {
          view.getState().setParam('key', mark.timer.key)
          view.getState().openTab('records')
        }}
      >
        <Glyph name="search" size={13} /> Follow {mark.timer.key}
      </button>
    </p>
  )
}

/** At the right of the tab bar: what is drawn, of which node, and how it is grouped. */
export function TimersPickers({ nodes, node }: { readonly nodes: readonly string[]; readonly node: string }) {
  const { view } = useStores()
  const by = useView((state) => state.params['timers-by']) === 'key' ? 'key' : 'lane'
  return (
    <>
      {nodes.length > 1 && (
        <Select
          label="Timers of"
          value={node}
          options={nodes.map((value) => ({ value, label: value }))}
          onChange={(value) => view.getState().setParam('timers-of', value)}
        />
      )}
      <fieldset className="segmented timers-by" aria-label="Rows">
        <button type="button" aria-pressed={by === 'lane'} onClick={() => view.getState().setParam('timers-by', null)}>
          By lane
        </button>
        <button type="button" aria-pressed={by === 'key'} onClick={() => view.getState().setParam('timers-by', 'key')}>
          By key
        </button>
      </fieldset>
    </>
  )
}
