import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../events/EngineEvent.js'
import { EventHub } from '../events/EventHub.js'
import { ManualClock } from '../time/ManualClock.js'
import { Counters } from './Counters.js'
import { EngineLog } from './EngineLog.js'
import { Losses } from './Losses.js'

function losses() {
  const clock = new ManualClock(1000)
  const events = new EventHub()
  const seen: EngineEvent[] = []
  events.on(['record-dropped', 'silent-loss', 'log'], (event) => seen.push(event))
  const counters = new Counters()
  const log = new EngineLog(events, clock)
  return { clock, seen, counters, log, made: new Losses((counter) => counters.add(counter), log, events) }
}

const at = { topic: 'in', partition: 1, offset: 2, timestamp: 3 }
const of = (seen: readonly EngineEvent[], type: EngineEvent['type']) => seen.filter((event) => event.type === type)

describe('Losses', () => {
  it('[G3] counts and events every one, and warns once per reason, node and minute', () => {
    const { made, seen, counters, clock } = losses()
    made.dropped('null_key', 'a', at, 'why', 5)
    made.dropped('null_key', 'a', at, 'why')
    made.dropped('null_key', 'b', null, 'why')
    made.dropped('null_value', 'a', at, 'why')
    clock.advance(59_999)
    made.dropped('null_key', 'a', at, 'why')
    expect(of(seen, 'log')).toHaveLength(3)
    clock.advance(1)
    made.dropped('null_key', 'a', at, 'again')
    expect(of(seen, 'log')).toHaveLength(4)
    expect(of(seen, 'log').at(-1)).toMatchObject({ level: 'warn', message: 'again', node: 'a', at: 61_000 })
    expect(of(seen, 'record-dropped')).toHaveLength(6)
    expect(of(seen, 'record-dropped')[0]).toEqual({
      type: 'record-dropped',
      reason: 'null_key',
      node: 'a',
      coordinates: at,
      detail: 'why',
      lane: 5,
    })
    expect(counters.all()).toEqual({
      'dropped_records_total{reason="null_key"}': 5,
      'dropped_records_total{reason="null_value"}': 1,
    })
  })

  it('[G3] says in its line where the record is, and nothing of the record itself', () => {
    const { made, seen } = losses()
    made.dropped('null_key', 'a', { ...at, value: 'private' } as typeof at, 'why', 0)
    made.silent('grey_zone', 'b', at, 'unreadable')
    made.dropped('null_key', 'c', null, 'why')
    const line = { type: 'log', level: 'warn', at: 1000 }
    expect(of(seen, 'log')).toEqual([
      { ...line, node: 'a', lane: 0, coordinates: at, message: 'why' },
      { ...line, node: 'b', coordinates: at, message: 'unreadable' },
      { ...line, node: 'c', message: 'why' },
    ])
  })

  it('[G3] what Kafka loses without a word has a counter, an event and a warning', () => {
    const { made, seen, counters } = losses()
    made.silent('grey_zone', 'a', at, 'unreadable')
    expect(seen).toMatchObject([
      { type: 'log', level: 'warn', message: 'unreadable' },
      { type: 'silent-loss', reason: 'grey_zone', node: 'a', coordinates: at, detail: 'unreadable' },
    ])
    expect(counters.get('silent_loss_total{reason="grey_zone"}')).toBe(1)
  })

  it('counts although nobody listens', () => {
    const counters = new Counters()
    const events = new EventHub()
    const made = new Losses((counter) => counters.add(counter), new EngineLog(events, new ManualClock()), events)
    made.dropped('processing', 'a', null, '')
    made.silent('grey_zone', 'a', null, '')
    expect(Object.values(counters.all())).toEqual([1, 1])
  })
})

describe('Counters', () => {
  it('[A4] registered ones exist at 0, and registering again takes nothing away', () => {
    const counters = new Counters()
    counters.register('x')
    expect([counters.all(), counters.get('x'), counters.get('y')]).toEqual([{ x: 0 }, 0, 0])
    counters.add('x', 3)
    counters.add('x')
    counters.register('x')
    expect(counters.get('x')).toBe(4)
  })
})
