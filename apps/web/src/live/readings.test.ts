import type { WireSnapshot } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { addReading, emptyHistory, increase, type Reading, ratePerSecond, rateSeries, toReading } from './readings.js'

const reading = (at: number, count: number): Reading => ({
  at,
  nodes: new Map(),
  edges: new Map([['e', count]]),
  lanes: new Map(),
})
const edge = (one: Reading) => one.edges.get('e')

describe('increase', () => {
  it('sums what was added', () => expect(increase([3, 5, 5, 9])).toBe(6))
  it('takes a fall as a restart from zero', () => expect(increase([100, 120, 7, 10])).toBe(20 + 7 + 3))
  it('takes an equal value as no growth, not as a restart', () => expect(increase([7, 7])).toBe(0))
  it('steps over unknown values', () => expect(increase([undefined, 4, undefined, 6])).toBe(2))
  it('is unknown for fewer than two values', () => {
    expect(increase([4])).toBeNull()
    expect(increase([undefined, 4])).toBeNull()
  })
})

describe('ratePerSecond', () => {
  it('divides growth by the time it took', () => {
    expect(ratePerSecond([reading(1_000, 10), reading(1_500, 60)], edge)).toBe(100)
  })
  it('stays right across a restart in place', () => {
    expect(ratePerSecond([reading(0, 1_000), reading(500, 1_050), reading(1_000, 30)], edge)).toBe(80)
  })
  it('counts from the first reading that knows the counter', () => {
    const unknown: Reading = { at: 0, nodes: new Map(), edges: new Map(), lanes: new Map() }
    expect(ratePerSecond([unknown, reading(1_000, 5), reading(2_000, 9)], edge)).toBe(4)
  })
  it('is unknown before a second reading, never 0', () => {
    expect(ratePerSecond([reading(1_000, 0), reading(1_499, 1)], edge)).toBeNull()
    expect(ratePerSecond([reading(1_000, 0), reading(1_500, 1)], edge)).toBe(2)
    expect(ratePerSecond([], edge)).toBeNull()
    expect(ratePerSecond([reading(1_000, 5)], edge)).toBeNull()
  })
})

describe('addReading', () => {
  const fill = (every: number, until: number) => {
    let history = emptyHistory
    for (let at = 0; at <= until; at += every) history = addReading(history, reading(at, at))
    return history
  }
  it('keeps one second and the reading that it starts from', () => {
    expect(fill(100, 5_000).recent.map((one) => one.at)).toEqual(
      Array.from({ length: 11 }, (_, index) => 4_000 + index * 100),
    )
  })
  it('keeps the last reading before the second when none stands on its start', () => {
    expect(fill(300, 3_000).recent[0]?.at).toBe(1_800)
  })
  it('keeps one reading a second over a minute', () => {
    const { minute } = fill(100, 90_000)
    expect(minute[0]?.at).toBe(30_000)
    expect(minute).toHaveLength(61)
  })
  it('leaves out a reading that is not newer', () => {
    const history = fill(100, 1_000)
    expect(addReading(history, reading(1_000, 5))).toBe(history)
    expect(addReading(history, reading(999, 5))).toBe(history)
  })
})

it('gives one point for each pair of readings, with its age', () => {
  const series = rateSeries([reading(0, 0), reading(1_000, 10), reading(2_000, 30)], edge)
  expect(series).toEqual([
    { ageMs: 1_000, perSecond: 10 },
    { ageMs: 0, perSecond: 20 },
  ])
})

it('finds counters by name, and an edge by both ends', () => {
  const snapshot = {
    at: 5,
    nodes: [{ node: 'a', in: 1, out: 2, busyMs: 3, eventClock: -1 }],
    edges: [
      { from: 'a', to: 'bc', count: 4 },
      { from: 'ab', to: 'c', count: 5 },
    ],
    lanes: [],
  } as unknown as WireSnapshot
  const { edges, nodes } = toReading(snapshot)
  expect([...edges.values()]).toEqual([4, 5])
  expect(nodes.get('a')?.out).toBe(2)
})
