import { describe, expect, it } from 'vitest'
import { buildTimeAxis, niceStep, toClusters } from './timeAxis.js'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 3)
const LATER = NOW + 3_652 * DAY
const store = { from: NOW - 30 * DAY, to: NOW + 15 * DAY }
const far = { from: LATER - 5 * DAY, to: LATER + 10 * DAY }

describe('toClusters', () => {
  it('keeps a gap that is as long as all that is drawn to scale, and breaks at a longer one', () => {
    const first = { from: 0, to: 10_000 }
    const active = 20_000
    const near = { from: 10_000 + active, to: 10_000 + active + 10_000 }
    const beyond = { from: near.from + 1, to: near.to + 1 }
    expect(toClusters([first, near], 1_000)).toHaveLength(1)
    expect(toClusters([first, beyond], 1_000)).toHaveLength(2)
  })
  it('merges spans that overlap or touch, in any order', () => {
    const merged = toClusters(
      [
        { from: 5_000, to: 9_000 },
        { from: 0, to: 5_000 },
        { from: 1_000, to: 2_000 },
      ],
      1_000,
    )
    expect(merged).toEqual([{ from: 0, to: 9_000 }])
  })
  it('gives a lone moment some room', () => {
    const [cluster] = toClusters([{ from: NOW, to: NOW }], 1_000)
    expect(cluster!.to).toBeGreaterThan(cluster!.from)
    expect(cluster!.from).toBeLessThanOrEqual(NOW)
  })
  it('leaves out what is no time', () => {
    expect(
      toClusters(
        [
          { from: -1, to: 5 },
          { from: Number.NaN, to: 5 },
          { from: 9, to: 3 },
        ],
        1_000,
      ),
    ).toEqual([])
  })
  it('covers every span that it was given', () => {
    const cluster = toClusters([{ from: 1_234, to: 98_765 }], 1_000)[0]!
    expect(cluster.from).toBeLessThanOrEqual(1_234)
    expect(cluster.to).toBeGreaterThanOrEqual(98_765)
  })
})

describe('buildTimeAxis', () => {
  const axis = buildTimeAxis({ spans: [store, far], width: 900, breakWidth: 64, leastPiece: 150, leastSpanMs: DAY })

  it('draws ten years apart side by side, with one break that says how long it is', () => {
    expect(axis.pieces).toHaveLength(2)
    expect(axis.breaks).toHaveLength(1)
    const [gap] = axis.breaks
    expect(gap!.x1 - gap!.x0).toBeCloseTo(64)
    expect(gap!.to - gap!.from).toBeGreaterThan(3_500 * DAY)
  })
  it('fills the width exactly', () => {
    expect(axis.pieces[0]!.x0).toBe(0)
    expect(axis.pieces.at(-1)!.x1).toBeCloseTo(900)
  })
  it('gives every piece its least width', () => {
    for (const piece of axis.pieces) expect(piece.x1 - piece.x0).toBeGreaterThanOrEqual(150)
  })
  it('keeps the order of times', () => {
    const xs = [store.from, NOW, store.to, (store.to + far.from) / 2, far.from, far.to].map(axis.x)
    expect([...xs].sort((a, b) => a - b)).toEqual(xs)
    expect(new Set(xs).size).toBe(xs.length)
  })
  it('goes back from a place to its time', () => {
    for (const at of [store.from, NOW, far.from, far.to]) expect(axis.at(axis.x(at))).toBeCloseTo(at, -2)
  })
  it('goes on beyond both ends at the scale there', () => {
    expect(axis.x(axis.pieces[0]!.from - DAY)).toBeLessThan(0)
    expect(axis.x(axis.pieces[1]!.to + DAY)).toBeGreaterThan(900)
  })
  it('puts each tick where its time is, and names a year once', () => {
    for (const tick of axis.ticks) expect(axis.x(tick.at)).toBeCloseTo(tick.x)
    const contexts = axis.ticks.map((tick) => tick.context).filter((context) => context !== '')
    expect(contexts).toContain('2026')
    expect(contexts).toContain('2036')
    expect(contexts.filter((context) => context === '2036')).toHaveLength(1)
  })
  it('moves only in steps while the newest time creeps on', () => {
    const at = (to: number) => buildTimeAxis({ spans: [{ from: NOW, to }], width: 800 }).pieces[0]!.to
    expect(at(NOW + 60_100)).toBe(at(NOW + 60_900))
  })
})

it('takes the smallest usual step that is long enough', () => {
  expect(niceStep(1_000)).toBe(1_000)
  expect(niceStep(1_001)).toBe(2_000)
  expect(niceStep(Number.MAX_SAFE_INTEGER)).toBe(365_000 * DAY)
})
