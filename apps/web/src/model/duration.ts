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

/** Reads `5 min`, `1h`, `2 h 30 min`; a bare number is in ms. Undefined when it is no duration that the engine can count. */
export function parseDuration(text: string): number | undefined {
  const ms = readDuration(text)
  return ms !== undefined && ms <= LONGEST_MS ? ms : undefined
}

/** The longest duration: beyond it, ms are no longer whole numbers to the engine, which refuses them. */
export const LONGEST_MS = Number.MAX_SAFE_INTEGER

/** As `parseDuration`, of any length. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/i.test(trimmed)) return undefined
  let sum = 0
  let smallest = Number.POSITIVE_INFINITY
  for (const [, amount, word = ''] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = MS_OF[word.toLowerCase()]
    // Each unit once, and the larger first, as times are written.
    if (unit === undefined || unit >= smallest) return undefined
    smallest = unit
    sum += Number(amount) * unit
  }
  const ms = Math.round(sum)
  // 1.1 h is a whole number of ms, but not quite in the arithmetic of fractions.
  return Math.abs(sum - ms) < 1e-4 ? ms : undefined
}
