/** How one time zone's clocks stand against UTC. Pure: the same answer at every call. */
export interface ZoneCalendar {
  /** Year, month (1 to 12) and day that clocks in the zone show at this time. */
  dateAt(timestamp: number): LocalDate
  /** The first ms of a local day: where clocks skip midnight, the first that they show. */
  startOf(date: LocalDate): number
}

export interface LocalDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const dayMs = 86_400_000

/** @throws RangeError for a zone that the host does not know */
export function zoneCalendar(zone: string): ZoneCalendar {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  /** What clocks in the zone show, as if it were UTC, to the second. */
  const shownAt = (timestamp: number): number => {
    const shown: { [part: string]: number } = {}
    for (const { type, value } of format.formatToParts(timestamp)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  /** How far clocks in the zone are ahead of UTC, in ms. */
  const offsetAt = (timestamp: number): number => shownAt(timestamp) - Math.floor(timestamp / 1000) * 1000
  return {
    dateAt(timestamp) {
      const shown = new Date(shownAt(timestamp))
      return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() }
    },
    startOf: ({ year, month, day }) => firstShowing(Date.UTC(year, month - 1, day), offsetAt),
  }
}

/** The first time at which clocks show this, or, where they skip it, the first behind the gap. */
function firstShowing(shown: number, offsetAt: (timestamp: number) => number): number {
  const before = offsetAt(shown - dayMs)
  const after = offsetAt(shown + dayMs)
  const candidates = [shown - before, shown - after].filter((time) => offsetAt(time) === shown - time)
  if (candidates.length > 0) return Math.min(...candidates)
  // Skipped: clocks go forward somewhere between the two.
  let low = shown - Math.max(before, after) - 1
  let high = shown - Math.min(before, after)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return high
}
