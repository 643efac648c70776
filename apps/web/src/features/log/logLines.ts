import type { RareEvent, WireCoordinates } from '@lanescope/shared'
import { errorTitle } from '../../live/errorTitles.js'
import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatBound, formatDateTime, formatSpan } from '../../live/formatTime.js'
import type { Journal, RareType } from '../../live/journal.js'

export type Level = 'info' | 'warn' | 'error'

export interface LogLine {
  readonly n: number
  readonly at: number
  readonly level: Level
  readonly what: string
  readonly node: string | null
  readonly message: string
  /** How many lines in a row say the very same; the time is the newest one's. */
  readonly count: number
}

/** Epochs have a tab of their own. */
const LOGGED: readonly RareType[] = [
  'log',
  'error',
  'state',
  'dropped',
  'split',
  'segment-created',
  'segment-expired',
  'future-timestamp',
  'idle',
]

/**
 * The newest lines, newest first, of at least this level.
 *
 * @param about only lines of these nodes; undefined: of all, and of none
 */
export function toLogLines(
  journal: Journal,
  least: Level,
  most: number,
  about?: readonly string[],
): readonly LogLine[] {
  const events = LOGGED.flatMap((type) => (journal.byType[type]?.items ?? []) as readonly RareEvent[])
  const drops = new Set((journal.byType.dropped?.items ?? []).map((event) => event.detail))
  // The engine logs what it drops as well: that line has nothing that the drop's own line does not have.
  const told = events.filter((event) => event.type !== 'log' || !drops.has(event.message.replace(/^Rejected: /, '')))
  const lines = told
    .map(toLine)
    .filter(({ level, node }) => RANK[level] >= RANK[least] && (about?.includes(node ?? '') ?? true))
  return fold(lines.sort((a, b) => b.n - a.n)).slice(0, most)
}

/** Equal lines in a row become one that says how many it is. */
function fold(lines: readonly LogLine[]): readonly LogLine[] {
  const folded: LogLine[] = []
  for (const line of lines) {
    const last = folded.at(-1)
    if (last && last.what === line.what && last.node === line.node && last.message === line.message) {
      folded[folded.length - 1] = { ...last, count: last.count + 1 }
    } else folded.push(line)
  }
  return folded
}

const RANK: { readonly [level in Level]: number } = { info: 0, warn: 1, error: 2 }

/** One event as a line; what is not measured is not said. */
export function toLine(event: RareEvent): LogLine {
  const base = { n: event.n, at: event.at, node: null, count: 1 }
  switch (event.type) {
    case 'log':
      return { ...base, level: event.level, what: 'log', node: event.node ?? null, message: event.message }
    case 'error':
      return {
        ...base,
        level: 'error',
        what: errorTitle(event.error.code),
        node: event.error.split?.node ?? textOf(event.error.context.node),
        message: event.error.message,
      }
    case 'state':
      return {
        ...base,
        level: event.to === 'failed' ? 'error' : 'info',
        what: 'state',
        message: `${event.from} → ${event.to}`,
      }
    case 'dropped':
      return { ...base, level: 'warn', what: event.reason, node: event.node, message: droppedWords(event) }
    case 'split':
      return { ...base, level: 'error', what: 'split', node: event.node, message: splitWords(event) }
    case 'segment-created':
    case 'segment-expired':
      return segmentLine(event)
    case 'future-timestamp':
      return {
        ...base,
        level: event.verdict === 'rejected' ? 'error' : 'warn',
        what: 'future timestamp',
        node: event.source,
        message: `${event.verdict} ${coordinates(event.coordinates)}, ${formatSpan(event.aheadMs)} ahead, bound ${formatSpan(event.boundMs)}`,
      }
    case 'idle':
      return {
        ...base,
        level: 'info',
        what: 'partition',
        node: event.source,
        message: `${event.topic}-${event.partition} ${event.idle ? 'is idle' : `returned, ${formatSpan(event.behindMs)} behind`}`,
      }
    case 'epoch':
      return {
        ...base,
        level: event.outcome === 'aborted' ? 'error' : 'info',
        what: 'epoch',
        message: `${event.epoch} ${event.outcome}`,
      }
  }
}

function droppedWords(event: Extract<RareEvent, { type: 'dropped' }>): string {
  const place = event.coordinates ? coordinates(event.coordinates) : ''
  // A detail that says where it was says it once.
  const where = place === '' || event.detail.includes(place.replaceAll(',', '')) ? '' : `${place}, `
  const store = event.store ? ` (store ${event.store})` : ''
  const moved = event.movedBy ? `; the clock was moved by ${coordinates(event.movedBy)}` : ''
  return `${formatOf(event.count, 'record')} dropped: ${where}${withTimes(event.detail)}${store}${moved}`
}

/** Times of this age, which stand in a text as milliseconds, as people read them. */
function withTimes(text: string): string {
  return text.replace(/(?<![\d.])[12]\d{12}(?!\d)/g, (at) => formatDateTime(Number(at), 'ms'))
}

function splitWords(event: Extract<RareEvent, { type: 'split' }>): string {
  const { key, recordLane, timerLane, recordBytes, timerBytes, laneCount } = event
  return `${key}: records ${recordBytes} on lane ${recordLane}, timers ${timerBytes} on lane ${timerLane}, of ${laneCount}`
}

type SegmentEvent = Extract<RareEvent, { type: 'segment-created' | 'segment-expired' }>

function segmentLine(event: SegmentEvent): LogLine {
  const expired = event.type === 'segment-expired'
  const length = event.to - event.from
  const span = `${formatBound(event.from, length)} to ${formatBound(event.to, length)}`
  const by = event.causedBy
    ? `; by ${coordinates(event.causedBy)}, timestamp ${formatDateTime(event.causedBy.timestamp)}`
    : ''
  const held = expired ? `, held ${formatOf(event.entries, 'entry', 'entries')}` : ''
  return {
    n: event.n,
    at: event.at,
    level: expired ? 'warn' : 'info',
    what: expired ? 'segment expired' : 'segment created',
    node: event.store,
    message: `${span}${held}${by}`,
    count: 1,
  }
}

function coordinates(at: WireCoordinates): string {
  return `${at.topic}-${at.partition} @ ${formatCount(at.offset)}`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export interface DropCount {
  readonly reason: string
  readonly count: number
}

/** Every reason that the run counts, from its counters: also those whose events this page did not see. */
export function dropCounts(counters: { readonly [name: string]: number }): readonly DropCount[] {
  const byReason = new Map<string, number>()
  for (const [name, count] of Object.entries(counters)) {
    const reason = /^(?:dropped_records_total|silent_losses_total|silent_loss_total)\{.*reason="([^"]+)"/.exec(
      name,
    )?.[1]
    if (reason !== undefined) byReason.set(reason, (byReason.get(reason) ?? 0) + count)
  }
  return [...byReason].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}
