import { describe, expect, it } from 'vitest'
import { RUN_LIMITS } from '../config/limits.js'
import { Watchdog } from './Watchdog.js'

const limits = { ...RUN_LIMITS, unresponsiveMs: 10_000, startMs: 30_000, residentMb: 100, heartbeatMs: 500 }
const MB = 1024 * 1024

function running(now: number) {
  const dog = new Watchdog(limits, now)
  dog.started()
  return dog
}

function checkedEvery500Until(dog: Watchdog, from: number, to: number) {
  let verdict = dog.check(from, undefined)
  for (let now = from + 500; now <= to; now += 500) verdict = dog.check(now, undefined)
  return verdict
}

describe('the watchdog', () => {
  it('bears a silence of exactly the limit and not a moment more', () => {
    const dog = running(0)
    expect(checkedEvery500Until(dog, 500, 10_000)).toBe('well')
    expect(dog.check(10_001, undefined)).toBe('unresponsive')
  })

  it('is more patient until the run has started', () => {
    const dog = new Watchdog(limits, 0)
    expect(checkedEvery500Until(dog, 500, 30_000)).toBe('well')
    expect(dog.check(30_001, undefined)).toBe('unresponsive')
    dog.beat(30_100)
    dog.started()
    expect(checkedEvery500Until(dog, 30_500, 40_000)).toBe('well')
    expect(dog.check(40_101, undefined)).toBe('unresponsive')
  })

  it('starts anew with each beat', () => {
    const dog = running(0)
    checkedEvery500Until(dog, 500, 9_500)
    dog.beat(9_600)
    expect(checkedEvery500Until(dog, 10_000, 19_500)).toBe('well')
    expect(dog.check(19_601, undefined)).toBe('unresponsive')
  })

  it('blames nobody for a silence in which it slept itself', () => {
    const dog = running(0)
    dog.check(500, undefined)
    expect(dog.check(60_000, undefined)).toBe('well')
    expect(checkedEvery500Until(dog, 60_500, 70_000)).toBe('well')
    expect(dog.check(70_001, undefined)).toBe('unresponsive')
  })

  it('bears memory up to the limit', () => {
    const dog = running(0)
    expect(dog.check(500, 100 * MB)).toBe('well')
    expect(dog.check(1000, 100 * MB + 1)).toBe('too-much-memory')
  })
})
