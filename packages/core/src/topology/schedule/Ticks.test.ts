import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextTick } from './nextTick.js'
import type { Schedule } from './Schedule.js'
import { type Ticks, ticksOf } from './Ticks.js'

const at = (text: string) => Date.parse(text)
const berlin = (cron: string): Schedule => ({ cron, zone: 'Europe/Berlin' })
const newYork = (cron: string): Schedule => ({ cron, zone: 'America/New_York' })

/** The ticks later than `from` and not later than `to`, in UTC. */
function between(schedule: Schedule, from: string, to: string): string[] {
  const found: string[] = []
  for (let tick = nextTick(schedule, at(from)); tick !== undefined && tick <= at(to); tick = nextTick(schedule, tick)) {
    found.push(new Date(tick).toISOString().replace(':00.000Z', 'Z').replace('2024-', ''))
  }
  return found
}

describe('every', () => {
  it('[P1] ticks at the multiples of the interval since 1970, later than the time given', () => {
    const every = { every: 10_000 }
    expect([-1, 0, 1, 9_999, 10_000, 10_001].map((after) => nextTick(every, after))).toEqual([
      0, 10_000, 10_000, 10_000, 20_000, 20_000,
    ])
    expect(nextTick({ every: 7 }, at('2024-05-01T00:00Z'))).toBe(Math.ceil((at('2024-05-01T00:00Z') + 1) / 7) * 7)
  })

  it('[P1] ends where numbers do', () => {
    expect(nextTick({ every: 1 }, Number.MAX_SAFE_INTEGER - 1)).toBe(Number.MAX_SAFE_INTEGER)
    expect(nextTick({ every: 1 }, Number.MAX_SAFE_INTEGER)).toBeUndefined()
    expect(nextTick({ every: 1_000 }, Number.MAX_SAFE_INTEGER - 1)).toBeUndefined()
  })
})

describe('cron', () => {
  it('[P1] goes by the wall clock of its zone', () => {
    const three = '0 3 * * *'
    expect(nextTick(berlin(three), at('2024-01-10T00:00Z'))).toBe(at('2024-01-10T02:00Z'))
    expect(nextTick(berlin(three), at('2024-07-10T00:00Z'))).toBe(at('2024-07-10T01:00Z'))
    expect(nextTick({ cron: three, zone: 'UTC' }, at('2024-07-10T00:00Z'))).toBe(at('2024-07-10T03:00Z'))
    expect(nextTick({ cron: three, zone: 'Asia/Kathmandu' }, at('2024-07-10T00:00Z'))).toBe(at('2024-07-10T21:15Z'))
  })

  it('[P1] is later than the time given, and found from the millisecond before', () => {
    const tick = at('2024-07-10T01:00Z')
    expect(nextTick(berlin('0 3 * * *'), tick - 1)).toBe(tick)
    expect(nextTick(berlin('0 3 * * *'), tick)).toBe(tick + 24 * 3_600_000)
    expect(nextTick(berlin('* * * * * *'), 1_500)).toBe(2_000)
  })

  it('[P1] ends with the years that it names, and with those that a date can have', () => {
    expect(nextTick(berlin('0 0 0 1 1 * 2020'), at('2024-01-01T00:00Z'))).toBeUndefined()
    expect(nextTick(berlin('0 0 * * *'), 9e15)).toBeUndefined()
    expect(nextTick(berlin('0 0 * * *'), -9e15)).toBeUndefined()
  })
})

describe('[P1] when summer time begins: local 02:00 to 03:00 does not exist', () => {
  it('a job with its time in the skipped hour ticks once, at the moment the clock leaps', () => {
    expect(between(berlin('30 2 * * *'), '2024-03-29T12:00Z', '2024-04-01T12:00Z')).toEqual([
      '03-30T01:30Z',
      '03-31T01:00Z',
      '04-01T00:30Z',
    ])
    expect(between(newYork('30 2 * * *'), '2024-03-09T12:00Z', '2024-03-11T12:00Z')).toEqual([
      '03-10T07:00Z',
      '03-11T06:30Z',
    ])
  })

  it('a job right behind the skipped hour ticks at its time', () => {
    expect(between(berlin('0 3 * * *'), '2024-03-30T12:00Z', '2024-04-01T12:00Z')).toEqual([
      '03-31T01:00Z',
      '04-01T01:00Z',
    ])
    expect(between(berlin('59 1 * * *'), '2024-03-30T12:00Z', '2024-03-31T12:00Z')).toEqual(['03-31T00:59Z'])
  })

  it('a job that goes by steps follows real time, without a pause and without a heap', () => {
    expect(between(berlin('*/30 * * * *'), '2024-03-31T00:00Z', '2024-03-31T02:00Z')).toEqual([
      '03-31T00:30Z',
      '03-31T01:00Z',
      '03-31T01:30Z',
      '03-31T02:00Z',
    ])
    expect(between(berlin('*/15 2 * * *'), '2024-03-30T12:00Z', '2024-03-31T12:00Z')).toEqual([])
  })
})

describe('[P1] when summer time ends: a local hour comes twice', () => {
  it('a job with its time in the doubled hour ticks once, the first time', () => {
    expect(between(berlin('30 2 * * *'), '2024-10-26T12:00Z', '2024-10-28T12:00Z')).toEqual([
      '10-27T00:30Z',
      '10-28T01:30Z',
    ])
    expect(between(newYork('30 1 * * *'), '2024-11-02T12:00Z', '2024-11-04T12:00Z')).toEqual([
      '11-03T05:30Z',
      '11-04T06:30Z',
    ])
  })

  it('and not a second time when it is asked within the second one', () => {
    for (const moment of ['2024-10-27T00:45Z', '2024-10-27T01:15Z', '2024-10-27T01:30Z']) {
      expect(nextTick(berlin('30 2 * * *'), at(moment)), moment).toBe(at('2024-10-28T01:30Z'))
    }
  })

  it('a job that goes by steps follows real time, so it ticks in both hours', () => {
    expect(between(berlin('*/30 * * * *'), '2024-10-26T23:30Z', '2024-10-27T02:00Z')).toEqual([
      '10-27T00:00Z',
      '10-27T00:30Z',
      '10-27T01:00Z',
      '10-27T01:30Z',
      '10-27T02:00Z',
    ])
    expect(between(berlin('*/30 2 * * *'), '2024-10-26T12:00Z', '2024-10-27T12:00Z')).toHaveLength(4)
  })
})

describe('the latest tick', () => {
  const schedules: Schedule[] = [
    { every: 1 },
    { every: 7_000 },
    berlin('* * * * * *'),
    berlin('*/7 * * * *'),
    berlin('0 3 * * *'),
    newYork('30 1 * * *'),
    berlin('0 0 0 1 1 * 2020'),
  ]

  it('[P1] is the last one that stepping finds, whatever lies between', () => {
    const span = fc.record({
      schedule: fc.constantFrom(...schedules.slice(3)),
      from: fc.integer({ min: at('2024-10-20T00:00Z'), max: at('2024-11-10T00:00Z') }),
      ms: fc.integer({ min: 0, max: 3 * 86_400_000 }),
    })
    fc.assert(
      fc.property(span, ({ schedule, from, ms }) => {
        const ticks = ticksOf(schedule)
        expect(ticks.latest(from, from + ms)).toBe(step(ticks, from, from + ms))
      }),
      { numRuns: 40 },
    )
  })

  it.each(schedules)('[P1] of %j is in the span, its end included and its beginning not', (schedule) => {
    const ticks = ticksOf(schedule)
    const tick = ticks.next(at('2019-06-01T00:00Z')) as number
    expect(ticks.latest(tick - 1, tick)).toBe(tick)
    expect(ticks.latest(tick, tick)).toBeUndefined()
    expect(ticks.latest(tick - 1, tick - 1)).toBeUndefined()
    expect(ticks.latest(tick, tick - 5)).toBeUndefined()
  })

  it('[P1] of two years of seconds is found at once', () => {
    expect(ticksOf(berlin('* * * * * *')).latest(at('2022-01-01T00:00Z'), at('2024-01-01T00:00Z') + 999)).toBe(
      at('2024-01-01T00:00Z'),
    )
  })
})

function step(ticks: Ticks, after: number, upTo: number): number | undefined {
  let last: number | undefined
  for (let tick = ticks.next(after); tick !== undefined && tick <= upTo; tick = ticks.next(tick)) last = tick
  return last
}
