/**
 * When a scheduled source ticks (P1): every so many milliseconds, at the multiples of that since 1970; or by a cron
 * expression on the wall clock of a time zone.
 *
 * Cron: five fields (minute, hour, day of month, month, day of week), six with seconds in front, seven with a year at
 * the end, or a nickname such as `@daily`. Where summer time skips the local time of a job with one fixed time a day,
 * it ticks once, at the moment the clock leaps; where local time repeats, it ticks once, the first time. A job whose
 * minute or hour goes by steps or ranges follows real time: nothing in a skipped hour, twice in a doubled one.
 */
export type Schedule =
  | { /** Ms, an integer of at least 1. */ readonly every: number }
  | { readonly cron: string /** An IANA name: `Europe/Berlin`. */; readonly zone: string }

/**
 * What becomes of ticks that fell due while nobody was there to emit them: the latest one only, all of them one after
 * the other, or none.
 */
export type MissedTicks = 'one' | 'all' | 'skip'

/** A schedule in words, for descriptions and messages. */
export function scheduleText(schedule: Schedule): string {
  return 'every' in schedule ? `every ${schedule.every} ms` : `${schedule.cron} in ${schedule.zone}`
}
