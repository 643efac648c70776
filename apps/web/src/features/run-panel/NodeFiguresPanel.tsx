import { useMemo } from 'react'
import { combineNodes, entryNames, type TimerFigures } from '../../live/figures.js'
import { formatCount, formatRate, formatShare } from '../../live/formatNumber.js'
import { formatClock, formatSpan } from '../../live/formatTime.js'
import { spacedHex } from '../../live/hex.js'
import { KeyText } from '../../live/KeyText.js'
import { useLive } from '../../live/LiveProvider.js'
import { documentName } from '../../live/LiveStore.js'
import type { SeenSample } from '../../live/RunView.js'
import { HISTORY_MS, type Reading, rateSeries } from '../../live/readings.js'
import { shorten } from '../../live/shorten.js'
import { useStores } from '../../store/context.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { DropsPart } from './DropsPart.js'
import { Sparkline } from './Sparkline.js'

/** What a run measured at one node: pressure, rates, keyed timers, records seen. */
export function NodeFiguresPanel({ name }: { readonly name: string }) {
  const names = useLive((state) => state.names.get(name)) ?? [name]
  const figures = useLive((state) => state.view?.figures)
  const minute = useLive((state) => state.view?.history.minute)
  const node = figures ? combineNodes(figures, names) : undefined
  const entries = figures ? entryNames(figures, names) : names
  const entered = entries.join('\n')
  const series = useMemo(
    () => rateSeries(minute ?? [], (reading) => sumIn(reading, entered.split('\n'))),
    [minute, entered],
  )
  if (!node) return <p className="ink-3">Nothing was measured at {name} yet.</p>
  return (
    <>
      <PressureCard names={names} />
      <section className="panel-part">
        <h3>
          Records in <span className="mono">{formatRate(node.inPerSecond)}</span>
        </h3>
        <Sparkline series={series} spanMs={HISTORY_MS} label={`Records per second into ${name} over the last minute`} />
        <dl className="panel-facts">
          <Fact name="Since the start" value={`${formatCount(node.in)} in, ${formatCount(node.out)} out`} />
          <Fact
            name="Busy"
            value={node.busy !== null && node.busy > 1 ? `${node.busy.toFixed(1)} lanes` : formatShare(node.busy)}
          />
          {node.eventClock >= 0 && <Fact name="Event clock" value={formatClock(node.eventClock, 'ms')} />}
        </dl>
      </section>
      <DropsPart name={name} names={names} />
      {node.timers && <TimersPart timers={node.timers} node={node.node} eventClock={node.eventClock} />}
      <RecordsHere names={names} />
    </>
  )
}

/** What has come into these nodes; undefined before any of them is known. */
function sumIn(reading: Reading, names: readonly string[]): number | undefined {
  const known = names.flatMap((name) => reading.nodes.get(name)?.in ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}

function PressureCard({ names }: { readonly names: readonly string[] }) {
  const pressure = useLive((state) => state.view?.pressure)
  const lanes = useLive((state) => state.view?.figures.lanes)
  const all = useLive((state) => state.names)
  const cause = names.map((name) => pressure?.causes.get(name)).find((one) => one !== undefined)
  const victim = names.map((name) => pressure?.victims.get(name)).find((one) => one !== undefined)
  if (cause) {
    const top = lanes?.find((lane) => lane.subTopology === cause.subTopology && lane.lane === cause.lane)?.topKey
    return (
      <div className="pressure-card">
        <SeverityMark severity="warn" />
        <p>
          <b>Lane {cause.lane} holds this node back.</b> Its queue holds {formatCount(cause.queued)} of{' '}
          {formatCount(cause.capacity)}, busy {formatShare(cause.busy)}.
          {top && ` ${shorten(top.key, 40)} is ${formatShare(top.share)} of its records.`}
        </p>
      </div>
    )
  }
  if (!victim) return null
  return (
    <div className="pressure-card waits">
      <SeverityMark severity="warn" />
      <p>
        <b>Waits on {all ? documentName(all, victim.waitsOn) : victim.waitsOn}.</b> {formatCount(victim.lag)} records
        are not read yet.
      </p>
    </div>
  )
}

function TimersPart(props: { readonly timers: TimerFigures; readonly node: string; readonly eventClock: number }) {
  const { timers, node, eventClock } = props
  const next = useLive((state) =>
    state.view?.frame?.pendingTimers.find(
      (timer) => timer.node === node && timer.domain === 'event-time' && timer.at > eventClock,
    ),
  )
  const mismatches = useLive((state) => mismatchTotal(state.view?.frame?.snapshot.counters)) ?? null
  return (
    <section className="panel-part">
      <h3>
        Keyed timers <span className="mono timer">{formatCount(timers.pending)} pending</span>
      </h3>
      <dl className="panel-facts">
        <Fact name="Fired" value={`${formatCount(timers.fired)}, ${formatRate(timers.firedPerSecond)}`} />
        <Fact name="Replaced" value={`${formatCount(timers.replaced)}, ${formatRate(timers.replacedPerSecond)}`} />
        <Fact name="Deleted" value={formatCount(timers.deleted)} />
        {next && eventClock >= 0 && (
          <Fact name="Next due" value={`${shorten(next.key, 24)} in ${formatSpan(next.at - eventClock)}`} />
        )}
        <Fact name="Splits proven by the guard" value={formatCount(timers.splits)} danger={timers.splits > 0} />
        <Fact
          name="Split keys in sampled records"
          title="timer_lane_mismatch_total"
          value={mismatches === null ? '—' : formatCount(mismatches)}
          danger={(mismatches ?? 0) > 0}
        />
      </dl>
    </section>
  )
}

/** Over all labels; null while the run has not named the counter. */
function mismatchTotal(counters: { readonly [name: string]: number } | undefined): number | null {
  const own = Object.entries(counters ?? {}).filter(([name]) => name === MISMATCH || name.startsWith(`${MISMATCH}{`))
  return own.length === 0 ? null : own.reduce((sum, [, count]) => sum + count, 0)
}

const MISMATCH = 'timer_lane_mismatch_total'
const SHOWN = 14

function RecordsHere({ names }: { readonly names: readonly string[] }) {
  const { view } = useStores()
  const samples = useLive((state) => state.view?.samples)
  const here = recordsAt(samples ?? [], names)
    .slice(-SHOWN)
    .reverse()
  const follow = (key: string) => {
    view.getState().setParam('key', key)
    view.getState().openTab('records')
  }
  return (
    <section className="panel-part">
      <h3>
        Records at this node <span className="ink-3">lane</span>
      </h3>
      {here.length === 0 && <p className="ink-3">None of the sampled records was here.</p>}
      <table className="panel-records">
        <tbody>
          {here.map((sample) => (
            <tr key={sample.id}>
              <td>{formatClock(sample.at, 'ms').slice(3)}</td>
              <td>
                <button
                  type="button"
                  className="key-text"
                  title={shorten(sample.key ?? 'null', 400)}
                  onClick={() => sample.key !== null && follow(sample.key)}
                >
                  <KeyText text={sample.key ?? 'null'} most={40} />
                </button>
              </td>
              <td className="ink-3 panel-bytes">{sample.keyBytes === null ? '' : spacedHex(sample.keyBytes, 5)}</td>
              <td>{sample.lane}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function Fact(props: {
  readonly name: string
  readonly value: string
  readonly danger?: boolean
  /** What the name is called by in metrics; on hover. */
  readonly title?: string
}) {
  return (
    <div>
      <dt title={props.title}>{props.name}</dt>
      <dd className={props.danger ? 'danger' : ''} title={props.value}>
        {props.value}
      </dd>
    </div>
  )
}

/** What came into the node; of a source, which nothing comes into, what left it. */
function recordsAt(samples: readonly SeenSample[], names: readonly string[]): readonly SeenSample[] {
  const into = samples.filter(({ from, to }) => to !== null && names.includes(to) && !names.includes(from))
  return into.length > 0 ? into : samples.filter(({ from, to }) => names.includes(from) && !names.includes(to ?? ''))
}
