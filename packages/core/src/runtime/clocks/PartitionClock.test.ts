import { describe, expect, it } from 'vitest'
import { maximumTimestamp, minimumWatermark, PartitionClock } from './PartitionClock.js'

const at = (timestamp: number, offset = 0) => ({ topic: 't', partition: 0, offset, timestamp })
const partition = (outOfOrderness = 0) => new PartitionClock('s', 't', 0, outOfOrderness)

describe('PartitionClock', () => {
  it('[W2] trails its newest record by the out-of-orderness, and never goes back', () => {
    const clock = partition(10)
    expect(clock.watermark).toBe(-1)
    clock.observe(at(100, 7))
    expect(clock.watermark).toBe(90)
    clock.observe(at(95, 8))
    expect(clock.watermark).toBe(90)
    expect(clock.movedBy?.offset).toBe(7)
  })

  it('[W2] is unknown rather than negative while time is below the out-of-orderness', () => {
    const clock = partition(10)
    clock.observe(at(3))
    expect(clock.watermark).toBe(-1)
  })

  it('[W2] becomes idle only after an unbroken stretch of being caught up', () => {
    const clock = partition()
    expect(clock.report(true, 0, 100)).toBe(false)
    expect(clock.report(true, 99, 100)).toBe(false)
    expect(clock.report(false, 99, 100)).toBe(false)
    expect(clock.report(true, 100, 100)).toBe(false)
    expect(clock.report(true, 199, 100)).toBe(false)
    expect(clock.report(true, 200, 100)).toBe(true)
    expect(clock.idle).toBe(true)
    expect(clock.report(true, 500, 100)).toBe(false)
  })

  it('[W2] a record ends idleness, and starts the stretch anew', () => {
    const clock = partition()
    clock.report(true, 0, 100)
    clock.report(true, 100, 100)
    expect(clock.observe(at(5))).toBe(true)
    expect(clock.idle).toBe(false)
    expect(clock.observe(at(6))).toBe(false)
    expect(clock.report(true, 150, 100)).toBe(false)
    expect(clock.report(true, 250, 100)).toBe(true)
  })
})

describe('the clock of a group of partitions', () => {
  const two = () => [partition(), partition()] as const

  it('[W2] watermark is the minimum, and unknown while one partition has not spoken', () => {
    const [a, b] = two()
    a.observe(at(50))
    expect(minimumWatermark([a, b])).toBeUndefined()
    b.observe(at(30))
    expect(minimumWatermark([a, b])).toBe(30)
    expect(minimumWatermark([b, a])).toBe(30)
  })

  it('[W2] leaves idle partitions out, and stands while all are idle', () => {
    const [a, b] = two()
    a.observe(at(50))
    b.report(true, 0, 0)
    expect(minimumWatermark([a, b])).toBe(50)
    a.report(true, 0, 0)
    expect(minimumWatermark([a, b])).toBeUndefined()
  })

  it('[W2] stream-time is the greatest timestamp read by any, idle or not', () => {
    const [a, b] = two()
    expect(maximumTimestamp([a, b])).toBeUndefined()
    a.observe(at(0))
    expect(maximumTimestamp([a, b])).toBe(0)
    b.observe(at(40))
    b.report(true, 0, 0)
    expect(maximumTimestamp([a, b])).toBe(40)
  })
})
