import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import { ReferenceClock } from './ReferenceClock.js'

const MINUTE = 60_000

function start() {
  const clock = new ManualClock(1_000_000)
  const jumps: number[] = []
  return { clock, jumps, reference: new ReferenceClock(clock, (by) => jumps.push(by)) }
}

describe('ReferenceClock', () => {
  it('[F2] goes with monotonic time from the wall time at start', () => {
    const { clock, reference } = start()
    clock.advance(500)
    expect(reference.now()).toBe(1_000_500)
  })

  it('[F2] tells a jump of more than a minute once, and follows it only after ten minutes', () => {
    const { clock, jumps, reference } = start()
    clock.jumpTo(1_000_000 + MINUTE + 1)
    reference.check()
    reference.check()
    expect(jumps).toEqual([MINUTE + 1])
    clock.advance(10 * MINUTE - 1)
    reference.check()
    expect(reference.now()).toBe(1_000_000 + 10 * MINUTE - 1)
    clock.advance(1)
    reference.check()
    expect(reference.now()).toBe(1_000_000 + 11 * MINUTE + 1)
    expect(jumps).toHaveLength(1)
  })

  it('[F2] a jump back that is taken back within the ten minutes changes nothing', () => {
    const { clock, jumps, reference } = start()
    clock.jumpTo(0)
    reference.check()
    clock.advance(9 * MINUTE)
    clock.jumpTo(1_000_000 + 9 * MINUTE)
    reference.check()
    clock.advance(9 * MINUTE)
    reference.check()
    expect(jumps).toEqual([-1_000_000])
    expect(reference.now()).toBe(1_000_000 + 18 * MINUTE)
  })

  it('[F2] a jump after one that was taken back is told anew, and waits its own ten minutes', () => {
    const { clock, jumps, reference } = start()
    clock.jumpTo(0)
    reference.check()
    clock.advance(9 * MINUTE)
    clock.jumpTo(1_000_000 + 9 * MINUTE)
    reference.check()
    clock.jumpTo(0)
    reference.check()
    expect(jumps).toEqual([-1_000_000, -1_000_000 - 9 * MINUTE])
    clock.advance(10 * MINUTE - 1)
    reference.check()
    expect(reference.now()).toBe(1_000_000 + 19 * MINUTE - 1)
    clock.advance(1)
    reference.check()
    expect(reference.now()).toBe(10 * MINUTE)
  })

  it('[F2] what it has said last is never above what it would say now, also once it goes back', () => {
    const { clock, reference } = start()
    clock.advance(500)
    expect([reference.latest, reference.now(), reference.latest]).toEqual([1_000_000, 1_000_500, 1_000_500])
    clock.jumpTo(1_000_500 - MINUTE)
    reference.check()
    expect(reference.latest).toBe(1_000_500 - MINUTE)
  })

  it('[F2] follows drift of up to a minute at once, without a word', () => {
    const { clock, jumps, reference } = start()
    clock.jumpTo(1_000_000 + MINUTE)
    reference.check()
    expect(jumps).toEqual([])
    expect(reference.now()).toBe(1_000_000 + MINUTE)
  })
})
