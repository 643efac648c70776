import type { MissedTicks, Schedule } from './Schedule.js'
import { ticksOf } from './Ticks.js'

/** The first scheduled time later than `after`, in ms since 1970; undefined when there is none. */
export function nextTick(schedule: Schedule, after: number): number | undefined {
  return ticksOf(schedule).next(after)
}

/**
 * The ticks to emit at a start for those that were missed: later than the last committed one, not later than `now`,
 * each with its scheduled time, in order. Lazy, so that a year of missed seconds needs no memory.
 *
 * @param lastCommitted undefined at the very first start: then none was missed
 */
export function* missedTicks(
  schedule: Schedule,
  lastCommitted: number | undefined,
  now: number,
  policy: MissedTicks,
): Generator<number> {
  if (lastCommitted === undefined || policy === 'skip') return
  const ticks = ticksOf(schedule)
  if (policy === 'one') {
    const latest = ticks.latest(lastCommitted, now)
    if (latest !== undefined) yield latest
    return
  }
  let tick = ticks.next(lastCommitted)
  while (tick !== undefined && tick <= now) {
    yield tick
    tick = ticks.next(tick)
  }
}
