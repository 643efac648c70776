import { describe, expect, it } from 'vitest'
import { jumpWords, NEAR_MS, timesOf, usualTime } from './usualTime.js'

const wall = Date.UTC(2026, 10, 30, 12)
const past = wall - 6 * 3_600_000

describe('the time of a test record', () => {
  it('is the newest of its topic where the traffic runs in the past', () => {
    expect(usualTime({ wall, newest: past, eventClock: past + 5 })).toEqual({ at: past, why: 'newest' })
  })

  it("is the run's event clock where nothing of its topic is known", () => {
    expect(usualTime({ wall, newest: -1, eventClock: past })).toEqual({ at: past, why: 'event-clock' })
    expect(usualTime({ wall, newest: 0, eventClock: past })).toEqual({ at: 0, why: 'newest' })
    expect(usualTime({ wall, newest: -1, eventClock: 0 })).toEqual({ at: 0, why: 'event-clock' })
  })

  it('is now where the traffic is near the wall clock, and without any', () => {
    expect(usualTime({ wall, newest: wall - NEAR_MS, eventClock: past })).toEqual({ at: null, why: 'now' })
    expect(usualTime({ wall, newest: wall - NEAR_MS - 1, eventClock: wall }).at).toBe(wall - NEAR_MS - 1)
    expect(usualTime({ wall, newest: -1, eventClock: -1 })).toEqual({ at: null, why: 'now' })
  })

  it('follows no record into the future', () => {
    expect(usualTime({ wall, newest: wall + 10 * 365 * 86_400_000, eventClock: past }).at).toBeNull()
  })
})

describe('what a run knows of times', () => {
  const partition = (topic: string, at: number, maxTimestamp: number) => ({
    topic,
    partition: at,
    maxTimestamp,
    watermark: maxTimestamp,
    idle: false,
  })
  const snapshot = {
    clocks: { partitions: [partition('views', 0, 70), partition('views', 1, 90), partition('orders', 0, 400)] },
    nodes: [{ eventClock: 60 }, { eventClock: undefined }, { eventClock: 55 }],
  } as unknown as Parameters<typeof timesOf>[0]

  it("is the greatest timestamp over the topic's own partitions, and the furthest event clock", () => {
    expect(timesOf(snapshot, 'views')).toEqual({ newest: 90, eventClock: 60 })
    expect(timesOf(snapshot, 'payments')).toEqual({ newest: -1, eventClock: 60 })
    expect(timesOf(undefined, 'views')).toEqual({ newest: -1, eventClock: -1 })
  })
})

describe('a record ahead of traffic of the past', () => {
  const usual = { at: past, why: 'newest' } as const

  it('is told how far it moves the clocks', () => {
    expect(jumpWords(wall, usual)).toBe('It moves the clocks on by 6 h; traffic that goes on before it comes late.')
    expect(jumpWords(past + NEAR_MS + 1, usual)).not.toBeNull()
  })

  it('is told nothing where it is near, or the traffic is of now', () => {
    expect(jumpWords(past + NEAR_MS, usual)).toBeNull()
    expect(jumpWords(wall + 1e9, { at: null, why: 'now' })).toBeNull()
  })
})
