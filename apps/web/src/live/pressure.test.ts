import type { WireSnapshot } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import type { Figures, LaneFigures, NodeFigures } from './figures.js'
import { causeOf, toPressure } from './pressure.js'

const lane = (change: Partial<LaneFigures> = {}): LaneFigures => ({
  subTopology: 0,
  lane: 0,
  queued: 10,
  capacity: 300,
  growing: false,
  processed: 0,
  timersFired: 0,
  perSecond: 1,
  timersPerSecond: 0,
  busy: 0.5,
  current: null,
  awaitingMs: 0,
  topKey: null,
  ...change,
})

describe('causeOf', () => {
  it('calls a lane full from its capacity on', () => {
    expect(causeOf(lane({ queued: 300 }))?.why).toBe('full')
    expect(causeOf(lane({ queued: 299 }))).toBeNull()
  })
  it('calls a busy lane a cause only while its queue grows', () => {
    expect(causeOf(lane({ busy: 0.95, growing: true }))?.why).toBe('busy')
    expect(causeOf(lane({ busy: 0.94, growing: true }))).toBeNull()
    expect(causeOf(lane({ busy: 1, growing: false }))).toBeNull()
  })
  it('does not call a lane without a queue full', () => {
    expect(causeOf(lane({ queued: 0, capacity: 0 }))).toBeNull()
  })
})

describe('toPressure', () => {
  const node = (name: string, busy: number, subTopology = 0): NodeFigures => ({
    node: name,
    subTopology,
    in: 0,
    out: 0,
    inPerSecond: 1,
    outPerSecond: 1,
    busy,
    eventClock: -1,
    timers: null,
  })
  const figures: Figures = {
    nodes: new Map(
      [node('in', 5), node('slow', 0.9), node('fast', 0.1), node('other', 0.99, 1), node('else', 0)].map((one) => [
        one.node,
        one,
      ]),
    ),
    edges: new Map(),
    lanes: [lane({ queued: 300 })],
  }
  const snapshot = (lag: number) =>
    ({
      edges: [
        { from: 'in', to: 'fast', count: 1 },
        { from: 'fast', to: 'slow', count: 1 },
        { from: 'else', to: 'other', count: 1 },
      ],
      clocks: {
        partitions: [
          { source: 'in', lag },
          { source: 'in', lag: 2 },
          { source: 'else', lag: 50 },
        ],
      },
    }) as unknown as WireSnapshot

  it('names the busiest step of the lane’s sub-topology, never a source', () => {
    expect([...toPressure(figures, snapshot(5)).causes.keys()]).toEqual(['slow'])
  })
  it('lets only sources upstream of the cause wait, with the lag of all their partitions', () => {
    expect([...toPressure(figures, snapshot(5)).victims]).toEqual([['in', { waitsOn: 'slow', lag: 7 }]])
  })
  it('lets a source that lags behind nothing wait on nobody', () => {
    const calm = { ...snapshot(0), clocks: { partitions: [{ source: 'in', lag: 0 }] } } as unknown as WireSnapshot
    expect(toPressure(figures, calm).victims.size).toBe(0)
  })
  it('is empty while no lane is pressed', () => {
    expect(toPressure({ ...figures, lanes: [lane()] }, snapshot(5)).causes.size).toBe(0)
  })
})
