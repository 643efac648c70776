import { describe, expect, it } from 'vitest'
import { ClockBoard } from './ClockBoard.js'

/** Sub-topology 1 is fed by 0; 2 stands alone. One clock group. */
const board = () => new ClockBoard(1, 3, [[], [0], []])

describe('ClockBoard', () => {
  it('starts unknown, moves on, and never goes back', () => {
    const clocks = board()
    expect(clocks.sourceClock(0)).toBe(-1)
    expect(clocks.advance(0, 10)).toBe(true)
    expect(clocks.advance(0, 10)).toBe(false)
    expect(clocks.advance(0, 9)).toBe(false)
    expect(clocks.sourceClock(0)).toBe(10)
  })

  it('[W3] a stamp keeps the clock as it was, whatever moves later', () => {
    const clocks = board()
    clocks.advance(0, 10)
    const stamp = clocks.current
    clocks.hold(stamp, 0)
    clocks.advance(0, 20)
    expect(stamp.values[0]).toBe(10)
    expect(clocks.sourceClock(0)).toBe(20)
  })

  it('[W7] a node sees the smallest clock stamped on an unfinished record of its own or an upstream sub-topology', () => {
    const clocks = board()
    clocks.advance(0, 10)
    const first = clocks.current
    clocks.hold(first, 0)
    clocks.advance(0, 20)
    const second = clocks.current
    clocks.hold(second, 1)
    clocks.advance(0, 30)
    expect([0, 1, 2].map((sub) => clocks.eventClock(0, sub))).toEqual([10, 10, 30])
    clocks.release(first, 0)
    expect([0, 1, 2].map((sub) => clocks.eventClock(0, sub))).toEqual([30, 20, 30])
    clocks.release(second, 1)
    expect([0, 1, 2].map((sub) => clocks.eventClock(0, sub))).toEqual([30, 30, 30])
  })

  it('[W7] what a scan has yet to send on holds its node and all behind it at the clock from before', () => {
    // Group 1 has a source more than group 0.
    const clocks = new ClockBoard(3, 3, [[], [0], []])
    for (const group of [0, 1, 2]) clocks.advance(group, 10)
    const running = clocks.current
    clocks.hold(running, 2)
    for (const group of [0, 1, 2]) clocks.advance(group, 30)
    const stamp = clocks.holdBefore([0, 1], 20, 0)
    expect([...stamp.values]).toEqual([20, 20, 30])
    expect([0, 1].flatMap((sub) => [0, 1, 2].map((group) => clocks.eventClock(group, sub)))).toEqual([
      20, 20, 30, 20, 20, 30,
    ])
    expect(clocks.eventClock(0, 2)).toBe(10)
    // A clock that is not there yet is not moved on.
    expect([...clocks.holdBefore([0], 40, 1).values]).toEqual([20, 20, 30])
    expect(clocks.release(stamp, 0)).toBe(true)
    expect(clocks.eventClock(0, 0)).toBe(30)
  })

  it('[W7] what is downstream does not hold what is upstream', () => {
    const clocks = board()
    clocks.advance(0, 10)
    clocks.hold(clocks.current, 1)
    clocks.advance(0, 20)
    expect(clocks.eventClock(0, 0)).toBe(20)
    expect(clocks.eventClock(0, 1)).toBe(10)
  })

  it('tells that an event clock may have moved only when the last holder of an old stamp lets go', () => {
    const clocks = board()
    clocks.advance(0, 10)
    const old = clocks.current
    clocks.hold(old, 0)
    clocks.hold(old, 0)
    clocks.advance(0, 20)
    expect(clocks.release(old, 0)).toBe(false)
    expect(clocks.release(old, 0)).toBe(true)
    clocks.hold(clocks.current, 0)
    expect(clocks.release(clocks.current, 0)).toBe(false)
  })

  it('[W7] keeps a moment of the past as long as something holds it, and forgets it in any order', () => {
    const clocks = board()
    const stamps = [10, 20, 30].map((clock) => {
      clocks.advance(0, clock)
      const stamp = clocks.current
      clocks.hold(stamp, 0)
      clocks.hold(stamp, 1)
      return stamp
    })
    clocks.advance(0, 40)
    expect(clocks.held).toBe(3)
    for (const [left, index] of [
      [2, 1],
      [1, 2],
      [0, 0],
    ] as const) {
      const stamp = stamps[index] as NonNullable<(typeof stamps)[number]>
      clocks.release(stamp, 0)
      expect(clocks.held).toBe(left + 1)
      clocks.release(stamp, 1)
      expect(clocks.held).toBe(left)
    }
    expect(clocks.eventClock(0, 1)).toBe(40)
  })

  it('[W7] keeps nothing when nothing was in flight', () => {
    const clocks = board()
    for (const clock of [10, 20, 30]) clocks.advance(0, clock)
    expect(clocks.held).toBe(0)
  })

  it('keeps the groups apart', () => {
    const clocks = new ClockBoard(2, 1, [[]])
    clocks.advance(0, 10)
    clocks.hold(clocks.current, 0)
    clocks.advance(1, 5)
    expect(clocks.eventClock(0, 0)).toBe(10)
    expect(clocks.eventClock(1, 0)).toBe(-1)
    expect(clocks.sourceClock(1)).toBe(5)
  })

  it('[W7] a feeder of a feeder holds as well', () => {
    const clocks = new ClockBoard(1, 3, [[], [0], [1]])
    clocks.advance(0, 10)
    clocks.hold(clocks.current, 0)
    clocks.advance(0, 20)
    expect(clocks.eventClock(0, 2)).toBe(10)
  })

  it('[W6] after a restart each node goes on from what it had seen, while what is read is stamped by the source clock', () => {
    const clocks = board()
    clocks.restore(0, 0, 50)
    clocks.restore(0, 0, 40)
    clocks.restore(0, 1, 30)
    clocks.advance(0, 30)
    expect([0, 1, 2].map((sub) => clocks.eventClock(0, sub))).toEqual([50, 30, 30])
    expect(clocks.current.values[0]).toBe(30)
    clocks.advance(0, 60)
    expect([0, 1, 2].map((sub) => clocks.eventClock(0, sub))).toEqual([60, 60, 60])
  })

  it('[F3] tells what a node comes to once nothing is in flight: the source clock, or what a restart found it at', () => {
    const clocks = board()
    clocks.hold(clocks.current, 0)
    clocks.advance(0, 10)
    clocks.restore(0, 1, 30)
    expect([0, 1].map((sub) => clocks.eventClock(0, sub))).toEqual([-1, 30])
    expect([0, 1].map((sub) => clocks.reached(0, sub))).toEqual([10, 30])
    clocks.advance(0, 40)
    expect([0, 1].map((sub) => clocks.reached(0, sub))).toEqual([40, 40])
  })

  it('[W6] keeps what was restored for one group and sub-topology from all others', () => {
    const clocks = new ClockBoard(2, 2, [[], []])
    clocks.restore(1, 0, 7)
    expect([
      clocks.eventClock(0, 0),
      clocks.eventClock(0, 1),
      clocks.eventClock(1, 0),
      clocks.eventClock(1, 1),
    ]).toEqual([-1, -1, 7, -1])
  })
})
