import type { EngineEvent } from '@lanescope/core'
import type { TraceEntry } from '@lanescope/core/simulation'
import { describe, expect, it } from 'vitest'
import type { CasePlan, CountPlan, PunctuatorPlan } from './CasePlan.js'
import { judgeCounts } from './judgeCounts.js'
import { Lateness } from './Lateness.js'
import { PunctuationModel } from './PunctuationModel.js'
import { TickModel } from './TickModel.js'

const planOf = (counts: readonly CountPlan[], mode = 'stream-time'): CasePlan => ({
  seed: 1,
  sources: [{ name: 's', topic: 'in', partitions: 1 }],
  processors: [],
  schedules: [],
  counts,
  inputs: ['a', 'a', null].map((key) => ({ topic: 'in', partition: 0, key, timestamp: 1, arrivesAtMs: 0 })),
  config: { 'time.mode': mode, 'time.max-out-of-orderness-ms': 5 },
  faults: {},
})

describe('TickModel', () => {
  const tick = (at: number) => ({ source: 't', at })
  const emitAll = (model: TickModel, missed: string, ...times: number[]) =>
    times.map((at) => model.emit(tick(at), 10, missed))

  it('[P1] takes ticks at multiples of the interval, each later than the last', () => {
    expect(emitAll(new TickModel(), 'one', 10, 20, 50)).toEqual([undefined, undefined, undefined])
    expect(emitAll(new TickModel(), 'one', 10, 10)[1]).toBe('ticks at 10 after 10')
    expect(emitAll(new TickModel(), 'one', 15)[0]).toContain('no multiple of 10')
  })

  it('[P1] has all of them where none may be missed', () => {
    expect(emitAll(new TickModel(), 'all', 10, 20)).toEqual([undefined, undefined])
    expect(emitAll(new TickModel(), 'all', 10, 30)[1]).toBe('leaves out ticks from 10 to 30')
  })

  it('[P1] has again what was not durable, in order', () => {
    const first = new TickModel()
    emitAll(first, 'one', 10, 20, 30)
    const again = first.againAfter([tick(10)])
    expect(again).toEqual([tick(20), tick(30)])
    expect(emitAll(new TickModel([tick(10)], again), 'one', 20, 30, 60)).toEqual([undefined, undefined, undefined])
    expect(emitAll(new TickModel([tick(10)], again), 'one', 30)[0]).toBe('ticks at 30, and has to do that of 20 again')
    // What an incarnation did not get to is still to be done by the next one.
    const second = new TickModel([tick(10)], again)
    emitAll(second, 'one', 20)
    expect(second.againAfter([tick(10)])).toEqual([tick(20), tick(30)])
  })
})

describe('PunctuationModel', () => {
  const plan: PunctuatorPlan = { type: 'stream-time', everyMs: 10, scope: 'lane', times: 9 }

  it('[W5] is due with the first record, and then at multiples of the interval', () => {
    const model = new PunctuationModel()
    model.plan('p', 0, plan)
    expect([model.due('p', -1), model.due('p', 0).length]).toEqual([[], 1])
    expect(model.call('p', 0, plan, 13, 13)).toBeUndefined()
    expect([model.due('p', 19), model.due('p', 20).length]).toEqual([[], 1])
    expect(model.call('p', 0, plan, 19, 19)).toContain('before it is due at 20')
    expect(model.call('p', 0, plan, 30, 29)).toContain('called with 30, and the clock is 29')
  })

  it('[W5] is one for a whole node, and none once it is cancelled', () => {
    const model = new PunctuationModel()
    const whole = { ...plan, scope: 'node' as const }
    for (const lane of [0, 1]) model.plan('p', lane, whole)
    expect(model.due('p', 5)).toHaveLength(1)
    model.cancel('p', 1, whole)
    expect(model.due('p', 5)).toEqual([])
    expect(model.call('p', 0, whole, 5, 5)).toContain('cancelled or never planned')
  })
})

describe('judgeCounts', () => {
  const outputs = (...counts: readonly [string, number][]) => {
    const records = counts.map(([key, count], offset) => {
      const value = new Uint8Array(8)
      value[7] = count
      return { offset, partition: 0, timestamp: 0, key: new TextEncoder().encode(key), value, headers: [] }
    })
    return new Map([['out-c', records]])
  }
  const plan = planOf([{ name: 'c', source: 's' }])
  const none = (reason: string) => (reason === 'null_key' ? 1 : 0)
  const rules = (...args: Parameters<typeof judgeCounts>) => judgeCounts(...args).map(({ rule }) => rule)

  it('[E1] wants 1, 2, 3 for each key', () => {
    expect(rules(plan, outputs(['a', 1], ['a', 2]), none)).toEqual([])
    expect(rules(plan, outputs(['a', 1], ['b', 1]), none)).toEqual([])
    expect(rules(plan, outputs(['a', 1], ['a', 1]), none)).toEqual(['E1'])
    expect(rules(plan, outputs(['a', 2]), undefined)).toEqual(['E1'])
  })

  it('[G3] wants every record counted, or counted as dropped, once', () => {
    expect(rules(plan, outputs(['a', 1]), none)).toEqual(['G3'])
    expect(rules(plan, outputs(['a', 1]), undefined)).toEqual([])
    expect(rules(plan, outputs(['a', 1], ['a', 2]), () => 1)).toEqual(['G3'])
  })
})

describe('Lateness', () => {
  const at = (offset: number, timestamp: number) => ({ topic: 'in', partition: 0, offset, timestamp })
  const windows = [{ name: 'c', source: 's', window: { sizeMs: 10, graceMs: 5 } }]
  /** Reads records of these times, and drops the last one as late. */
  const breaches = (mode: string, ...times: number[]) => {
    const lateness = new Lateness(planOf(windows, mode))
    const tell = (event: Partial<EngineEvent>) =>
      lateness.onTrace({ what: 'event', step: 0, at: 0, event } as unknown as TraceEntry)
    times.forEach((time, offset) => {
      tell({ type: 'record-dispatched', source: 's', coordinates: at(offset, time) })
    })
    const last = times.length - 1
    tell({ type: 'record-dropped', reason: 'late_window', coordinates: at(last, times[last] as number) })
    return lateness.breaches.map(({ rule }) => rule)
  }

  it('[W3] is right where the clock had reached the end of the window and its grace when it was read', () => {
    expect(breaches('stream-time', 15, 9)).toEqual([])
    expect(breaches('stream-time', 14, 9)).toEqual(['W3'])
    // The record itself moves no clock that it is judged by.
    expect(breaches('stream-time', 99)).toEqual(['W3'])
  })

  it('[W3] trails the watermark by the out-of-orderness', () => {
    expect(breaches('watermark', 20, 9)).toEqual([])
    expect(breaches('watermark', 19, 9)).toEqual(['W3'])
  })
})
