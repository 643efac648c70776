import type { WireSnapshot } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { pastTraffic, toClockFacts } from './clockFacts.js'

const MINUTE = 60_000

const clocks = (mode: 'watermark' | 'stream-time', maxTimestamp: number): WireSnapshot['clocks'] => ({
  mode,
  wall: 1_000,
  reference: 1_000,
  partitions: [
    { source: 's', topic: 't', partition: 0, maxTimestamp, watermark: maxTimestamp, idle: false, position: 0, lag: 0 },
  ],
})

describe('the clock', () => {
  it('says whose time it shows, which changes when the first record of a partition comes', () => {
    expect(toClockFacts(clocks('watermark', -1), 40)).toMatchObject({ at: 40, of: 'the furthest node' })
    expect(toClockFacts(clocks('watermark', 0), 40)).toMatchObject({ at: 0, of: 'the slowest partition' })
    expect(toClockFacts(clocks('stream-time', 100), 40)).toMatchObject({ at: 100, of: 'the newest record' })
  })
})

describe('test traffic from the past', () => {
  const at = (newest: number, wall: number) => ({ newest, wall })

  it('is named with the furthest of its starts', () => {
    const generators = [{ time: { startOffsetMs: -5 } }, {}, { time: { startOffsetMs: -7 } }]
    expect(pastTraffic(generators, at(0, MINUTE))).toBe(7)
  })

  it('explains nothing where the clock is near, has read nothing, or no traffic begins in the past', () => {
    const past = [{ time: { startOffsetMs: -5 } }]
    expect(pastTraffic(past, at(1, MINUTE))).toBeUndefined()
    expect(pastTraffic(past, at(-1, MINUTE))).toBeUndefined()
    expect(pastTraffic([{ time: { startOffsetMs: 5 } }, {}], at(0, MINUTE))).toBeUndefined()
  })
})
