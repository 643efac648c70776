import { describe, expect, it } from 'vitest'
import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { CompiledNode } from '../../topology/CompiledTopology.js'
import { type EndangeredNode, FutureGuard, type FutureGuardSettings, isProven, NO_BLAST } from './FutureGuard.js'

const REFERENCE = 1_000_000
const BOUND = 1000

interface Shape {
  readonly clock?: number
  readonly timersAt?: readonly number[]
  readonly window?: { sizeMs: number; advanceMs: number; graceMs: number }
  readonly stores?: readonly StoreInstance<unknown, unknown>[]
}

function below({ clock = -1, timersAt, window, stores = [] }: Shape): EndangeredNode {
  return {
    node: { name: 'node', ...(window && { facts: { operator: 'count', window } }) } as CompiledNode,
    clock: () => clock,
    clockGroup: 0,
    stores,
    dueTimers: timersAt && ((at) => timersAt.filter((due) => due <= at).length),
  }
}

const segment = (id: number): SegmentFacts => ({
  store: 'store',
  segment: id,
  from: id * 10,
  to: id * 10 + 10,
  entries: 1,
  bytes: 1,
})

/** A store that writes down what it is asked. */
function store(retentionMs: number, observed: number, starts: readonly number[] = []) {
  const asked: number[] = []
  const instance = {
    name: 'store',
    inspect: () => ({ windowed: { retentionMs, observed } }),
    wouldExpire: (at: number) => {
      asked.push(at)
      return []
    },
    countWindows: (after: number, upTo: number) => starts.filter((start) => start > after && start <= upTo).length,
  } as unknown as StoreInstance<unknown, unknown>
  return { instance, asked }
}

const guard = (settings: Partial<FutureGuardSettings> = {}) =>
  new FutureGuard({ mode: 'stream-time', guard: 'reject', check: 'warn', ...settings })

const judge = (at: number, nodes: readonly EndangeredNode[], settings?: Partial<FutureGuardSettings>) =>
  guard(settings).judge(at, BOUND, REFERENCE, 0, nodes)

describe('the bound', () => {
  it('[F2] is inclusive, and what is within it is not even looked at', () => {
    const nodes = [below({ timersAt: [0] })]
    expect(judge(REFERENCE + BOUND, nodes)).toEqual({
      verdict: 'pass',
      aheadMs: BOUND,
      boundMs: BOUND,
      blast: NO_BLAST,
    })
    expect(judge(REFERENCE + BOUND + 1, nodes)).toMatchObject({ verdict: 'rejected', aheadMs: BOUND + 1 })
    expect(judge(0, nodes).verdict).toBe('pass')
  })

  it.each([
    ['off', 'pass'],
    ['warn', 'checked'],
    ['error', 'fatal'],
  ] as const)('[F4] future-timestamp.check %s makes a record that endangers nothing %s', (check, verdict) => {
    expect(judge(REFERENCE + 5000, [], { check }).verdict).toBe(verdict)
  })

  it.each([
    ['off', 'pass'],
    ['warn', 'warned'],
    ['reject', 'rejected'],
    ['error', 'fatal'],
  ] as const)('[F3] future-timestamp.guard %s makes a proven blast %s', (verdict, expected) => {
    expect(judge(REFERENCE + 5000, [below({ timersAt: [0] })], { guard: verdict, check: 'error' }).verdict).toBe(
      expected,
    )
  })

  it.each(['segments', 'windows', 'timers', 'refuses'] as const)('[F3] %s alone prove a blast', (part) => {
    expect(isProven({ ...NO_BLAST, [part]: [{}] })).toBe(true)
    expect(isProven(NO_BLAST)).toBe(false)
  })
})

describe('the blast', () => {
  const blast = (
    at: number,
    nodes: readonly EndangeredNode[],
    mode: FutureGuardSettings['mode'] = 'stream-time',
    lag = 0,
  ) => guard({ mode }).blast(at, REFERENCE, lag, nodes)

  it('[F3] counts timers that would be due at its time, equality included', () => {
    const nodes = [below({ timersAt: [100, 200, 201] })]
    expect(blast(200, nodes).timers).toEqual([{ node: 'node', count: 2 }])
    expect(blast(99, nodes).timers).toEqual([])
  })

  it('[F3] in watermark mode goes by the time less the out-of-orderness', () => {
    const nodes = [below({ timersAt: [200] })]
    expect(blast(209, nodes, 'watermark', 10).timers).toEqual([])
    expect(blast(210, nodes, 'watermark', 10).timers).toEqual([{ node: 'node', count: 1 }])
    expect(blast(200, nodes, 'stream-time', 10).timers).toEqual([{ node: 'node', count: 1 }])
  })

  it('[F3] a record that does not move the clock destroys nothing', () => {
    const nodes = (clock: number) => [below({ clock, timersAt: [0] })]
    expect(isProven(blast(200, nodes(200)))).toBe(false)
    expect(isProven(blast(200, nodes(199)))).toBe(true)
    expect(isProven(blast(0, nodes(-1)))).toBe(false)
  })

  it('[F3] counts windows that are open now and closed then: end ≤ clock − grace closes one', () => {
    const window = { sizeMs: 10, advanceMs: 10, graceMs: 5 }
    const { instance } = store(1e9, 0, [0, 10, 20])
    const closing = (clock: number, at: number) => blast(at, [below({ clock, window, stores: [instance] })]).windows
    expect(closing(0, 14)).toEqual([])
    expect(closing(0, 15)).toEqual([{ node: 'node', count: 1 }])
    expect(closing(0, 35)).toEqual([{ node: 'node', count: 3 }])
    expect(closing(15, 35)).toEqual([{ node: 'node', count: 2 }])
  })

  it('[F3] tells which later records would be late for every window, to the first that stays open', () => {
    const window = { sizeMs: 100, advanceMs: 50, graceMs: 7 }
    const late = (at: number) => blast(at, [below({ window })]).refuses
    // A record of the reference clock, 1,000,000, is in [1000000, 1000100) at the latest.
    expect(late(1_000_106)).toEqual([])
    expect(late(1_000_107)).toEqual([{ where: 'node', reason: 'late_window', from: REFERENCE, to: 1_000_050 }])
    expect(late(1_000_156)).toEqual([{ where: 'node', reason: 'late_window', from: REFERENCE, to: 1_000_050 }])
    expect(late(1_000_157)).toEqual([{ where: 'node', reason: 'late_window', from: REFERENCE, to: 1_000_100 }])
  })

  it('[F3] tells which later puts would be expired: up to observed − retention, from the reference clock', () => {
    const expired = (at: number, observed = -1) =>
      blast(at, [below({ stores: [store(500, observed).instance] })]).refuses
    expect(expired(REFERENCE + 499)).toEqual([])
    expect(expired(REFERENCE + 500)).toEqual([
      { where: 'store', reason: 'expired_segment', from: REFERENCE, to: REFERENCE + 1 },
    ])
    expect(expired(REFERENCE + 5000, REFERENCE + 5000)).toEqual([])
    expect(expired(REFERENCE + 5000, REFERENCE + 4999)).toHaveLength(1)
  })

  it('[S2] [S7] asks a store for the start of the window in stream time, for the clock in watermark mode', () => {
    const window = { sizeMs: 100, advanceMs: 50, graceMs: 0 }
    const byPut = store(1e9, -1)
    blast(1_000_099, [below({ window, stores: [byPut.instance] })])
    expect(byPut.asked).toEqual([1_000_050])
    const byClock = store(1e9, -1)
    blast(1_000_099, [below({ window, stores: [byClock.instance] })], 'watermark', 9)
    expect(byClock.asked).toEqual([1_000_090])
    const plain = store(1e9, -1)
    blast(1_000_099, [below({ stores: [plain.instance] })])
    expect(plain.asked).toEqual([1_000_099])
  })

  it('[F5] names a segment once, though two nodes share its store', () => {
    const shared = { ...store(1e9, -1).instance, wouldExpire: () => [segment(1), segment(2)] } as StoreInstance<
      unknown,
      unknown
    >
    const nodes = [below({ stores: [shared] }), below({ stores: [shared] })]
    expect(blast(REFERENCE, nodes).segments).toEqual([segment(1), segment(2)])
  })
})
