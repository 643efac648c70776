import type { WireTimer } from '@lanescope/shared'
import type { SeenTimerEvent } from '../../live/RunView.js'
import type { Span } from '../../live/timeAxis.js'

/** Six states, six shapes; stranded comes with restored timers. */
export type TimerState = 'pending' | 'due' | 'fired' | 'replaced' | 'deleted'

/** One timer, or what became of it, at the time that it stood for. */
export interface TimerMark {
  readonly id: string
  readonly state: TimerState
  /** The timer's own time, on the clock of its domain. */
  readonly at: number
  readonly timer: WireTimer
  /** When it happened, on the wall clock; null for one that is still pending. */
  readonly happenedAt: number | null
  readonly forwarded: number | null
}

export interface TimerRow {
  readonly id: string
  readonly label: string
  readonly marks: readonly TimerMark[]
}

export type GroupBy = 'lane' | 'key'

/** In lists by key: the keys with the most marks. */
const MOST_KEYS = 14
/** What is past stays on the axis for at least this long. */
const LEAST_PAST_MS = 30_000

export interface Clocks {
  /** Event clock of the node; −1 while unknown. */
  readonly event: number
  readonly wall: number
}

/** Marks of one node: what happened to its timers, then what is pending now. */
export function toTimerMarks(
  node: string,
  events: readonly SeenTimerEvent[],
  pending: readonly WireTimer[],
  clocks: Clocks,
): readonly TimerMark[] {
  const past = events.flatMap((event) => (event.timer.node === node ? pastMark(event) : []))
  const ahead = pending
    .filter((timer) => timer.node === node)
    .map((timer): TimerMark => {
      const clock = timer.domain === 'event-time' ? clocks.event : clocks.wall
      return {
        id: `p ${timer.domain} ${timer.keyBytes} ${timer.name ?? ''} ${timer.at}`,
        state: timer.at <= clock ? 'due' : 'pending',
        at: timer.at,
        timer,
        happenedAt: null,
        forwarded: null,
      }
    })
  return [...past, ...ahead]
}

/** Leaves out what is so long past that it would squeeze what is pending. */
export function withinView(marks: readonly TimerMark[], clocks: Clocks): readonly TimerMark[] {
  const event = viewOf(marks, 'event-time', clocks.event < 0 ? clocks.wall : clocks.event)
  const wall = viewOf(marks, 'processing-time', clocks.wall)
  return marks.filter((mark) => mark.at >= (mark.timer.domain === 'event-time' ? event : wall))
}

/** One row a lane, or one a key; processing-time timers stand in a row of their own, on the wall clock. */
export function toTimerRows(marks: readonly TimerMark[], lanes: readonly number[], by: GroupBy): readonly TimerRow[] {
  const event = marks.filter((mark) => mark.timer.domain === 'event-time')
  const wall = marks.filter((mark) => mark.timer.domain === 'processing-time')
  const rows = by === 'lane' ? laneRows(event, lanes) : keyRows(event)
  return wall.length === 0 ? rows : [...rows, { id: 'wall', label: 'processing time', marks: wall }]
}

/** What the axis has to show. */
export function timerSpans(marks: readonly TimerMark[], clocks: Clocks): readonly Span[] {
  const event = marks.filter((mark) => mark.timer.domain === 'event-time').map((mark) => mark.at)
  const wall = marks.filter((mark) => mark.timer.domain === 'processing-time').map((mark) => mark.at)
  const eventTimes = clocks.event < 0 ? event : [...event, clocks.event]
  return [spanOf(eventTimes), spanOf([...wall, clocks.wall])].flatMap((span) => span ?? [])
}

/** The pending timer that comes next on its clock. */
export function nextDue(marks: readonly TimerMark[]): TimerMark | null {
  const ahead = marks.filter((mark) => mark.state === 'pending' && mark.timer.domain === 'event-time')
  return ahead.reduce<TimerMark | null>((next, mark) => (next === null || mark.at < next.at ? mark : next), null)
}

/** Drawn and counted: `every` when nothing is missing, `35 of 40` when little is, else `1 in 9`. */
export function sampling(drawn: number, all: number): string {
  if (all <= drawn) return 'every'
  if (drawn > 0 && all < drawn * 2) return `${drawn.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`
  return drawn === 0 ? 'none of the' : `1 in ${Math.round(all / drawn).toLocaleString('en-US')}`
}

function pastMark(event: SeenTimerEvent): readonly TimerMark[] {
  const { what, timer } = event
  if (what === 'registered') return []
  const at = what === 'replaced' ? (event.previousAt ?? timer.at) : timer.at
  return [{ id: `e ${event.id}`, state: what, at, timer, happenedAt: event.at, forwarded: event.forwarded ?? null }]
}

function viewOf(marks: readonly TimerMark[], domain: WireTimer['domain'], clock: number): number {
  const furthest = marks.reduce((most, mark) => (mark.timer.domain === domain ? Math.max(most, mark.at) : most), clock)
  return clock - Math.max(LEAST_PAST_MS, 1.5 * (furthest - clock))
}

function laneRows(marks: readonly TimerMark[], lanes: readonly number[]): readonly TimerRow[] {
  return lanes.map((lane) => ({
    id: `lane ${lane}`,
    label: `Lane ${lane}`,
    marks: marks.filter((mark) => mark.timer.lane === lane),
  }))
}

function keyRows(marks: readonly TimerMark[]): readonly TimerRow[] {
  const byKey = new Map<string, TimerMark[]>()
  for (const mark of marks) {
    const ofKey = byKey.get(mark.timer.key)
    if (ofKey) ofKey.push(mark)
    else byKey.set(mark.timer.key, [mark])
  }
  return [...byKey]
    .sort(([keyA, a], [keyB, b]) => b.length - a.length || keyA.localeCompare(keyB))
    .slice(0, MOST_KEYS)
    .map(([key, ofKey]) => ({ id: `key ${key}`, label: key, marks: ofKey }))
}

function spanOf(times: readonly number[]): Span | null {
  if (times.length === 0) return null
  return { from: Math.min(...times), to: Math.max(...times) }
}
