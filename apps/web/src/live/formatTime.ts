const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Of the calendar, on average. */
const YEAR = 365.2425 * DAY
/** The largest time a `Date` can hold. */
const MAX_DATE = 8_640_000_000_000_000

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** Every time of the page is UTC, because segments and windows start at UTC's multiples. `—` when there is no time. */
export function formatClock(at: number, precision: 'minute' | 'second' | 'ms' = 'second'): string {
  if (!isTime(at)) return '—'
  const date = new Date(at)
  const minutes = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`
  if (precision === 'minute') return minutes
  const seconds = `${minutes}:${pad(date.getUTCSeconds())}`
  return precision === 'second' ? seconds : `${seconds}.${pad(date.getUTCMilliseconds(), 3)}`
}

export function formatDate(at: number): string {
  if (!isTime(at)) return '—'
  const date = new Date(at)
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`
}

export function formatDateTime(at: number, precision: 'minute' | 'second' | 'ms' = 'second'): string {
  return isTime(at) ? `${formatDate(at)} ${formatClock(at, precision)}` : '—'
}

/** A moment seen from another one: the time alone on the same day, else with its date. */
export function formatNear(at: number, reference: number, precision: 'minute' | 'second' | 'ms' = 'second'): string {
  return formatDate(at) === formatDate(reference) ? formatClock(at, precision) : formatDateTime(at, precision)
}

/** Start or end of a span of this length: the date alone when it falls on midnights. */
export function formatBound(at: number, spanMs: number): string {
  if (spanMs >= DAY && at % DAY === 0) return formatDate(at)
  return spanMs >= DAY ? formatDateTime(at, 'minute') : formatClock(at, spanMs >= MINUTE ? 'minute' : 'second')
}

/** A length of time in its two largest units: `1 h 02 min`, `9 years 364 d`, `0.4 s`. */
export function formatSpan(ms: number): string {
  const span = Math.abs(ms)
  if (span < 1) return '0 ms'
  if (span < SECOND) return `${Math.round(span)} ms`
  if (span < 10 * SECOND) return `${trimZero((span / SECOND).toFixed(1))} s`
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`
  if (span < HOUR) return two(span, MINUTE, 'min', SECOND, 's')
  if (span < DAY) return two(span, HOUR, 'h', MINUTE, 'min')
  const years = Math.round(span / YEAR)
  // So far whole years of the calendar are from their average, by their leap days.
  if (years > 0 && Math.abs(span - years * YEAR) < 0.8 * DAY) return `${years} ${years === 1 ? 'year' : 'years'}`
  if (span < YEAR) return two(span, DAY, 'd', HOUR, 'h')
  return two(span, YEAR, Math.floor(span / YEAR) === 1 ? 'year' : 'years', DAY, 'd')
}

/** A duration as people configure it: `30 d`, `15 min`, `1 h 30 min`. */
export const formatDuration = formatSpan

function two(span: number, large: number, largeName: string, small: number, smallName: string): string {
  const whole = Math.floor(span / large)
  const rest = Math.floor((span - whole * large) / small)
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}

function isTime(at: number): boolean {
  return Number.isFinite(at) && at >= 0 && at <= MAX_DATE
}
