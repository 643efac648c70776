import { days, hours } from '../time/durations.js'
import { checkDuration } from '../topology/checkDuration.js'
import { topologyError } from '../topology/topologyError.js'
import type { Windows } from './Windows.js'
import { type LocalDate, type ZoneCalendar, zoneCalendar } from './windows/zoneCalendar.js'

type Unit = 'day' | 'month'

/** As long as they get: a day on which clocks go back an hour, a month that has one. */
const longestMs: { readonly [unit in Unit]: number } = { day: hours(25), month: days(31) + hours(1) }

/**
 * Local days or months of a time zone: a day begins when clocks there first show it, and ends when the next one begins,
 * so it has 23 or 25 hours where they are changed. `start` is inclusive, `end` exclusive (`kafka-streams.md` G-102).
 * Their keys are written by `windowed(inner, windows)`. Immutable.
 *
 * @example
 * CalendarWindows.ofDaysAndGrace('Europe/Berlin', minutes(5))
 */
export class CalendarWindows implements Windows {
  readonly id: string
  /** What a store keeps at least, with the grace. */
  readonly sizeMs: number
  readonly #calendar: ZoneCalendar
  /** The last windows that were found, as most records are of the same: start and end. They are never wrong. */
  #start = 0
  #end = 0
  #next: readonly [start: number, end: number] | undefined

  private constructor(
    readonly unit: Unit,
    /** IANA name of the time zone, such as `Europe/Berlin`. */
    readonly zone: string,
    readonly graceMs: number,
  ) {
    checkDuration('A grace period', graceMs, 0)
    this.id = `${unit} ${zone}`
    this.sizeMs = longestMs[unit]
    this.#calendar = calendarOf(zone)
  }

  /** @throws StreamError TOPOLOGY_INVALID for a zone that is none, or a negative grace */
  static ofDaysAndGrace(zone: string, graceMs: number): CalendarWindows {
    return new CalendarWindows('day', zone, graceMs)
  }

  static ofDaysWithNoGrace(zone: string): CalendarWindows {
    return CalendarWindows.ofDaysAndGrace(zone, 0)
  }

  /** @throws StreamError TOPOLOGY_INVALID for a zone that is none, or a negative grace */
  static ofMonthsAndGrace(zone: string, graceMs: number): CalendarWindows {
    return new CalendarWindows('month', zone, graceMs)
  }

  static ofMonthsWithNoGrace(zone: string): CalendarWindows {
    return CalendarWindows.ofMonthsAndGrace(zone, 0)
  }

  startsFor(timestamp: number): readonly number[] {
    this.#find(timestamp)
    return [this.#start]
  }

  endOf(start: number): number {
    if (start === this.#next?.[0]) return this.#next[1]
    if (start !== this.#start || this.#end === 0) {
      const date = this.#first(this.#calendar.dateAt(start))
      this.#next = [start, this.#startOf(this.#behind(date))]
      return this.#next[1]
    }
    return this.#end
  }

  #find(timestamp: number): void {
    if (timestamp >= this.#start && timestamp < this.#end) return
    let date = this.#first(this.#calendar.dateAt(timestamp))
    // Where clocks went back over midnight, the day before is shown once more.
    let end = this.#startOf(this.#behind(date))
    while (end <= timestamp) {
      date = this.#behind(date)
      end = this.#startOf(this.#behind(date))
    }
    this.#start = this.#startOf(date)
    this.#end = end
  }

  /** The day itself, or the first of its month. */
  #first({ year, month, day }: LocalDate): LocalDate {
    return { year, month, day: this.unit === 'day' ? day : 1 }
  }

  #behind({ year, month, day }: LocalDate): LocalDate {
    const next = new Date(this.unit === 'day' ? Date.UTC(year, month - 1, day + 1) : Date.UTC(year, month, 1))
    return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
  }

  /** No window starts before time 0, as of all windows. */
  #startOf(date: LocalDate): number {
    return Math.max(0, this.#calendar.startOf(date))
  }
}

function calendarOf(zone: string): ZoneCalendar {
  try {
    return zoneCalendar(zone)
  } catch (cause) {
    throw topologyError(
      `"${zone}" is no time zone that this host knows: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Give the IANA name, such as Europe/Berlin or UTC.',
    )
  }
}
