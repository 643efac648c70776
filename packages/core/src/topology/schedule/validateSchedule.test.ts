import { describe, expect, it } from 'vitest'
import type { Schedule } from './Schedule.js'
import { scheduleText } from './Schedule.js'
import { validateSchedule } from './validateSchedule.js'

const cron = (text: string, zone = 'Europe/Berlin'): Schedule => ({ cron: text, zone })

describe('schedules', () => {
  it.each<Schedule>([
    { every: 1 },
    { every: Number.MAX_SAFE_INTEGER },
    cron('0 3 * * *'),
    cron('*/5 0 3 * * *'),
    cron('0 0 3 * * * 2999'),
    cron('0 3 * * MON-FRI'),
    cron('0 0 29 2 *'),
    cron('0 0 L * *'),
    cron('@daily'),
    cron(' 0  3 * * * '),
    cron('0 3 * * *', 'UTC'),
  ])('[P1] takes %j', (schedule) => expect(validateSchedule(schedule)).toBeUndefined())

  it.each<[unknown, string]>([
    [{ every: 0 }, 'larger than zero; got 0.'],
    [{ every: 1.5 }, 'got 1.5.'],
    [{ every: Number.NaN }, 'got NaN.'],
    [{ every: 2 ** 53 }, 'got 9007199254740992.'],
    [{ every: '10' }, ''],
    [cron('0 3 * *'), '"0 3 * *" is not a cron expression: give five fields'],
    [cron('0 3 * * * * * *'), 'give five fields'],
    [cron(''), 'give five fields'],
    [cron('2024-01-01T00:00:00'), 'give five fields'],
    [cron('@reboot'), 'give five fields'],
    [cron('61 * * * *'), '"61 * * * *" is not a cron expression: '],
    [cron('a b c d e'), '"a b c d e" is not a cron expression: '],
    [cron('0 0 30 2 *'), '"0 0 30 2 *" never comes'],
    [cron('0 3 * * *', 'Mars/Olympus'), '"Mars/Olympus" is not a time zone'],
    [cron('0 3 * * *', ''), '"" is not a time zone'],
    [{ cron: '0 3 * * *' }, '"undefined" is not a time zone'],
    [{ cron: 5, zone: 'UTC' }, '"5" is not a cron expression'],
    [{ every: 5, cron: '0 3 * * *' }, 'not both'],
    [{}, 'A schedule is'],
    [undefined, 'A schedule is'],
    [null, 'A schedule is'],
  ])('[P1] refuses %j', (schedule, problem) => {
    const found = validateSchedule(schedule as Schedule)
    expect(found).toBeDefined()
    expect(found).toContain(problem)
  })

  it('says a schedule in words', () => {
    expect(scheduleText({ every: 10_000 })).toBe('every 10000 ms')
    expect(scheduleText(cron('0 3 * * *'))).toBe('0 3 * * * in Europe/Berlin')
  })
})
