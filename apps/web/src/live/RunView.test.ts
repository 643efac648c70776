import type { RunFrame } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { createLiveStore } from './LiveStore.js'
import { receiveFrame } from './RunView.js'

function frame(seq: number, change: Partial<RunFrame> = {}, processed = seq * 10): RunFrame {
  const at = 1_000 + seq * 100
  return {
    runId: 'r',
    seq,
    at,
    snapshot: {
      at,
      state: 'running',
      uptimeMs: at,
      epoch: { number: 1, committed: 1, lastCommitMs: null },
      clocks: { mode: 'watermark', wall: at, reference: at, partitions: [] },
      nodes: [{ node: 'a', in: processed, out: 0, busyMs: seq * 54, eventClock: -1 }],
      edges: [],
      lanes: [
        {
          subTopology: 0,
          lane: 0,
          queued: seq,
          capacity: 300,
          processed,
          timersFired: 0,
          busyMs: seq * 97,
          current: null,
          awaitingMs: 0,
        },
      ],
      stores: [],
      counters: {},
    },
    hotKeys: [{ subTopology: 0, lane: 0, key: 'k', share: 0.5 }],
    samples: [],
    timerEvents: [],
    pendingTimers: [],
    rare: [],
    leftOut: { frames: 0, samples: 3, timerEvents: 0, pendingTimers: 0 },
    ...change,
  }
}

describe('receiveFrame', () => {
  it('measures rates and busy shares between frames', () => {
    const view = [frame(2), frame(4), frame(6)].reduce(
      (before, next) => receiveFrame(before, next, next.at),
      receiveFrame(null, frame(0), 0),
    )
    expect(view.figures.nodes.get('a')?.inPerSecond).toBeCloseTo(100)
    expect(view.figures.nodes.get('a')?.busy).toBeCloseTo(0.54)
    expect(view.figures.lanes[0]).toMatchObject({ busy: 0.97, growing: true, topKey: { key: 'k', share: 0.5 } })
    expect(view.pressure.lanes).toHaveLength(1)
  })
  it('knows no rate after one frame', () => {
    expect(receiveFrame(null, frame(1), 0).figures.nodes.get('a')?.inPerSecond).toBeNull()
  })
  it('takes a frame that comes late for its rare events alone', () => {
    const view = receiveFrame(null, frame(5), 0)
    const rare = [{ n: 1, at: 1, type: 'log' as const, level: 'info' as const, message: 'late' }]
    const late = receiveFrame(view, frame(4, { rare }), 1)
    expect(late.frame?.seq).toBe(5)
    expect(late.journal.lastN).toBe(1)
    expect(receiveFrame(view, frame(5), 1)).toBe(view)
  })
  it('starts over with another run', () => {
    const view = receiveFrame(receiveFrame(null, frame(5), 0), frame(1, { runId: 'other' }), 0)
    expect(view).toMatchObject({ runId: 'other', frames: 1 })
  })
  it('adds up what was left out over the last minute alone', () => {
    let view = receiveFrame(null, frame(0), 0)
    view = receiveFrame(view, frame(600), 0)
    expect(view.leftOut).toHaveLength(1)
    view = receiveFrame(view, frame(601), 0)
    expect(view.leftOut).toHaveLength(2)
  })
})

describe('createLiveStore', () => {
  const manual = () => {
    let now = 0
    const planned: { at: number; fn: () => void }[] = []
    return {
      now: () => now,
      after: (delayMs: number, fn: () => void) => {
        const one = { at: now + delayMs, fn }
        planned.push(one)
        return { cancel: () => void planned.splice(planned.indexOf(one), planned.includes(one) ? 1 : 0) }
      },
      advance: (ms: number) => {
        now += ms
        for (const one of planned.splice(0).sort((a, b) => a.at - b.at)) {
          if (one.at <= now) one.fn()
          else planned.push(one)
        }
      },
    }
  }

  it('tells its listeners at most ten times a second, and of the newest frame', () => {
    const clock = manual()
    const live = createLiveStore(clock)
    let told = 0
    live.subscribe(() => told++)
    live.takeFrame(frame(1), 0)
    for (let seq = 2; seq < 6; seq++) live.takeFrame(frame(seq), 0)
    expect(told).toBe(1)
    clock.advance(100)
    expect(told).toBe(2)
    expect(live.getState().view?.frame?.seq).toBe(5)
  })
  it('leaves out the frames of another run than the one that it has', () => {
    const clock = manual()
    const live = createLiveStore(clock)
    const run = { runId: frame(1).runId, projectId: 'p', state: 'running', log: 'embedded', startedAt: 0 } as const
    live.takeRun({ ...run, endedAt: null, error: null })
    live.takeFrame({ ...frame(7), runId: 'another' }, 0)
    live.takeFrame(frame(1), 0)
    clock.advance(100)
    expect(live.getState().view).toMatchObject({ runId: run.runId, frames: 1 })
  })
  it('keeps what comes in a pause, shows it after, and says how much it was', () => {
    const clock = manual()
    const live = createLiveStore(clock)
    live.takeFrame(frame(1), 0)
    clock.advance(1_000)
    live.pause()
    live.takeFrame(frame(2), 1_000)
    live.takeFrame(frame(3), 1_100)
    clock.advance(500)
    expect(live.getState()).toMatchObject({ pausedAt: 1_000, heldBack: 2 })
    expect(live.getState().view?.frame?.seq).toBe(1)
    live.resume()
    expect(live.getState().view?.frame?.seq).toBe(3)
    expect(live.getState().lastGap).toEqual({ from: 1_000, to: 1_500, frames: 2 })
  })
})
