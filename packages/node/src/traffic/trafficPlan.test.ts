import { describe, expect, it } from 'vitest'
import { eventTimeAt, keyTextAt, newestToGoOnFrom } from './trafficPlan.js'

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

  it('goes on from the newest time that is there, and never before its plan', () => {
    const past = { startOffsetMs: -900, speed: 10 }
    expect(eventTimeAt(1000, 0, past, 99)).toBe(100)
    expect(eventTimeAt(1000, 0, past, 101)).toBe(101)
    expect(eventTimeAt(1000, 20, past, 500)).toBe(700)
    expect(eventTimeAt(1000, 60, past, 500)).toBe(1060)
    const ahead = { startOffsetMs: 0, speed: 3 }
    expect(eventTimeAt(1000, 100, ahead, 5000)).toBe(5300)
    expect(eventTimeAt(1000, 100, ahead, 999)).toBe(1300)
  })

  it('is the clock alone where no time is made up, whatever is there', () => {
    expect(eventTimeAt(1000, 250, undefined, 5000)).toBe(1250)
  })

  it('is a whole number', () => {
    expect(eventTimeAt(1000, 33.7)).toBe(1033)
  })
})

describe('newestToGoOnFrom', () => {
  it('is the start for traffic from the past: what is later there is not its own', () => {
    expect(newestToGoOnFrom(1000, { startOffsetMs: -1, speed: 1 })).toBe(1000)
  })

  it('is any time for traffic that may run ahead', () => {
    expect(newestToGoOnFrom(1000, { startOffsetMs: 0, speed: 2 })).toBe(Number.POSITIVE_INFINITY)
  })
})
