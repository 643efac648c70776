import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { MissedTicks } from '../../topology/schedule/Schedule.js'
import { Topology } from '../../topology/Topology.js'
import { Schedules } from './Schedules.js'

const emit = () => []

function schedules(missed: MissedTicks = 'one') {
  const topology = new Topology()
    .scheduled('slow', { every: 30 }, emit, { keySerde: string, missed })
    .scheduled('fast', { every: 10 }, emit, { keySerde: string, missed })
  return new Schedules(topology.compile(parseConfig({})))
}

const any = () => true

describe('Schedules', () => {
  it('[P1] a first start has missed nothing: the first tick is later than now', () => {
    const made = schedules('all')
    made.open(undefined, 20)
    expect([made.due, made.next(any)]).toEqual([30, { source: 'slow', at: 30 }])
    expect(made.take('fast', 29)).toBeUndefined()
  })

  it('[P1] gives the source that is due first, of those that may tick', () => {
    const made = schedules()
    made.open(undefined, 0)
    expect(made.next(any)).toEqual({ source: 'fast', at: 10 })
    expect(made.next((source) => source === 'slow')).toEqual({ source: 'slow', at: 30 })
    expect(made.next(() => false)).toBeUndefined()
    for (const at of [10, 20, 30]) expect(made.take('fast', at)).toBe(at)
    expect(made.next(any)).toEqual({ source: 'slow', at: 30 })
  })

  it('[P1] a start goes on from the committed positions, and a source without one begins now', () => {
    const made = schedules('all')
    made.open({ slow: 30 }, 95)
    expect(made.positions()).toEqual({ slow: 30, fast: 95 })
    expect([made.take('slow', 95), made.take('slow', 95), made.take('slow', 95)]).toEqual([60, 90, undefined])
    expect(made.take('fast', 95)).toBeUndefined()
  })

  it.each<MissedTicks>(['one', 'all', 'skip'])(
    '[P1] %s: an incarnation gets the uncommitted ticks of the last one, and no others',
    (missed) => {
      const made = schedules(missed)
      made.open(undefined, 0)
      expect([made.take('fast', 10), made.take('fast', 20)]).toEqual([10, 20])
      const cut = made.positions()
      expect(made.take('fast', 30)).toBe(30)
      expect(cut).toEqual({ slow: 0, fast: 20 })
      made.commit(cut)
      made.open({ fast: 0 }, 35)
      expect(made.positions().fast).toBe(20)
      expect([made.take('fast', 35), made.take('fast', 35)]).toEqual([30, undefined])
    },
  )

  it('[P1] a commit that names no position of a source leaves it as it is', () => {
    const made = schedules('all')
    made.open(undefined, 0)
    made.take('fast', 10)
    made.commit({ slow: 0 })
    made.open(undefined, 10)
    expect(made.take('fast', 10)).toBe(10)
  })

  it('without scheduled sources nothing is ever due', () => {
    const made = new Schedules(
      new Topology().addSource('in', Consumed.with(string, string), 'in').compile(parseConfig({})),
    )
    made.open({ gone: 5 }, 0)
    expect([made.due, made.next(any), made.positions(), made.take('gone', 100)]).toEqual([
      undefined,
      undefined,
      {},
      undefined,
    ])
  })
})
