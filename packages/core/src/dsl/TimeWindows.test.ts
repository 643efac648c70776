import { describe, expect, it } from 'vitest'
import { days, hours, milliseconds, minutes, seconds } from '../time/durations.js'
import { TimeWindows } from './TimeWindows.js'

const greatest = Number.MAX_SAFE_INTEGER

describe('starts of windows (kafka-streams.md C.7)', () => {
  const cases: [number, number, number, number[]][] = [
    [10, 10, 0, [0]],
    [10, 10, 9, [0]],
    [10, 10, 10, [10]],
    [10, 10, 25, [20]],
    [1, 1, 7, [7]],
    [10, 5, 4, [0]],
    [10, 5, 5, [0, 5]],
    [10, 5, 9, [0, 5]],
    [10, 5, 10, [5, 10]],
    [10, 4, 21, [12, 16, 20]],
    [10, 4, 22, [16, 20]],
    [12, 4, 1001, [992, 996, 1000]],
    [10, 10, greatest - 1, [greatest - 1 - ((greatest - 1) % 10)]],
  ]
  it.each(cases)('of size %d, every %d, for %d are %j', (size, advance, timestamp, starts) => {
    expect(TimeWindows.ofSizeWithNoGrace(size).advanceBy(advance).startsFor(timestamp)).toEqual(starts)
  })

  it('end after the size, cut at 2^53−1', () => {
    const windows = TimeWindows.ofSizeWithNoGrace(10)
    expect(windows.endOf(20)).toBe(30)
    expect(windows.endOf(greatest - 10)).toBe(greatest)
    expect(windows.endOf(greatest - 9)).toBe(greatest)
  })
})

describe('what is refused', () => {
  it.each([
    [() => TimeWindows.ofSizeWithNoGrace(0), 'Window size (sizeMs)'],
    [() => TimeWindows.ofSizeWithNoGrace(1.5), 'Window size (sizeMs)'],
    [() => TimeWindows.ofSizeAndGrace(10, -1), 'A grace period'],
    [() => TimeWindows.ofSizeWithNoGrace(10).advanceBy(11), 'which is 10 ms, but given advancement interval is: 11 ms'],
    [() => TimeWindows.ofSizeWithNoGrace(10).advanceBy(0), 'given advancement interval is: 0 ms'],
  ])('%s', (make, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_INVALID', message: expect.stringContaining(message) }),
    )
  })

  it('is not the smallest size, grace and advance', () => {
    expect(TimeWindows.ofSizeAndGrace(1, 0).advanceBy(1)).toMatchObject({ sizeMs: 1, graceMs: 0, advanceMs: 1 })
  })
})

it('changes nothing in place', () => {
  const windows = TimeWindows.ofSizeAndGrace(10, 3)
  expect(windows.advanceBy(5)).toMatchObject({ sizeMs: 10, advanceMs: 5, graceMs: 3 })
  expect(windows.advanceMs).toBe(10)
})

it('takes durations in milliseconds', () => {
  expect([milliseconds(3), seconds(2), minutes(2), hours(2), days(30)]).toEqual([
    3, 2000, 120_000, 7_200_000, 2_592_000_000,
  ])
})
