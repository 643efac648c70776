import { describe, expect, it } from 'vitest'
import { formatRate, formatShare } from './formatNumber.js'
import { formatBound, formatDateTime, formatNear, formatSpan } from './formatTime.js'

const DAY = 86_400_000

describe('formatSpan', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [9_949, '9.9 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_770_000, '1 h 2 min'],
    [30 * DAY, '30 d'],
    [365 * DAY, '1 year'],
    [364 * DAY, '364 d'],
    [366 * DAY, '1 year'],
    [367 * DAY, '1 year 1 d'],
    [3 * 365 * DAY, '3 years'],
    [3_652 * DAY, '10 years'],
    [3_653 * DAY, '10 years'],
    [3_655 * DAY, '10 years 2 d'],
    [3_651 * DAY, '9 years 363 d'],
    [-5_000, '5 s'],
  ])('says %d ms as %s', (ms, words) => expect(formatSpan(ms)).toBe(words))
})

it('says the date of a bound alone where it is midnight', () => {
  const at = Date.UTC(2026, 10, 1)
  expect(formatBound(at, 15 * DAY)).toBe('2026-11-01')
  expect(formatBound(at + 3_600_000, 15 * DAY)).toBe('2026-11-01 01:00')
  expect(formatBound(at + 3_600_000, 900_000)).toBe('01:00')
})

it('leaves the date out on the same day alone', () => {
  const at = Date.UTC(2026, 10, 1, 23, 59, 59)
  expect(formatNear(at, at - 1_000)).toBe('23:59:59')
  expect(formatNear(at, at + 1_000)).toBe('2026-11-01 23:59:59')
})

it('has no time for what is none', () => {
  expect(formatDateTime(-1)).toBe('—')
  expect(formatDateTime(Number.MAX_SAFE_INTEGER)).toBe('—')
})

it('never rounds something to nothing, nor less than all to all', () => {
  expect(formatShare(0.001)).toBe('< 1 %')
  expect(formatShare(0.999)).toBe('99 %')
  expect(formatShare(0)).toBe('0 %')
  expect(formatShare(1)).toBe('100 %')
  expect(formatRate(0.4)).toBe('0.4 /s')
  expect(formatRate(null)).toBe('—')
})
