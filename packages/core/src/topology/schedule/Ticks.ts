import { Cron } from 'croner'
import type { Schedule } from './Schedule.js'

/** The scheduled times of a schedule, in ms since 1970. Pure: it knows no clock and keeps no timer. */
export interface Ticks {
  /** The first tick later than `after`; undefined when there is none. */
  next(after: number): number | undefined
  /** The last tick later than `after` and not later than `upTo`; undefined when there is none. */
  latest(after: number, upTo: number): number | undefined
}

/** The greatest time that a date can have. */
const lastDate = 8.64e15

/** @throws Error of the cron library for an expression or a zone that it does not know; see `validateSchedule` */
export function ticksOf(schedule: Schedule): Ticks {
  return 'every' in schedule ? everyTicks(schedule.every) : cronTicks(schedule.cron, schedule.zone)
}

/** P1: `every` is anchored to 0, so that two runs, and two machines, tick at the same times. */
function everyTicks(every: number): Ticks {
  return {
    next(after) {
      const tick = (Math.floor(after / every) + 1) * every
      return Number.isSafeInteger(tick) ? tick : undefined
    },
    latest(after, upTo) {
      const tick = Math.floor(upTo / every) * every
      return tick > after ? tick : undefined
    },
  }
}

function cronTicks(cron: string, zone: string): Ticks {
  // Without a function to call, and paused, the library only computes.
  const job = new Cron(cron, { timezone: zone, paused: true })
  const next = (after: number) => (Math.abs(after) > lastDate ? undefined : job.nextRun(new Date(after))?.getTime())
  return { next, latest: (after, upTo) => latestBySearch(next, after, upTo) }
}

/**
 * Halves the time between: whether another tick comes before the end is known of any moment, and once none comes none
 * ever does. So a year of missed seconds costs as little as one.
 */
function latestBySearch(next: Ticks['next'], after: number, upTo: number): number | undefined {
  const comes = (moment: number) => {
    const tick = next(moment)
    return tick !== undefined && tick <= upTo
  }
  if (!comes(after)) return undefined
  let [low, high] = [after, upTo]
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    if (comes(middle)) low = middle
    else high = middle
  }
  return next(low)
}
