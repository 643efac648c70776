import { expect, it } from 'vitest'
import { AHEAD_PRESETS, yearsAfter } from './whatIf.js'

it('counts years by the calendar, leap days and all', () => {
  const at = Date.UTC(2026, 10, 30, 12, 34, 56, 789)
  expect(new Date(yearsAfter(at, 10)).toISOString()).toBe('2036-11-30T12:34:56.789Z')
  expect(new Date(yearsAfter(Date.UTC(2024, 1, 29), 1)).toISOString()).toBe('2025-03-01T00:00:00.000Z')
})

it('offers times that far ahead of the wall clock', () => {
  const ahead = Object.fromEntries(AHEAD_PRESETS.map((preset) => [preset.id, preset.from(0)]))
  expect(ahead).toEqual({
    now: 0,
    hour: 3_600_000,
    day: 86_400_000,
    month: 31 * 86_400_000,
    decade: Date.UTC(1980, 0, 1),
  })
})
