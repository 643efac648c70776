import { describe, expect, it } from 'vitest'
import { missedTicks } from './nextTick.js'

const every = { every: 10 }
const missed = (...args: Parameters<typeof missedTicks>) => [...missedTicks(...args)]

describe('missed ticks', () => {
  it('[P1] all: each one, in order, with its scheduled time', () => {
    expect(missed(every, 20, 50, 'all')).toEqual([30, 40, 50])
    expect(missed(every, 20, 49, 'all')).toEqual([30, 40])
    expect(missed(every, 19, 20, 'all')).toEqual([20])
  })

  it('[P1] one: the latest', () => {
    expect(missed(every, 20, 50, 'one')).toEqual([50])
    expect(missed(every, 20, 59, 'one')).toEqual([50])
    expect(missed(every, 20, 30, 'one')).toEqual([30])
  })

  it('[P1] skip: none', () => expect(missed(every, 20, 50, 'skip')).toEqual([]))

  it.each(['one', 'all', 'skip'] as const)(
    '[P1] %s: none when none fell due, or nothing was ever committed',
    (policy) => {
      expect(missed(every, 20, 29, policy)).toEqual([])
      expect(missed(every, 20, 20, policy)).toEqual([])
      expect(missed(every, 20, 5, policy)).toEqual([])
      expect(missed(every, undefined, 1_000, policy)).toEqual([])
    },
  )

  it('[P1] all: is lazy, so that a year of missed seconds needs no memory', () => {
    const ticks = missedTicks({ every: 1 }, 0, Number.MAX_SAFE_INTEGER, 'all')
    expect([ticks.next().value, ticks.next().value]).toEqual([1, 2])
  })

  it('[P1] by cron: one a day over a change of summer time', () => {
    const daily = { cron: '30 2 * * *', zone: 'Europe/Berlin' }
    const ticks = missed(daily, Date.parse('2024-03-30T01:30Z'), Date.parse('2024-04-01T12:00Z'), 'all')
    expect(ticks).toEqual([Date.parse('2024-03-31T01:00Z'), Date.parse('2024-04-01T00:30Z')])
  })
})
