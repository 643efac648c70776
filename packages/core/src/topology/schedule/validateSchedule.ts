import type { Schedule } from './Schedule.js'
import { ticksOf } from './Ticks.js'

const nicknames = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

/** What is wrong with a schedule, as a sentence that names the fix; undefined when nothing is. */
export function validateSchedule(schedule: Schedule): string | undefined {
  if (typeof schedule !== 'object' || schedule === null || !('every' in schedule || 'cron' in schedule)) {
    return 'A schedule is { every: … } in milliseconds, or { cron: …, zone: … }.'
  }
  if ('every' in schedule && 'cron' in schedule) return 'A schedule has either "every" or "cron", not both.'
  return 'every' in schedule ? problemOfEvery(schedule.every) : problemOfCron(schedule)
}

function problemOfEvery(every: number): string | undefined {
  if (Number.isSafeInteger(every) && every >= 1) return undefined
  return `"every" must be an integer number of milliseconds, larger than zero; got ${every}.`
}

function problemOfCron({ cron, zone }: { readonly cron: string; readonly zone: string }): string | undefined {
  if (!isZone(zone)) {
    return `"${zone}" is not a time zone: give its IANA name, such as "Europe/Berlin" or "UTC".`
  }
  if (!looksLikeCron(cron)) {
    return (
      `"${cron}" is not a cron expression: give five fields (minute, hour, day of month, month, day of week), six with ` +
      `seconds in front, or one of ${nicknames.join(', ')}.`
    )
  }
  try {
    if (ticksOf({ cron, zone }).next(0) !== undefined) return undefined
  } catch (error) {
    return `"${cron}" is not a cron expression: ${error instanceof Error ? error.message : String(error)}.`
  }
  return `"${cron}" never comes: no day has that date. Correct the day or the month.`
}

function isZone(zone: unknown): boolean {
  if (typeof zone !== 'string' || zone === '') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The library also takes dates, which would tick once and never again. */
function looksLikeCron(cron: unknown): cron is string {
  if (typeof cron !== 'string') return false
  const fields = cron.trim().split(/\s+/).length
  return (fields >= 5 && fields <= 7) || nicknames.includes(cron.trim().toLowerCase())
}
