import { useMemo } from 'react'
import { formatCount } from '../../live/formatNumber.js'
import { formatClock } from '../../live/formatTime.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive } from '../../live/LiveProvider.js'
import { useView } from '../../store/context.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { dropCounts, type Level, type LogLine, toLogLines } from './logLines.js'
import './log.css'

const LINES = 400

/** What the run said: lines, errors, drops, splits, segments and rejections; and every reason for a drop with its count. */
export function LogTab() {
  const journal = useLive((state) => state.view?.journal)
  const least = (useView((state) => state.params['log-level']) ?? 'info') as Level
  const node = useView((state) => state.params['log-node'])
  const names = useLive((state) => (node === undefined ? undefined : state.names.get(node)))
  const lines = useMemo(() => {
    const about = node === undefined ? undefined : [node, ...(names ?? [])]
    return journal ? toLogLines(journal, least, LINES, about) : []
  }, [journal, least, node, names])
  if (!journal || journal.lastN === 0) {
    return <LiveEmpty shows="The run's own words, its errors, and every record that it dropped stand here." />
  }
  return (
    <div className="log-tab">
      <ol className="log-lines" aria-label="Log">
        {lines.map((line) => (
          <Line key={line.n} line={line} />
        ))}
        {lines.length === 0 && (
          <li className="ink-3 log-none">Nothing of this level{node === undefined ? '' : ` at ${node}`}.</li>
        )}
      </ol>
      <Drops />
    </div>
  )
}

function Line({ line }: { readonly line: LogLine }) {
  return (
    <li className={`log-line ${line.level}`}>
      <span className="mono ink-3">{formatClock(line.at, 'ms')}</span>
      <span className="log-mark">
        {line.level !== 'info' && <SeverityMark severity={line.level === 'error' ? 'error' : 'warn'} size={13} />}
      </span>
      <span className="mono log-what">{line.what}</span>
      <span className="log-node">{line.node}</span>
      <span className="log-message">
        {line.message}
        {line.count > 1 && <b className="log-count">× {formatCount(line.count)}</b>}
      </span>
    </li>
  )
}

function Drops() {
  const counters = useLive((state) => state.view?.frame?.snapshot.counters)
  const drops = useMemo(() => dropCounts(counters ?? {}), [counters])
  const some = drops.filter((drop) => drop.count > 0)
  const none = drops.length - some.length
  return (
    <section className="log-drops" aria-label="Dropped records">
      <h3>
        Dropped records <span className="ink-3">since the start</span>
      </h3>
      <dl>
        {some.map((drop) => (
          <div key={drop.reason}>
            <dt className="mono">{drop.reason}</dt>
            <dd className="danger">{formatCount(drop.count)}</dd>
          </div>
        ))}
      </dl>
      <p className="ink-3">
        {some.length === 0 && 'None. '}
        {none > 0 && `${none} other reasons are counted and stand at 0.`}
      </p>
    </section>
  )
}
