import type { WireError, WireSnapshot } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { toClockFacts } from './ClockCard.js'
import { missingTopics } from './CreateTopics.js'
import { formatUptime } from './formatUptime.js'
import { withSplit } from './useFatal.js'

const error = (code: string, context: WireError['context'] = {}): WireError => ({
  code,
  kind: 'user',
  message: 'm',
  context,
})

describe('toClockFacts', () => {
  const partition = (number: number, change = {}) => ({
    source: 's',
    topic: 't',
    partition: number,
    maxTimestamp: 100,
    watermark: 90,
    idle: false,
    position: 0,
    lag: 0,
    ...change,
  })
  const clocks = (
    mode: 'watermark' | 'stream-time',
    ...partitions: ReturnType<typeof partition>[]
  ): WireSnapshot['clocks'] => ({
    mode,
    wall: 1_000,
    reference: 1_000,
    partitions,
  })
  it('[W2] takes the least watermark of the partitions that are not idle, and names who holds it back', () => {
    const facts = toClockFacts(
      clocks('watermark', partition(0), partition(1, { watermark: 50 }), partition(2, { watermark: 10, idle: true })),
    )
    expect(facts).toMatchObject({ title: 'Watermark', at: 50, newest: 100, heldBackBy: 't-1' })
  })
  it('blames no partition when all are equally far', () => {
    expect(toClockFacts(clocks('watermark', partition(0), partition(1))).heldBackBy).toBeNull()
  })
  it('[S7] takes the greatest timestamp in stream time', () => {
    expect(toClockFacts(clocks('stream-time', partition(0), partition(1, { maxTimestamp: 300 })))).toMatchObject({
      at: 300,
      title: 'Observed time',
    })
  })
  it('has no time before anything was read', () => {
    expect(toClockFacts(clocks('watermark')).at).toBe(-1)
    expect(toClockFacts(clocks('stream-time', partition(0, { maxTimestamp: -1 }))).at).toBe(-1)
  })
})

describe('withSplit', () => {
  const split = {
    node: 'n',
    key: 'k0',
    recordBytes: '22',
    timerBytes: '6b',
    recordLane: 0,
    timerLane: 6,
    laneCount: 8,
    proven: true,
  }
  it('[A2] gives an affinity error of a node its proven split', () => {
    expect(withSplit(error('TIMER_LANE_AFFINITY', { node: 'n' }), split)?.split?.key).toBe('k0')
    expect(withSplit(error('TIMER_LANE_AFFINITY', { node: 'other' }), split)?.split).toBeUndefined()
    expect(withSplit(error('PROCESSING'), split)?.split).toBeUndefined()
  })
})

it('reads the missing topics of an error, and nothing else', () => {
  expect(missingTopics(error('TOPIC_MISSING', { topics: [{ topic: 'a', partitions: 4 }, 'b'] }))).toEqual([
    { topic: 'a', partitions: 4 },
  ])
  expect(missingTopics(error('TOPIC_MISSING', { topic: 'a' }))).toEqual([])
  expect(missingTopics(error('OTHER', { topics: [{ topic: 'a', partitions: 4 }] }))).toEqual([])
})

it('lets hours grow', () => {
  expect(formatUptime(1_184_999)).toBe('00:19:44')
  expect(formatUptime(360_000_000)).toBe('100:00:00')
})
