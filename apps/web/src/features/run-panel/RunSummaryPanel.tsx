import type { RunSummary } from '@lanescope/shared'
import { formatCount, formatRate } from '../../live/formatNumber.js'
import { formatDateTime, formatNear } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { HISTORY_MS, type Reading, rateSeries } from '../../live/readings.js'
import { amountWords, restoredIntoWords } from '../../live/restoreWords.js'
import { useProject, useRun, useStores } from '../../store/context.js'
import { Fact } from './NodeFiguresPanel.js'
import { guardsOf } from './runWords.js'
import { Sparkline } from './Sparkline.js'

/** The run as a whole, when no node is selected: what came in, what was dropped and why. */
export function RunSummaryPanel() {
  const run = useRun((state) => state.run)
  const minute = useLive((state) => state.view?.history.minute)
  const recent = useLive((state) => state.view?.history.recent)
  if (!run) return <p className="ink-3">No run yet. Press Run to see lanes, timers and segments move.</p>
  const series = rateSeries(minute ?? [], processed)
  const now =
    rateSeries(
      [recent?.[0], recent?.at(-1)].flatMap((one) => one ?? []),
      processed,
    )[0]?.perSecond ?? null
  return (
    <>
      <section className="panel-part">
        <h3>
          Records processed <span className="mono">{formatRate(now)}</span>
        </h3>
        <Sparkline series={series} spanMs={HISTORY_MS} label="Records per second over the last minute" />
        <dl className="panel-facts">
          <Fact name="State" value={run.state} danger={run.state === 'failed'} />
          <Fact name="Log" value={run.log === 'kafka' ? 'Kafka' : 'embedded'} />
          <Fact name="Started" value={formatDateTime(run.startedAt)} />
          {run.endedAt !== null && <Fact name="Ended" value={formatNear(run.endedAt, run.startedAt)} />}
          {run.restore !== undefined && run.restore.storesLeft === 0 && (
            <>
              <Fact name="Restored" value={amountWords(run.restore)} />
              <Fact name="Into" value={restoredIntoWords(run.restore)} />
            </>
          )}
        </dl>
      </section>
      <Guards run={run} />
      <Drops />
    </>
  )
}

/** What each guard does in this run, and where that was said. */
function Guards({ run }: { readonly run: RunSummary }) {
  const config = useProject((state) => state.workspace.config)
  return (
    <section className="panel-part">
      <h3>Guards</h3>
      <dl className="panel-facts">
        {guardsOf(run.overrides, config).map(({ name, value, from }) => (
          <Fact
            key={name}
            name={from === 'default' ? name : `${name}, by ${from === 'settings' ? 'the settings' : from}`}
            value={value}
          />
        ))}
      </dl>
    </section>
  )
}

function processed(reading: Reading): number {
  return [...reading.lanes.values()].reduce((sum, lane) => sum + lane.processed, 0)
}

function Drops() {
  const { view } = useStores()
  const drops = useLive((state) => state.view?.journal.drops)
  const all = [...(drops?.values() ?? [])].sort((a, b) => b.count - a.count)
  return (
    <section className="panel-part">
      <h3>
        Dropped
        <button type="button" className="button small" onClick={() => view.getState().openTab('log')}>
          Open the log
        </button>
      </h3>
      {all.length === 0 && <p className="ink-3">Nothing was dropped.</p>}
      <dl className="panel-facts">
        {all.map((drop) => (
          <Fact
            key={`${drop.reason} ${drop.node} ${drop.store}`}
            name={`${drop.reason} at ${drop.node}`}
            value={formatCount(drop.count)}
            danger
          />
        ))}
      </dl>
    </section>
  )
}
