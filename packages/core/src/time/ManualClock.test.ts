import { describe, expect, it } from 'vitest'
import { ManualClock } from './ManualClock.js'

describe('ManualClock', () => {
  it('[W1] stands still until it is told to move', () => {
    const clock = new ManualClock(1000)
    expect([clock.now(), clock.monotonic()]).toEqual([1000, 0])
    clock.advance(250)
    expect([clock.now(), clock.monotonic()]).toEqual([1250, 250])
  })

  it('[W1] makes a call when its time has come, not a millisecond before, and once', () => {
    const clock = new ManualClock()
    const calls: number[] = []
    clock.after(100, () => calls.push(clock.now()))
    clock.advance(99)
    expect(calls).toEqual([])
    clock.advance(1)
    clock.advance(1000)
    expect(calls).toEqual([100])
  })

  it('[D1] makes calls in order of time, then of planning, each at its own time', () => {
    const clock = new ManualClock(1000)
    const calls: string[] = []
    const plan = (name: string, delay: number) =>
      clock.after(delay, () => calls.push(`${name}@${clock.now()}/${clock.monotonic()}`))
    plan('c', 30)
    plan('a', 10)
    plan('d', 30)
    plan('b', 20)
    clock.advance(30)
    expect(calls).toEqual(['a@1010/10', 'b@1020/20', 'c@1030/30', 'd@1030/30'])
    expect(clock.now()).toBe(1030)
  })

  it('makes calls that calls plan, when they fall into the same advance', () => {
    const clock = new ManualClock()
    const calls: number[] = []
    const again = () => {
      calls.push(clock.now())
      clock.after(10, again)
    }
    clock.after(10, again)
    clock.advance(35)
    expect(calls).toEqual([10, 20, 30])
    clock.advance(5)
    expect(calls).toEqual([10, 20, 30, 40])
  })

  it('makes a call without delay, or with a negative one, at the next advance', () => {
    const clock = new ManualClock(5)
    const calls: number[] = []
    clock.after(0, () => calls.push(clock.now()))
    clock.after(-10, () => calls.push(clock.now()))
    expect(calls).toEqual([])
    clock.advance(0)
    expect(calls).toEqual([5, 5])
  })

  it('makes no cancelled call, and lets others be', () => {
    const clock = new ManualClock()
    const calls: string[] = []
    const first = clock.after(10, () => calls.push('first'))
    clock.after(10, () => calls.push('second'))
    first.cancel()
    first.cancel()
    clock.advance(10)
    first.cancel()
    expect(calls).toEqual(['second'])
  })

  it('[F2] jumps on the wall alone: durations and planned calls do not notice', () => {
    const clock = new ManualClock(1000)
    const calls: number[] = []
    clock.after(100, () => calls.push(clock.now()))
    clock.jumpTo(9_000_000)
    expect([clock.now(), clock.monotonic()]).toEqual([9_000_000, 0])
    clock.advance(99)
    expect(calls).toEqual([])
    clock.advance(1)
    expect(calls).toEqual([9_000_100])
    clock.jumpTo(0)
    expect(clock.now()).toBe(0)
  })

  it('[L12] yields without time passing', async () => {
    const clock = new ManualClock(7)
    await clock.yield()
    expect(clock.now()).toBe(7)
  })
})
