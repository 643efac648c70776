import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import { Ticker } from './Ticker.js'

function ticking(intervalMs = 100) {
  const clock = new ManualClock(1000)
  const ticks: number[] = []
  const timers: number[] = []
  const ticker = new Ticker(
    clock,
    intervalMs,
    () => timers[0],
    () => {
      ticks.push(clock.now())
      while ((timers[0] ?? Number.POSITIVE_INFINITY) <= clock.now()) timers.shift()
    },
  )
  return { clock, ticks, timers, ticker }
}

describe('Ticker', () => {
  it('[W2] ticks every so often, from the start on', () => {
    const { clock, ticks, ticker } = ticking()
    ticker.start()
    clock.advance(99)
    expect(ticks).toEqual([])
    clock.advance(201)
    expect(ticks).toEqual([1100, 1200, 1300])
  })

  it('[T5] comes sooner for a processing-time timer that is there, and at its very time', () => {
    const { clock, ticks, timers, ticker } = ticking()
    timers.push(1030, 1031)
    ticker.start()
    clock.advance(40)
    expect(ticks).toEqual([1030, 1031])
    clock.advance(91)
    expect(ticks).toEqual([1030, 1031, 1131])
  })

  it('[T5] comes sooner for one that is registered later, and no later for one that is not sooner', () => {
    const { clock, ticks, timers, ticker } = ticking(60_000)
    ticker.start()
    clock.advance(10)
    timers.push(1015)
    ticker.plan(1015)
    ticker.plan(1016)
    clock.advance(5)
    expect(ticks).toEqual([1015])
    clock.advance(1)
    expect(ticks).toEqual([1015])
  })

  it('looks every 10 ms past a timer that is overdue and waits for its lane', () => {
    const clock = new ManualClock(1000)
    let ticks = 0
    const ticker = new Ticker(
      clock,
      100,
      () => 5,
      () => ticks++,
    )
    ticker.start()
    clock.advance(99)
    expect(ticks).toBe(9)
  })

  it('stops, also from within a tick, and plans nothing then', () => {
    const { clock, ticks, ticker } = ticking()
    ticker.plan(1001)
    clock.advance(500)
    expect(ticks).toEqual([])
    ticker.start()
    ticker.stop()
    ticker.stop()
    clock.advance(500)
    expect(ticks).toEqual([])
    const inside: Ticker = new Ticker(
      clock,
      100,
      () => undefined,
      () => {
        ticks.push(clock.now())
        inside.stop()
      },
    )
    inside.start()
    clock.advance(500)
    expect(ticks).toHaveLength(1)
  })
})
