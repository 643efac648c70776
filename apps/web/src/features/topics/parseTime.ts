/** A time as typed: `2036-11-30 12:00`, with or without seconds, UTC, or milliseconds since 1970. Null when it is none. */
export function parseTime(text: string): number | null {
  const trimmed = text.trim()
  if (/^\d{1,16}$/.test(trimmed) && trimmed.length > 4) return safe(Number(trimmed))
  const match = /^(\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?Z?$/.exec(trimmed)
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0'] = match
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, '0')),
  )
  const date = new Date(at)
  // The calendar would silently carry 2026-02-31 over to March.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? safe(at) : null
}

function safe(at: number): number | null {
  return Number.isSafeInteger(at) && at >= 0 ? at : null
}
