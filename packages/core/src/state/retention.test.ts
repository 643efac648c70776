import { describe, expect, it } from 'vitest'
import { leastLiveSegment, segmentIdOf, segmentIntervalOf } from './retention.js'

const day = 86_400_000

describe('segmentIntervalOf', () => {
  it.each([
    [30 * day, 15 * day],
    [120_003, 60_001],
    [120_002, 60_001],
    [120_001, 60_000],
    [120_000, 60_000],
    [119_999, 60_000],
    [10_000, 60_000],
    [0, 60_000],
  ])('[S1] is half of the retention %d, rounded down, and a minute at least: %d', (retention, interval) => {
    expect(segmentIntervalOf(retention)).toBe(interval)
  })
})

describe('segmentIdOf', () => {
  it.each([
    [0, 0],
    [59_999, 0],
    [60_000, 1],
    [119_999, 1],
    [120_000, 2],
    [-1, 0],
    [-59_999, 0],
    [-60_000, -1],
    [-119_999, -1],
    [-120_000, -2],
  ])('[S1] truncates %d toward zero: %d', (timestamp, id) => {
    expect(segmentIdOf(timestamp, 60_000)).toBe(id)
  })
})

describe('leastLiveSegment', () => {
  it.each([
    [-1, -2],
    [0, -2],
    [1, -1],
    [60_001, 0],
    [179_999, 0],
    [180_000, 1],
    [240_000, 2],
  ])('[S1] at observed %d and retention 120000 is %d', (observed, id) => {
    expect(leastLiveSegment(observed, 120_000, 60_000)).toBe(id)
  })

  it.each([
    [119_999, 1],
    [129_999, 1],
    [130_000, 2],
    [180_000, 2],
  ])('[S1] at observed %d and retention 10000 is %d', (observed, id) => {
    expect(leastLiveSegment(observed, 10_000, 60_000)).toBe(id)
  })
})
