import { useEffect, useMemo, useState } from 'react'
import { formatDuration } from '../../live/formatTime.js'
import { type Journal, keptOf } from '../../live/journal.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive } from '../../live/LiveProvider.js'
import { useRoomyDrawer } from '../../live/useRoomyDrawer.js'
import { useWhatIf } from '../../live/useWhatIf.js'
import { useWidth } from '../../live/useWidth.js'
import { useProject, useRun, useStores, useView } from '../../store/context.js'
import { toClockMoves } from './clockMoves.js'
import { ExpiryList } from './ExpiryList.js'
import { PENDING_HEIGHT } from './PendingTimers.js'
import { RejectedList } from './RejectedList.js'
import { ROW_HEIGHT } from './SegmentRow.js'
import { StripChart } from './StripChart.js'
import type { SegmentStrip } from './segmentStrip.js'
import { type PendingRow, useStripModel } from './useStripModel.js'
import { WhatIfPanel } from './WhatIfPanel.js'
import './segments.css'

/** What the what-if would take grows with the run, so the engine is asked again this often. */
const ASK_EVERY_MS = 1_000

/** The segment map: windowed stores on event time, both clocks, the what-if, and what the clock took. */
export function SegmentsTab() {
  useRoomyDrawer()
  const [ref, width] = useWidth<HTMLDivElement>()
  const [selected, onSelect] = useState<{ readonly store: string; readonly segment: number } | null>(null)
  const { sources, source, setSource } = useSources()
  const changes = useLive((state) => (state.view ? clockChanges(state.view.journal) : 0)) ?? 0
  const beat = useLive((state) => Math.floor(state.now / ASK_EVERY_MS)) ?? 0
  const living = useRun((state) => state.run?.state === 'running')
  const { whatIf, setTimestamp } = useWhatIf(source, `${changes} ${living ? beat : ''}`)
  const [held, setHeld] = useState<number | null>(null)
  const model = useStripModel(width, whatIf, held)
  const old = useLive((state) => state.freshness.state !== 'live')
  const journal = useLive((state) => state.view?.journal)
  const moves = useMemo(() => (journal ? toClockMoves(keptOf(journal, 'segment-expired').items) : []), [journal])
  const running = useLive((state) => state.view?.frame != null) ?? false
  const guarded = useGuarded()
  return (
    <div className="segments-tab">
      <div className="segments-main">
        <div className={old ? 'segments-chart live-old' : 'segments-chart'}>
          <StoreLabels strips={model?.strips ?? []} timers={model?.timers ?? []} top={model?.top ?? 0} />
          <div ref={ref} className="segments-axis">
            {model && width > 0 && (
              <StripChart
                model={model}
                whatIf={whatIf}
                selected={selected}
                onSelect={onSelect}
                onMove={setTimestamp}
                onHold={(holding) => setHeld(holding ? (whatIf?.timestamp ?? null) : null)}
              />
            )}
          </div>
        </div>
        {!model && (
          <LiveEmpty
            {...(running ? { because: 'This run has no windowed store.' } : {})}
            shows="Windowed stores are drawn here as segments on event time, with what one record in the future would take."
          />
        )}
        {model && journal && (
          <div className="segments-lists">
            <RejectedList events={keptOf(journal, 'future-timestamp')} guarded={guarded} />
            <ExpiryList moves={moves} total={keptOf(journal, 'segment-expired').total} />
          </div>
        )}
      </div>
      {model && (
        <WhatIfPanel
          sources={sources}
          source={source}
          onSource={setSource}
          whatIf={whatIf}
          wall={model.wall}
          onTimestamp={setTimestamp}
        />
      )}
    </div>
  )
}

function StoreLabels(props: {
  readonly strips: readonly SegmentStrip[]
  readonly timers: readonly PendingRow[]
  readonly top: number
}) {
  const { strips, timers, top } = props
  if (strips.length === 0) return null
  return (
    <div className="segments-labels" style={{ paddingTop: top }}>
      <span className="segments-time segment">Event time, UTC</span>
      {strips.map((strip) => (
        <div key={strip.store} style={{ height: ROW_HEIGHT }}>
          <b>{strip.store}</b>
          <span>keeps {formatDuration(strip.retentionMs)}</span>
          <span>segments {formatDuration(strip.segmentIntervalMs)}</span>
        </div>
      ))}
      {timers.map((row) => (
        <span key={row.node} className="segments-timers" style={{ height: PENDING_HEIGHT }}>
          {row.node}, pending
        </span>
      ))}
    </div>
  )
}

/** Sources of the open project, and which one the what-if is about. */
function useSources() {
  const { view } = useStores()
  const nodes = useProject((state) => state.workspace.document.nodes)
  const chosen = useView((state) => state.params['what-if-source'])
  const sources = useMemo(() => nodes.filter((node) => node.kind === 'source').map((node) => node.name), [nodes])
  const source = sources.find((name) => name === chosen) ?? sources[0] ?? null
  const setSource = (name: string) => view.getState().setParam('what-if-source', name)
  useEffect(() => {
    if (chosen !== undefined && !sources.includes(chosen)) view.getState().setParam('what-if-source', null)
  }, [view, chosen, sources])
  return { sources, source, setSource }
}

/** Whether the run judges records by how far ahead they are. */
function useGuarded(): boolean {
  const own = useRun((state) => state.run?.overrides?.['future-timestamp.guard'])
  const set = useProject((state) => state.workspace.config['future-timestamp.guard'])
  return (own ?? set) !== 'off'
}

/** How often a clock has made, expired or rejected something. */
function clockChanges(journal: Journal): number {
  return (['segment-created', 'segment-expired', 'future-timestamp'] as const).reduce(
    (sum, type) => sum + keptOf(journal, type).total,
    0,
  )
}
