import type { RareEvent, RunFrame } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { FrameFeed, MOST_RARE_WAITING, SLOW_ABOVE_BYTES } from './FrameFeed.js'

const rare = (n: number): RareEvent => ({ n, at: n, type: 'log', level: 'info', message: `event ${n}` })

function frame(seq: number, parts: Partial<RunFrame> = {}): RunFrame {
  return {
    runId: 'r',
    seq,
    at: seq * 100,
    snapshot: {} as RunFrame['snapshot'],
    hotKeys: [],
    samples: [],
    timerEvents: [],
    pendingTimers: [],
    rare: [],
    leftOut: { frames: 0, samples: 0, timerEvents: 0, pendingTimers: 0 },
    ...parts,
  }
}

function viewer() {
  const state = { buffered: 0, gaveUp: 0, sent: [] as RunFrame[], taken: [] as (() => void)[] }
  const feed = new FrameFeed({
    buffered: () => state.buffered,
    send: (sent, taken) => {
      state.sent.push(sent)
      state.taken.push(taken)
    },
    giveUp: () => state.gaveUp++,
  })
  return { state, feed }
}

const sample = {} as RunFrame['samples'][number]
const timerEvent = {} as RunFrame['timerEvents'][number]

describe('the frames of one viewer', () => {
  it('go out at once while the viewer takes them, up to a full megabyte behind', () => {
    const { state, feed } = viewer()
    feed.push(frame(1))
    state.buffered = SLOW_ABOVE_BYTES
    feed.push(frame(2))
    expect(state.sent.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('are merged while it is slow: the newest numbers, every rare event, a count of the rest', () => {
    const { state, feed } = viewer()
    state.buffered = SLOW_ABOVE_BYTES + 1
    feed.push(frame(1, { rare: [rare(1)], samples: [sample, sample], timerEvents: [timerEvent] }))
    feed.push(
      frame(2, {
        rare: [rare(2), rare(3)],
        samples: [sample],
        leftOut: { frames: 0, samples: 7, timerEvents: 5, pendingTimers: 4 },
      }),
    )
    feed.push(
      frame(3, {
        rare: [rare(4)],
        samples: [sample],
        leftOut: { frames: 0, samples: 1, timerEvents: 0, pendingTimers: 9 },
      }),
    )
    expect(state.sent).toEqual([])
    state.buffered = 0
    feed.flush()
    expect(state.sent).toHaveLength(1)
    const [sent] = state.sent
    expect(sent?.seq).toBe(3)
    expect(sent?.rare.map(({ n }) => n)).toEqual([1, 2, 3, 4])
    expect(sent?.samples).toHaveLength(1)
    expect(sent?.leftOut).toEqual({ frames: 2, samples: 2 + 1 + 7 + 1, timerEvents: 1 + 5, pendingTimers: 9 })
  })

  it('go on once the bytes before them have left, without a further frame', () => {
    const { state, feed } = viewer()
    feed.push(frame(1))
    state.buffered = SLOW_ABOVE_BYTES + 1
    feed.push(frame(2))
    state.buffered = 0
    state.taken[0]?.()
    expect(state.sent.map(({ seq }) => seq)).toEqual([1, 2])
    state.taken[1]?.()
    expect(state.sent).toHaveLength(2)
  })

  it('end when more rare events wait than a viewer can be sent', () => {
    const { state, feed } = viewer()
    state.buffered = SLOW_ABOVE_BYTES + 1
    feed.push(frame(1, { rare: Array.from({ length: MOST_RARE_WAITING }, (_, n) => rare(n + 1)) }))
    expect(state.gaveUp).toBe(0)
    feed.push(frame(2, { rare: [rare(MOST_RARE_WAITING + 1)] }))
    expect(state.gaveUp).toBe(1)
  })
})
