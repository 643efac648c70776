import { describe, expect, it } from 'vitest'
import { hours } from '../time/durations.js'
import { CalendarWindows } from './CalendarWindows.js'

const at = (iso: string) => Date.parse(iso)
const shown = (windows: CalendarWindows, time: string) => {
  const [start, ...others] = windows.startsFor(at(time))
  expect(others).toEqual([])
  return `${new Date(start as number).toISOString()} ${(windows.endOf(start as number) - (start as number)) / hours(1)} h`
}

describe('[G-102] local days', () => {
  const berlin = CalendarWindows.ofDaysWithNoGrace('Europe/Berlin')

  it.each([
    ['2024-03-31T12:00:00Z', '2024-03-30T23:00:00.000Z 23 h'],
    ['2024-10-27T00:30:00Z', '2024-10-26T22:00:00.000Z 25 h'],
    ['2024-10-27T01:30:00Z', '2024-10-26T22:00:00.000Z 25 h'],
    ['2024-01-15T12:00:00Z', '2024-01-14T23:00:00.000Z 24 h'],
    ['2024-10-26T21:59:59.999Z', '2024-10-25T22:00:00.000Z 24 h'],
    ['2024-10-26T22:00:00Z', '2024-10-26T22:00:00.000Z 25 h'],
    ['2024-10-27T22:59:59.999Z', '2024-10-26T22:00:00.000Z 25 h'],
    ['2024-10-27T23:00:00Z', '2024-10-27T23:00:00.000Z 24 h'],
  ])('in Berlin hold %s: %s', (time, window) => {
    expect(shown(berlin, time)).toBe(window)
    expect(shown(CalendarWindows.ofDaysWithNoGrace('Europe/Berlin'), time)).toBe(window)
  })

  it('[G-103] are those of the zone, not of UTC', () => {
    const shanghai = CalendarWindows.ofDaysWithNoGrace('Asia/Shanghai')
    expect(shown(shanghai, '2023-12-31T16:30:00Z')).toBe('2023-12-31T16:00:00.000Z 24 h')
    expect(shown(CalendarWindows.ofDaysWithNoGrace('UTC'), '2023-12-31T16:30:00Z')).toBe(
      '2023-12-31T00:00:00.000Z 24 h',
    )
  })

  it('begin behind midnight where clocks skip it', () => {
    const saoPaulo = CalendarWindows.ofDaysWithNoGrace('America/Sao_Paulo')
    expect(shown(saoPaulo, '2018-11-04T12:00:00Z')).toBe('2018-11-04T03:00:00.000Z 23 h')
    expect(shown(saoPaulo, '2018-11-04T02:59:59.999Z')).toBe('2018-11-03T03:00:00.000Z 24 h')
  })

  it('begin at the first midnight where clocks go back over it', () => {
    const havana = CalendarWindows.ofDaysWithNoGrace('America/Havana')
    expect(shown(havana, '2023-11-05T04:30:00Z')).toBe('2023-11-05T04:00:00.000Z 25 h')
    expect(shown(havana, '2023-11-05T05:30:00Z')).toBe('2023-11-05T04:00:00.000Z 25 h')
    // A minute behind midnight they went back to the day before.
    const stJohns = CalendarWindows.ofDaysWithNoGrace('America/St_Johns')
    expect(shown(stJohns, '2006-10-29T03:00:00Z')).toBe('2006-10-29T02:30:00.000Z 25 h')
  })

  it('follow each other without a gap, all year', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kathmandu']) {
      const windows = CalendarWindows.ofDaysWithNoGrace(zone)
      let [start] = windows.startsFor(at('2023-12-31T12:00:00Z')) as [number]
      for (let day = 0; day < 400; day++) {
        const end = windows.endOf(start)
        expect(windows.startsFor(end - 1)).toEqual([start])
        expect(windows.startsFor(end)).toEqual([end])
        expect(end - start).toBeLessThanOrEqual(windows.sizeMs)
        start = end
      }
    }
  })

  it('do not begin before time 0', () => {
    expect(CalendarWindows.ofDaysWithNoGrace('Europe/Berlin').startsFor(0)).toEqual([0])
    expect(CalendarWindows.ofDaysWithNoGrace('America/New_York').startsFor(1)).toEqual([0])
    expect(CalendarWindows.ofDaysWithNoGrace('America/New_York').endOf(0)).toBe(hours(5))
  })
})

describe('local months', () => {
  const berlin = CalendarWindows.ofMonthsWithNoGrace('Europe/Berlin')

  it.each([
    ['2024-02-29T22:59:59.999Z', '2024-01-31T23:00:00.000Z 696 h'],
    ['2024-02-29T23:00:00Z', '2024-02-29T23:00:00.000Z 743 h'],
    ['2024-10-15T00:00:00Z', '2024-09-30T22:00:00.000Z 745 h'],
    ['2023-12-31T23:00:00Z', '2023-12-31T23:00:00.000Z 744 h'],
  ])('in Berlin hold %s: %s', (time, window) => {
    expect(shown(berlin, time)).toBe(window)
  })
})

describe('their settings', () => {
  it('are refused with the value: a zone that is none, a negative grace', () => {
    expect(() => CalendarWindows.ofDaysWithNoGrace('Europe/Bonn')).toThrow(/"Europe\/Bonn" is no time zone/)
    expect(() => CalendarWindows.ofMonthsAndGrace('UTC', -1)).toThrow(/grace period.*-1/)
  })

  it('tell them apart', () => {
    const { id, sizeMs, graceMs } = CalendarWindows.ofDaysAndGrace('UTC', 5)
    expect([id, sizeMs, graceMs]).toEqual(['day UTC', hours(25), 5])
    expect(CalendarWindows.ofMonthsWithNoGrace('UTC')).toMatchObject({ id: 'month UTC', sizeMs: hours(745) })
  })
})
