import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import { Budget } from './Budget.js'

/** How many questions it takes, at so many ms of work between them, until the macrotask is to end. */
function questions(budget: Budget, clock: ManualClock, msEach: number): number {
  for (let asked = 1; asked <= 1_000_000; asked++) {
    clock.advance(msEach)
    if (budget.isSpent()) return asked
  }
  return Number.POSITIVE_INFINITY
}

describe('Budget', () => {
  it('[L12] ends a macrotask after 4 ms, not at 4 ms', () => {
    const clock = new ManualClock()
    const budget = new Budget(clock)
    clock.advance(4)
    expect(budget.isSpent()).toBe(false)
    clock.advance(0.5)
    expect(budget.isSpent()).toBe(true)
    budget.begin()
    expect(budget.isSpent()).toBe(false)
  })

  it('[L12] notices slow callbacks at once when they are slow from the start', () => {
    const clock = new ManualClock()
    const budget = new Budget(clock)
    for (let task = 0; task < 5; task++) {
      budget.begin()
      expect(questions(budget, clock, 3)).toBe(2)
    }
  })

  it('[L12] after quick ones is late by 7 questions at most, and then on time', () => {
    const clock = new ManualClock()
    const budget = new Budget(clock)
    for (let i = 0; i < 1000; i++) {
      clock.advance(0.001)
      budget.isSpent()
    }
    budget.begin()
    expect(questions(budget, clock, 3)).toBeLessThanOrEqual(1 + 8)
    budget.begin()
    expect(questions(budget, clock, 3)).toBe(2)
  })

  it('[L8] does not read the clock for each of many quick records', () => {
    let read = 0
    class Counting extends ManualClock {
      override monotonic(): number {
        read++
        return super.monotonic()
      }
    }
    const clock = new Counting()
    const budget = new Budget(clock)
    read = 0
    for (let i = 0; i < 8000; i++) budget.isSpent()
    expect(read).toBeLessThan(1010)
  })
})
