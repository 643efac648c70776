import { describe, expect, it } from 'vitest'
import { eventTimeAt, keyTextAt } from './trafficPlan.js'

describe('keyTextAt', () => {
  const phase = { forMs: 0, ratePerSecond: 1, keys: ['a', 'b', 'c'] }
  const first = (n: number, burst?: number) =>
    Array.from({ length: n }, (_, i) => keyTextAt(burst === undefined ? phase : { ...phase, burst }, i)).join('')

  it('takes keys in turn, over and over', () => {
    expect(first(7)).toBe('abcabca')
  })

  it('stays with a key for a burst', () => {
    expect(first(8, 2)).toBe('aabbccaa')
    expect(first(4, 1)).toBe('abca')
  })
})

describe('eventTimeAt', () => {
  it('is the time at which a record is due, unless something else is asked for', () => {
    expect(eventTimeAt(1000, 250)).toBe(1250)
  })

  it('runs faster from a start in the past, and goes on with the clock once it has caught up', () => {
    const time = { startOffsetMs: -900, speed: 10 }
    expect(eventTimeAt(1000, 0, time)).toBe(100)
    expect(eventTimeAt(1000, 99, time)).toBe(1090)
    expect(eventTimeAt(1000, 100, time)).toBe(1100)
    expect(eventTimeAt(1000, 101, time)).toBe(1101)
  })

  it('leaves traffic that starts now or ahead to run ahead', () => {
    expect(eventTimeAt(1000, 100, { startOffsetMs: 0, speed: 3 })).toBe(1300)
    expect(eventTimeAt(1000, 100, { startOffsetMs: 50, speed: 2 })).toBe(1250)
  })

  it('is a whole number', () => {
    expect(eventTimeAt(1000, 33.7)).toBe(1033)
  })
})
