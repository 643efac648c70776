import { formatCount } from '../../live/formatNumber.js'
import { formatClock, formatSpan } from '../../live/formatTime.js'
import { keptOf } from '../../live/journal.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive } from '../../live/LiveProvider.js'
import { shorten } from '../../live/shorten.js'
import { useNow } from '../../live/useNow.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { type AbortWords, abortWords } from './abortWords.js'
import { type EpochBar, type EpochEvent, idleFor, toEpochBars } from './epochPhases.js'
import './epochs.css'

const BARS = 120
const ROWS = 200

/** Commits of the run: a bar an epoch with its phases, and the figures of each. */
export function EpochsTab() {
  const journal = useLive((state) => state.view?.journal)
  const living = useLive((state) => state.run !== null && state.run.endedAt === null) ?? false
  const now = useNow()
  const kept = journal ? keptOf(journal, 'epoch') : null
  if (!kept || kept.items.length === 0) {
    return <LiveEmpty shows="Commits are drawn here with their phases. An idle engine commits nothing." />
  }
  const idle = living ? idleFor(kept.items, now) : null
  return (
    <div className="epochs-tab">
      <EpochBars bars={toEpochBars(kept.items.slice(-BARS))} />
      <div className="epochs-scroll">
        <table className="epochs-table" aria-label="Epochs">
          <thead>
            <tr>
              <th>Epoch</th>
              <th>At</th>
              <th>Outcome</th>
              <th className="number">Records</th>
              <th className="number">Outputs</th>
              <th className="number">Timers</th>
              <th className="number">Run</th>
              <th className="number">Cut</th>
              <th className="number">Commit</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {idle !== null && (
              <tr className="epochs-idle">
                <td colSpan={10}>idle for {formatSpan(idle)}: nothing to commit</td>
              </tr>
            )}
            {kept.items
              .slice(-ROWS)
              .toReversed()
              .map((epoch) => (
                <EpochRow key={epoch.n} epoch={epoch} />
              ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function EpochRow({ epoch }: { readonly epoch: EpochEvent }) {
  const words = abortWords(epoch)
  if (words !== null) return <AbortedRows epoch={epoch} words={words} />
  return (
    <tr>
      <td>{formatCount(epoch.epoch)}</td>
      <td>{formatClock(epoch.at, 'ms')}</td>
      <td>{epoch.outcome}</td>
      <td className="number">{formatCount(epoch.records)}</td>
      <td className="number">{formatCount(epoch.outputs)}</td>
      <td className="number">{formatCount(epoch.timersFired)}</td>
      <td className="number">{milliseconds(epoch.runMs)}</td>
      <td className="number">{milliseconds(epoch.cutMs)}</td>
      <td className="number">{milliseconds(epoch.commitMs)}</td>
      <td className="epochs-message">{epoch.slowest && slowestWords(epoch.slowest)}</td>
    </tr>
  )
}

/** The figures of what was taken back, and below them the whole story, for it is short and rare. */
function AbortedRows(props: { readonly epoch: EpochEvent; readonly words: AbortWords }) {
  const { epoch, words } = props
  return (
    <>
      <tr className="epochs-aborted">
        <td>{formatCount(epoch.epoch)}</td>
        <td>{formatClock(epoch.at, 'ms')}</td>
        <td className="danger">
          <SeverityMark severity="error" /> aborted
        </td>
        <td className="number">{formatCount(epoch.records)}</td>
        <td className="number">{formatCount(epoch.outputs)}</td>
        <td className="number">{formatCount(epoch.timersFired)}</td>
        <td className="number">{milliseconds(epoch.runMs)}</td>
        <td className="number ink-3">never</td>
        <td className="number ink-3">never</td>
        <td />
      </tr>
      <tr className="epochs-story">
        <td />
        <td colSpan={9}>
          <p>
            <b>Why</b> {words.why}
          </p>
          <p>
            <b>What it held</b> {words.held}
          </p>
          <p>
            <b>What follows</b> {words.next.join(' ')}
          </p>
        </td>
      </tr>
    </>
  )
}

/** The callback that the cut has waited for longest. */
function slowestWords({ node, lane, key, ms }: NonNullable<EpochEvent['slowest']>): string {
  return `waited ${formatSpan(ms)} for ${node}, lane ${lane}${key === undefined ? '' : `, key ${shorten(key, 24)}`}`
}

function EpochBars({ bars }: { readonly bars: readonly EpochBar[] }) {
  return (
    <div className="epochs-bars">
      <ul className="epochs-legend">
        <li>
          <i className="run" /> run
        </li>
        <li>
          <i className="cut" /> cut
        </li>
        <li>
          <i className="commit" /> commit
        </li>
      </ul>
      <div className="epochs-chart" role="img" aria-label={`Phases of the last ${bars.length} epochs`}>
        {bars.map(({ epoch, run, cut, commit }) => (
          <span
            key={epoch.n}
            className={epoch.outcome === 'aborted' ? 'epoch-bar aborted' : 'epoch-bar'}
            title={`epoch ${formatCount(epoch.epoch)}${epoch.outcome === 'aborted' ? ', aborted' : ''}: run ${milliseconds(epoch.runMs)}, cut ${milliseconds(epoch.cutMs)}, commit ${milliseconds(epoch.commitMs)}, ${formatCount(epoch.records)} records`}
          >
            <i className="commit" style={{ height: `${commit * 100}%` }} />
            <i className="cut" style={{ height: `${cut * 100}%` }} />
            <i className="run" style={{ height: `${run * 100}%` }} />
          </span>
        ))}
      </div>
    </div>
  )
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
