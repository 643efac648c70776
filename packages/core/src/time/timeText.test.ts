import { describe, expect, it } from 'vitest'
import { days, hours, minutes, seconds } from './durations.js'
import { spanText, timeText } from './timeText.js'

describe('spanText', () => {
  it.each([
    [0, '0 ms'],
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_001, '1 s 1 ms'],
    [seconds(59) + 999, '59 s 999 ms'],
    [minutes(1), '1 min'],
    [minutes(59) + seconds(59), '59 min 59 s'],
    [hours(1), '1 h'],
    [hours(1) + minutes(30), '1 h 30 min'],
    [hours(1) + seconds(59), '1 h'],
    [days(1) - 1, '23 h 59 min'],
    [days(1), '1 d'],
    [days(364) + hours(23), '364 d 23 h'],
    [days(365), '1 y'],
    [days(3_652), '10 y 2 d'],
    [-hours(2), '−2 h'],
  ])('says %d ms as %s', (ms, text) => expect(spanText(ms)).toBe(text))
})

describe('timeText', () => {
  it('is ISO 8601 in UTC', () => expect(timeText(Date.UTC(2036, 10, 30, 12, 0, 0, 7))).toBe('2036-11-30T12:00:00.007Z'))

  it('is a number beyond the calendar', () => {
    expect(timeText(8_640_000_000_000_000)).toBe('+275760-09-13T00:00:00.000Z')
    expect(timeText(8_640_000_000_000_001)).toBe('8640000000000001 ms')
  })
})
