import type { WireSnapshot } from '@lanescope/shared'
import { useMemo } from 'react'
import { formatDateTime, formatNear, formatSpan } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import { Glyph } from '../../ui/Glyph.js'

type Clocks = WireSnapshot['clocks']

/** What the corner of the canvas says of time. */
export interface ClockFacts {
  readonly title: 'Watermark' | 'Observed time'
  /** −1 while nothing was read. */
  readonly at: number
  readonly newest: number
  readonly wall: number
  /** The partition whose watermark is the smallest, when others are further. */
  readonly heldBackBy: string | null
}

/** The event clock of the sources: the least of their watermarks, or in stream time the greatest timestamp. */
export function toClockFacts(clocks: Clocks): ClockFacts {
  const read = clocks.partitions.filter((partition) => partition.maxTimestamp >= 0)
  const newest = Math.max(-1, ...read.map((partition) => partition.maxTimestamp))
  if (clocks.mode === 'stream-time')
    return { title: 'Observed time', at: newest, newest, wall: clocks.wall, heldBackBy: null }
  const active = clocks.partitions.filter((partition) => !partition.idle)
  const least = active.reduce<Clocks['partitions'][number] | null>(
    (slowest, partition) => (slowest === null || partition.watermark < slowest.watermark ? partition : slowest),
    null,
  )
  const held = least !== null && active.some((partition) => partition.watermark > least.watermark)
  return {
    title: 'Watermark',
    at: least?.watermark ?? -1,
    newest,
    wall: clocks.wall,
    heldBackBy: held && least ? `${least.topic}-${least.partition}` : null,
  }
}

/** Clocks of the run, over the canvas' corner. */
export function ClockCard() {
  const clocks = useLive((state) => state.view?.frame?.snapshot.clocks)
  const fresh = useLive((state) => state.freshness.state === 'live') ?? false
  const why = useLive((state) => ('why' in state.freshness ? state.freshness.why : '')) ?? ''
  const facts = useMemo(() => (clocks ? toClockFacts(clocks) : null), [clocks])
  if (!facts) return null
  const near = formatNear(facts.at, facts.wall, 'ms')
  return (
    <section className={fresh ? 'clock-card' : 'clock-card old'} aria-label={facts.title}>
      <h3>
        <Glyph name="timer" className="segment" /> {facts.title}
      </h3>
      <p className={near.length > 12 ? 'clock-at long' : 'clock-at'}>{facts.at < 0 ? 'nothing read yet' : near}</p>
      <dl>
        {facts.title === 'Watermark' && (
          <Fact name="Newest record" value={formatNear(facts.newest, facts.wall, 'ms')} />
        )}
        <Fact name="Wall clock" value={formatDateTime(facts.wall, 'ms').slice(11)} />
        {facts.at >= 0 && (
          <Fact name={facts.at <= facts.wall ? 'Behind' : 'Ahead'} value={formatSpan(facts.wall - facts.at)} />
        )}
        {facts.heldBackBy !== null && <Fact name="Held back by" value={facts.heldBackBy} />}
      </dl>
      {!fresh && <p className="clock-why">{why}</p>}
    </section>
  )
}

function Fact(props: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}
