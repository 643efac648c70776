import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MissedTicks } from './Schedule.js'
import { ScheduleState } from './ScheduleState.js'

const every = { every: 10 }
const policies: readonly MissedTicks[] = ['one', 'all', 'skip']
const takeAll = (state: ScheduleState, now: number) => {
  const taken: number[] = []
  for (let tick = state.take(now); tick !== undefined; tick = state.take(now)) taken.push(tick)
  return taken
}

describe('running', () => {
  it.each(policies)('[P1] %s: hands each tick out once, when it is due and not a millisecond before', (missed) => {
    const state = new ScheduleState(every, missed, undefined, 20)
    expect(state.due).toBe(30)
    expect(state.take(29)).toBeUndefined()
    expect(state.take(30)).toBe(30)
    expect(state.take(30)).toBeUndefined()
    expect([state.due, state.take(45), state.due]).toEqual([40, 40, 50])
  })

  it('[P1] of several that are due at once, all gives each and the others the latest', () => {
    const taken = (missed: MissedTicks) => takeAll(new ScheduleState(every, missed, undefined, 0), 35)
    expect([taken('all'), taken('one'), taken('skip')]).toEqual([[10, 20, 30], [30], [30]])
  })

  it('[P1] does not tick again when the wall clock goes back', () => {
    const state = new ScheduleState(every, 'all', undefined, 0)
    expect(takeAll(state, 20)).toEqual([10, 20])
    expect(takeAll(state, 5)).toEqual([])
    expect(takeAll(state, 30)).toEqual([30])
  })

  it('[P1] comes to an end when the schedule does', () => {
    const state = new ScheduleState(
      { cron: '0 0 0 1 1 * 2024', zone: 'UTC' },
      'one',
      undefined,
      Date.parse('2023-12-31T00:00Z'),
    )
    expect(state.take(Date.parse('2024-02-01T00:00Z'))).toBe(Date.parse('2024-01-01T00:00Z'))
    expect([state.due, state.take(Number.MAX_SAFE_INTEGER)]).toEqual([undefined, undefined])
  })
})

describe('starting', () => {
  it('[P1] the very first time, nothing was missed and the first tick comes later', () => {
    for (const missed of policies) {
      const state = new ScheduleState(every, missed, undefined, 30)
      expect([state.position, state.due, state.take(30)]).toEqual([30, 40, undefined])
    }
  })

  it('[P1] again: one gives the latest that was missed, all gives each, skip none', () => {
    const start = (missed: MissedTicks) => takeAll(new ScheduleState(every, missed, 20, 55), 55)
    expect([start('one'), start('all'), start('skip')]).toEqual([[50], [30, 40, 50], []])
  })

  it('[P1] again: skip leaves out a tick at the very moment of the start, and then goes on', () => {
    const state = new ScheduleState(every, 'skip', 20, 50)
    expect([state.take(50), state.due, state.take(60)]).toEqual([undefined, 60, 60])
  })

  it.each(policies)('[P1] again, %s: with the clock behind, waits for it', (missed) => {
    const state = new ScheduleState(every, missed, 50, 15)
    expect([state.take(50), state.position, state.due, state.take(60)]).toEqual([undefined, 50, 60, 60])
  })
})

describe('epochs', () => {
  it('[P1] the position is the last tick, and what was handed out is open until it is committed', () => {
    const state = new ScheduleState(every, 'all', undefined, 0)
    state.take(10)
    const cut = state.position
    expect(cut).toBe(10)
    state.take(20)
    state.commit(cut)
    expect(state.position).toBe(20)
    state.abort()
    expect([state.position, state.due, takeAll(state, 20)]).toEqual([10, 20, [20]])
  })

  it.each(policies)('[P1] %s: an abort hands the same ticks out again, and not others in their place', (missed) => {
    const state = new ScheduleState(every, missed, undefined, 0)
    expect([state.take(10), state.take(20)]).toEqual([10, 20])
    state.abort()
    expect([state.position, state.due]).toEqual([0, 10])
    expect([state.take(57), state.take(57)]).toEqual([10, 20])
    expect(state.take(57)).toBe(missed === 'all' ? 30 : 50)
  })

  it('[P1] a second abort, with some handed out again and some not, loses none and doubles none', () => {
    const state = new ScheduleState(every, 'all', undefined, 0)
    expect(takeAll(state, 30)).toEqual([10, 20, 30])
    state.abort()
    expect(state.take(30)).toBe(10)
    state.abort()
    expect(takeAll(state, 40)).toEqual([10, 20, 30, 40])
    state.commit(40)
    state.abort()
    expect(takeAll(state, 40)).toEqual([])
  })

  it('[P1] all: whatever is cut, committed, aborted and restarted, each tick is committed once and in order', () => {
    const action = fc.record({
      what: fc.constantFrom('take', 'take', 'cut', 'commit', 'abort', 'restart'),
      elapsed: fc.integer({ min: 0, max: 25 }),
    })
    fc.assert(
      fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
        let now = 5
        let stored = 5
        let state = new ScheduleState(every, 'all', undefined, now)
        const committed: number[] = []
        let open: number[] = []
        let cut: { position: number; ticks: number[] } | undefined
        const lose = () => {
          open = []
          cut = undefined
        }
        for (const { what, elapsed } of actions) {
          now += elapsed
          if (what === 'take') {
            const tick = state.take(now)
            if (tick !== undefined) open.push(tick)
          } else if (what === 'cut' && cut === undefined) {
            cut = { position: state.position, ticks: open }
            open = []
          } else if (what === 'commit' && cut !== undefined) {
            state.commit(cut.position)
            stored = cut.position
            committed.push(...cut.ticks)
            cut = undefined
          } else if (what === 'abort') {
            state.abort()
            lose()
          } else if (what === 'restart') {
            state = new ScheduleState(every, 'all', stored, now)
            lose()
          }
        }
        expect(committed).toEqual(committed.map((_, index) => 10 * (index + 1)))
      }),
    )
  })
})
