const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [365 * 86_400_000, 'y'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

/** The largest time that a `Date` holds. */
const MAX_DATE = 8_640_000_000_000_000

/** A length of time for people, in its two largest units: `1 h 30 min`, `9 y 364 d`, `40 ms`. A year is 365 days. */
export function spanText(ms: number): string {
  const span = Math.abs(ms)
  const sign = ms < 0 ? '−' : ''
  const at = UNITS.findIndex(([unit]) => span >= unit)
  const [unit, name] = UNITS[at] ?? [1, 'ms']
  const whole = Math.floor(span / unit)
  const [smaller, smallerName] = UNITS[at + 1] ?? [1, 'ms']
  const rest = at === -1 ? 0 : Math.floor((span - whole * unit) / smaller)
  return `${sign}${whole} ${name}${rest === 0 ? '' : ` ${rest} ${smallerName}`}`
}

/** A moment as ISO 8601 in UTC; as milliseconds where no calendar goes that far. */
export function timeText(at: number): string {
  return Math.abs(at) <= MAX_DATE ? new Date(at).toISOString() : `${at} ms`
}
