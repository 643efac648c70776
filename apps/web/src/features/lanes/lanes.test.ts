import { describe, expect, it } from 'vitest'
import type { LaneFigures } from '../../live/figures.js'
import { type Split, subTopologiesOf, toLaneCells } from './laneBoard.js'
import { toSplitTimeline } from './splitTimeline.js'

const lane = (number: number, change: Partial<LaneFigures> = {}): LaneFigures => ({
  subTopology: 0,
  lane: number,
  queued: 0,
  capacity: 300,
  growing: false,
  processed: 0,
  timersFired: 0,
  perSecond: 1,
  timersPerSecond: 0,
  busy: 0,
  current: null,
  awaitingMs: 0,
  topKey: { key: 'k', share: 0.6 },
  ...change,
})
const split: Split = {
  n: 1,
  at: 50_000,
  type: 'split',
  proven: true,
  coordinates: null,
  node: 'n',
  key: 'k0',
  recordBytes: '226b3022',
  timerBytes: '6b30',
  recordLane: 0,
  timerLane: 6,
  laneCount: 8,
}

describe('toLaneCells', () => {
  it('marks the two lanes of the split', () => {
    const cells = toLaneCells([lane(0), lane(1), lane(6)], split)
    expect(cells.map((cell) => cell.part)).toEqual(['records', null, 'timers'])
  })
  it('names a key hot only where it presses its lane', () => {
    const hot = (change: Partial<LaneFigures>) => toLaneCells([lane(0, change)], null)[0]?.hotKey
    expect(hot({ busy: 0.8 })).toBe('k')
    expect(hot({ busy: 0.79 })).toBeNull()
    expect(hot({ queued: 150 })).toBe('k')
    expect(hot({ queued: 149 })).toBeNull()
    expect(hot({ busy: 1, topKey: { key: 'k', share: 0.49 } })).toBeNull()
  })
  it('fills the queue by its capacity, never above it', () => {
    expect(toLaneCells([lane(0, { queued: 150 }), lane(1, { queued: 400 })], null).map((cell) => cell.fill)).toEqual([
      0.5, 1,
    ])
  })
})

it('lists sub-topologies once, in order', () => {
  expect(subTopologiesOf([lane(0, { subTopology: 1 }), lane(0), lane(1)])).toEqual([0, 1])
})

describe('toSplitTimeline', () => {
  const sample = (id: number, at: number, change = {}) => ({
    id,
    at,
    from: 'in',
    to: 'n',
    lane: 0,
    key: 'k0',
    keyBytes: null,
    value: null,
    timestamp: 0,
    coordinates: null,
    ...change,
  })
  const fired = (id: number, at: number, key = 'k0') => ({
    id,
    at,
    what: 'fired' as const,
    timer: { node: 'n', lane: 6, domain: 'event-time' as const, at: 0, key, keyBytes: '' },
    forwarded: 1,
  })
  it('takes records of the key on its lane and firings of its timers, near the proof', () => {
    const samples = [
      sample(1, 49_000),
      sample(2, 49_500, { lane: 3 }),
      sample(3, 49_600, { key: 'x' }),
      sample(4, 39_000),
      sample(5, 49_700, { to: 'out' }),
    ]
    const timeline = toSplitTimeline(split, samples, [fired(6, 51_000), fired(7, 51_000, 'x')])
    expect(timeline.records.map((mark) => mark.id)).toEqual([1])
    expect(timeline.timers.map((mark) => [mark.id, mark.lane])).toEqual([[6, 6]])
    expect(timeline.from).toBeLessThan(49_000)
    expect(timeline.to).toBeGreaterThan(51_000)
  })
  it('puts the proof on a tick, also when nothing was sampled', () => {
    const { from, to, stepMs } = toSplitTimeline(split, [], [])
    expect((split.at - from) % stepMs).toBe(0)
    expect(to).toBeGreaterThan(split.at)
    expect(from).toBeLessThan(split.at)
  })
})
