const UNITS = [
  { ms: 86_400_000, word: 'd' },
  { ms: 3_600_000, word: 'h' },
  { ms: 60_000, word: 'min' },
  { ms: 1_000, word: 's' },
  { ms: 1, word: 'ms' },
] as const

const MS_OF: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
}

/** A duration as people write it, in the largest unit that divides it: `90 min`, `30 d`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0'
  const unit = UNITS.find((one) => ms % one.ms === 0)
  return unit ? `${ms / unit.ms} ${unit.word}` : `${ms} ms`
}

/** Reads `5 min`, `1h`, `30 days`; a bare number is in ms. Undefined when it is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text)
  if (!match) return undefined
  const unit = match[2] === '' ? 1 : MS_OF[(match[2] ?? '').toLowerCase()]
  if (unit === undefined) return undefined
  const ms = Number(match[1]) * unit
  return Number.isInteger(ms) ? ms : undefined
}
