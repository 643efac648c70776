import { describe, expect, it } from 'vitest'
import type { NodeInstance } from '../nodes/NodeInstance.js'
import { nextMultiple, Punctuation } from './Punctuation.js'

describe('nextMultiple', () => {
  it.each([
    [0, 10, 0, 10],
    [0, 10, 9, 10],
    [0, 10, 10, 20],
    [0, 10, 47, 50],
    [5, 10, 5, 15],
    [5, 10, 14, 15],
    [5, 10, 15, 25],
    [5, 10, 1003, 1005],
    [0, 1, 41, 42],
    [0, 7, 1_000_000_000_003, 1_000_000_000_006],
  ])('[W5] from %d every %d, later than %d: %d', (start, interval, now, expected) => {
    expect(nextMultiple(start, interval, now)).toBe(expected)
  })

  it('[W5] goes up to 2^53−1 and no further', () => {
    const max = Number.MAX_SAFE_INTEGER
    expect(nextMultiple(0, 1, max - 1)).toBe(max)
    expect(nextMultiple(0, 1, max)).toBe(Number.POSITIVE_INFINITY)
    expect(nextMultiple(0, 2, max - 1)).toBe(Number.POSITIVE_INFINITY)
    expect(nextMultiple(0, max, 0)).toBe(max)
    expect(nextMultiple(0, max, max)).toBe(Number.POSITIVE_INFINITY)
    expect(nextMultiple(1, max, 1)).toBe(Number.POSITIVE_INFINITY)
  })

  it('[W5] is exact where a quotient would round', () => {
    const now = Number.MAX_SAFE_INTEGER - 2
    expect(nextMultiple(0, 3, now) % 3).toBe(0)
    expect(nextMultiple(0, 3, now) - now).toBeLessThanOrEqual(3)
  })
})

describe('Punctuation', () => {
  const made = (first: number) =>
    new Punctuation({} as NodeInstance, 'wall-clock-time', 10, () => undefined, first, false)

  it('[W5] what was missed collapses into one, and the mark is used up', () => {
    const punctuation = made(10)
    punctuation.marked = true
    punctuation.fires(35)
    expect([punctuation.next, punctuation.marked]).toEqual([40, false])
  })

  it('[W5] cancelled, it is never due again, also when that happens as it fires', () => {
    const punctuation = made(10)
    punctuation.cancel()
    punctuation.fires(10)
    punctuation.cancel()
    expect([punctuation.next, punctuation.cancelled]).toEqual([Number.POSITIVE_INFINITY, true])
  })
})
