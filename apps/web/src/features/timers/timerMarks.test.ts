import type { WireTimer } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import type { SeenTimerEvent } from '../../live/RunView.js'
import { nextDue, sampling, toTimerMarks, toTimerRows, withinView } from './timerMarks.js'

const timer = (at: number, change: Partial<WireTimer> = {}): WireTimer => ({
  node: 'n',
  lane: 0,
  domain: 'event-time',
  at,
  key: 'k',
  keyBytes: '6b',
  ...change,
})
const event = (
  id: number,
  what: SeenTimerEvent['what'],
  at: number,
  change: Partial<SeenTimerEvent> = {},
): SeenTimerEvent => ({
  id,
  at: 1,
  what,
  timer: timer(at),
  ...change,
})
const clocks = { event: 100, wall: 900 }

describe('toTimerMarks', () => {
  it('[T5] calls a timer due from its time on, on the clock of its domain', () => {
    const wall = { domain: 'processing-time' as const }
    const marks = toTimerMarks('n', [], [timer(100), timer(101), timer(900, wall), timer(901, wall)], clocks)
    expect(marks.map((mark) => mark.state)).toEqual(['due', 'pending', 'due', 'pending'])
  })
  it('draws a replaced timer where it stood, and a fired one with what it emitted', () => {
    const marks = toTimerMarks(
      'n',
      [event(1, 'replaced', 50, { previousAt: 40 }), event(2, 'fired', 60, { forwarded: 2 })],
      [],
      clocks,
    )
    expect(marks.map(({ state, at, forwarded }) => [state, at, forwarded])).toEqual([
      ['replaced', 40, null],
      ['fired', 60, 2],
    ])
  })
  it('draws no mark for a registration: the pending timer is one', () => {
    expect(toTimerMarks('n', [event(1, 'registered', 50)], [], clocks)).toEqual([])
  })
  it('leaves out other nodes', () => {
    expect(toTimerMarks('other', [event(1, 'fired', 50)], [timer(200)], clocks)).toEqual([])
  })
})

it('keeps the past for half a minute, or half again as long as timers reach ahead', () => {
  const event = (at: number) =>
    toTimerMarks('n', [{ id: at, at, what: 'fired', timer: timer(at) }], [], { event: 100_000, wall: 0 })
  const kept = (at: number, ahead: number) =>
    withinView([...event(at), ...toTimerMarks('n', [], [timer(ahead)], { event: 100_000, wall: 0 })], {
      event: 100_000,
      wall: 0,
    }).length
  expect(kept(70_000, 101_000)).toBe(2)
  expect(kept(69_999, 101_000)).toBe(1)
  expect(kept(40_000, 140_000)).toBe(2)
  expect(kept(39_999, 140_000)).toBe(1)
})

describe('toTimerRows', () => {
  const marks = toTimerMarks(
    'n',
    [],
    [
      timer(200, { lane: 2, key: 'b' }),
      timer(300, { key: 'a' }),
      timer(400, { key: 'a' }),
      timer(1, { domain: 'processing-time' }),
    ],
    clocks,
  )
  it('has a row for each lane, also an empty one, and one for the wall clock', () => {
    expect(toTimerRows(marks, [0, 1, 2], 'lane').map((row) => [row.label, row.marks.length])).toEqual([
      ['Lane 0', 2],
      ['Lane 1', 0],
      ['Lane 2', 1],
      ['processing time', 1],
    ])
  })
  it('has a row for each key, the one with the most timers first', () => {
    expect(toTimerRows(marks, [0], 'key').map((row) => row.label)).toEqual(['a', 'b', 'processing time'])
  })
  it('finds the next that is due', () => expect(nextDue(marks)?.at).toBe(200))
})

it('says what share is drawn', () => {
  expect(sampling(40, 40)).toBe('every')
  expect(sampling(36, 322)).toBe('1 in 9')
  expect(sampling(21, 40)).toBe('21 of 40')
  expect(sampling(20, 40)).toBe('1 in 2')
  expect(sampling(0, 3)).toBe('none of the')
})
