import type { WireSnapshot } from '@lanescope/shared'
import { useMemo } from 'react'
import { formatOf } from '../../live/formatNumber.js'
import { formatClock, formatDate, formatDateTime, formatNear, formatSpan } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { useProject } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { type ClockFacts, pastTraffic, toClockFacts } from './clockFacts.js'

/** Clocks of the run, over the canvas' corner. */
export function ClockCard() {
  const clocks = useLive((state) => state.view?.frame?.snapshot.clocks)
  const eventClock = useLive((state) => eventClockOf(state.view?.frame?.snapshot)) ?? -1
  const fresh = useLive((state) => state.freshness.state === 'live') ?? false
  const why = useLive((state) => ('why' in state.freshness ? state.freshness.why : '')) ?? ''
  const facts = useMemo(() => (clocks ? toClockFacts(clocks, eventClock) : null), [clocks, eventClock])
  const generators = useProject((state) => state.workspace.document.generators)
  if (!facts) return null
  const past = pastTraffic(generators, facts)
  // On another day than the wall clock's it has its date above it, and its size.
  const isFar = formatDate(facts.at) !== formatDate(facts.wall)
  return (
    <section className={fresh ? 'clock-card' : 'clock-card old'} aria-label={facts.title}>
      <h3>
        <Glyph name="timer" className="segment" /> {facts.title}
      </h3>
      {facts.at >= 0 && <p className="clock-of">of {facts.of}</p>}
      {facts.at >= 0 && (
        <p className="clock-at">
          {isFar && <small>{formatDate(facts.at)}</small>}
          {formatClock(facts.at, 'ms')}
        </p>
      )}
      {stateWords(facts).map((words) => (
        <p key={words} className="clock-state">
          {words}
        </p>
      ))}
      <dl>
        {facts.title === 'Watermark' && facts.newest >= 0 && (
          <Fact name="Newest record" value={formatNear(facts.newest, facts.wall, 'ms')} />
        )}
        <Fact name="Wall clock" value={formatDateTime(facts.wall, 'ms').slice(11)} />
        {facts.at >= 0 && (
          <Fact name={facts.at <= facts.wall ? 'Behind' : 'Ahead'} value={formatSpan(facts.wall - facts.at)} />
        )}
        {facts.heldBackBy !== null && <Fact name="Held back by" value={facts.heldBackBy} />}
      </dl>
      {past !== undefined && (
        <p className="clock-state">The test traffic runs from {formatSpan(past)} in the past, as it is told to.</p>
      )}
      {!fresh && <p className="clock-why">{why}</p>}
    </section>
  )
}

/** Why the clock stands still, as far as it does. */
export function stateWords({ at, newest, unread, allIdle }: ClockFacts): readonly string[] {
  if (newest < 0) return ['Nothing read yet.']
  if (allIdle) return [at < 0 ? 'All partitions are idle.' : 'All partitions are idle: the clock stands.']
  if (unread.length === 0) return []
  const shown = unread.slice(0, 2).join(', ')
  const rest = unread.length > 2 ? ` and ${formatOf(unread.length - 2, 'more partition')}` : ''
  return [`Waits for ${shown}${rest}: nothing read there yet.`]
}

/** The furthest event clock of any node: what the topology has come to. */
function eventClockOf(snapshot: WireSnapshot | undefined): number {
  return (snapshot?.nodes ?? []).reduce((most, node) => Math.max(most, node.eventClock ?? -1), -1)
}

function Fact(props: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}
