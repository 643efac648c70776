import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  fromHex,
  laneOf,
  ManualClock,
  type ProcessorContext,
  Produced,
  parseConfig,
  type Record,
  SeededRandom,
  type Serde,
  Stores,
  string,
  type Timer,
  Topology,
} from '../src/index.js'
import { gate } from './harness.js'
import { type Given, ScriptedLog } from './ScriptedLog.js'

type Context = CallbackContext<string, string, string>

const text = Consumed.with(string, string)

function run(topology: Topology, config: { readonly [key: string]: unknown } = {}, clock = new ManualClock(1000)) {
  const log = new ScriptedLog({ in: 1, out: 1 })
  const parsed = parseConfig({
    'application.id': 'test',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'lanes.count': 1,
    'time.mode': 'stream-time',
    'commit.interval.ms': 1_000_000,
    ...config,
  })
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log,
    clock,
    random: new SeededRandom(1),
  })
  return { engine, log, clock }
}

async function rest(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

const many = (count: number): Given[] => Array.from({ length: count }, (_, i) => ['k0', 'x', i])

/** parent → child → out; both take their time on the clock. While an asynchronous child is pending the time is its own. */
function busy(clock: ManualClock, parentMs: number, childMs: number, async = false): Topology {
  return new Topology()
    .addSource('in', text, 'in')
    .addProcessor(
      'parent',
      {
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            clock.advance(parentMs)
            const forwarded = ctx.forward(record)
            clock.advance(parentMs)
            return forwarded
          },
        }),
      },
      'in',
    )
    .addProcessor(
      'child',
      {
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            clock.advance(childMs)
            return async ? Promise.resolve().then(() => ctx.forward(record)) : ctx.forward(record)
          },
        }),
      },
      'parent',
    )
    .addSink('out', 'out', Produced.with(string, string), 'child')
}

describe('what a snapshot tells of nodes', () => {
  it.each([false, true])(
    'shares busy time between parent and child, and scales what it samples (async: %s)',
    async (async) => {
      const clock = new ManualClock(1000)
      const { engine, log } = run(busy(clock, 1, 5, async), {}, clock)
      log.give('in', 0, 0, many(32))
      await engine.start()
      await rest()
      const { nodes, lanes } = engine.snapshot()
      await engine.stop()
      const busyOf = (name: string) => nodes.find(({ node }) => node === name)?.busyMs
      expect([busyOf('parent'), busyOf('child')]).toEqual(async ? [32, 192] : [64, 160])
      if (!async) expect(lanes[0]?.busyMs).toBe(224)
    },
  )

  it('shares busy time between children of one parent, though they come one after the other', async () => {
    const clock = new ManualClock(1000)
    const taking = (ms: number) => ({ get: () => ({ process: () => clock.advance(ms) }) })
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'parent',
        { get: () => ({ process: (r: Record<string, string>, ctx: Context) => ctx.forward(r) }) },
        'in',
      )
      .addProcessor('a', taking(3), 'parent')
      .addProcessor('b', taking(5), 'parent')
    const { engine, log } = run(topology, {}, clock)
    log.give('in', 0, 0, many(16))
    await engine.start()
    await rest()
    const { nodes } = engine.snapshot()
    await engine.stop()
    expect(nodes.map(({ node, busyMs }) => [node, busyMs])).toEqual([
      ['in', 0],
      ['parent', 0],
      ['a', 48],
      ['b', 80],
    ])
  })

  it('counts what came in and went out, by node and by edge', async () => {
    const store = Stores.keyValue('s', string, string)
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'twice',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              void ctx.forward(record)
              void ctx.forward(record)
            },
          }),
        },
        'in',
      )
      .addProcessor('behind', { get: () => ({ process: () => undefined }), stores: [store] }, 'twice')
      .addSink('out', 'out', Produced.with(string, string), 'twice')
    const { engine, log } = run(topology)
    log.give('in', 0, 0, many(3))
    await engine.start()
    await rest()
    const { nodes, edges, lanes } = engine.snapshot()
    await engine.stop()
    expect(nodes.map(({ node, subTopology, in: came, out }) => [node, subTopology, came, out])).toEqual([
      ['in', 0, 3, 3],
      ['twice', 0, 3, 12],
      ['behind', 1, 6, 0],
      ['out', 0, 6, 0],
    ])
    expect(edges).toEqual([
      { from: 'in', to: 'twice', count: 3 },
      { from: 'twice', to: 'behind', count: 6 },
      { from: 'twice', to: 'out', count: 6 },
    ])
    expect(lanes.map(({ subTopology, lane, processed }) => [subTopology, lane, processed])).toEqual([
      [0, 0, 3],
      [1, 0, 6],
    ])
  })
})

describe('what a snapshot tells of lanes', () => {
  it('[L7] says what waits, what a lane works on, and since when', async () => {
    const hold = gate()
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('work', { get: () => ({ process: () => hold.opened }) }, 'in')
    const { engine, log, clock } = run(topology, { 'lanes.count': 8, 'lanes.queue-capacity': 3 })
    log.give('in', 0, 0, many(9))
    await engine.start()
    await rest()
    clock.advance(40)
    const snapshot = engine.snapshot()
    expect(snapshot).toMatchObject({ state: 'running', uptimeMs: 40, at: 1040 })
    expect(snapshot.lanes[6]).toEqual({
      subTopology: 0,
      lane: 6,
      queued: 3,
      capacity: 3,
      processed: 0,
      timersFired: 0,
      busyMs: 40,
      current: 'process k0',
      awaitingMs: 40,
    })
    expect(snapshot.lanes[0]).toMatchObject({ queued: 0, current: null, awaitingMs: 0, busyMs: 0 })
    hold.open()
    await rest()
    expect(engine.snapshot().lanes[6]).toMatchObject({ processed: 9, current: null, awaitingMs: 0 })
    await engine.stop()
  })

  it('[T11] names a timer that a lane works on, and counts it apart from records', async () => {
    const hold = gate()
    const topology = new Topology().addSource('in', text, 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            if (record.value === 'arm') ctx.timers.register({ key: 'k9', at: 5, domain: 'event-time' })
          },
          onTimer: () => hold.opened,
        }),
      },
      'in',
    )
    const { engine, log } = run(topology)
    log.give('in', 0, 0, [
      ['a', 'arm', 1],
      ['a', 'move', 5],
    ])
    await engine.start()
    await rest()
    expect(engine.snapshot().lanes[0]).toMatchObject({ current: 'onTimer k9', processed: 2, timersFired: 0 })
    hold.open()
    await rest()
    expect(engine.snapshot().lanes[0]).toMatchObject({ current: null, processed: 2, timersFired: 1 })
    await engine.stop()
  })
})

describe('inspecting timers', () => {
  const reading: { fails: boolean } = { fails: false }
  const serde: Serde<string> = {
    id: 'text',
    serialize: string.serialize,
    deserialize: (topic, headers, bytes) => {
      if (reading.fails) throw new Error('unreadable')
      return string.deserialize(topic, headers, bytes)
    },
  }
  const topology = new Topology().addSource('in', Consumed.with(serde, string), 'in').addProcessor(
    'timed',
    {
      timers: ['event-time', 'processing-time'],
      get: () => ({
        process: (record: Record<string, string>, ctx: Context) => {
          const at = Number(record.value)
          ctx.timers.register({ key: record.key, at, domain: 'event-time', name: 'n' })
          ctx.timers.register({ key: record.key, at: at + 10_000, domain: 'processing-time' })
        },
        onTimer: (_timer: Timer<string>) => undefined,
      }),
    },
    'in',
  )

  it('[T5] gives the earliest of each domain and lane, and how many it leaves out', async () => {
    const { engine, log } = run(topology, { 'lanes.count': 8 })
    log.give('in', 0, 0, [
      ['k0', '30', 1],
      ['k0', '20', 1],
      ['a', '40', 1],
    ])
    await engine.start()
    await rest()
    const all = engine.inspectTimers(5)
    expect(all.leftOut).toBe(0)
    const k0 = all.timers.filter(({ key }) => key === 'k0')
    expect(k0.map(({ domain, at, lane, name }) => [domain, at, lane, name])).toEqual([
      ['event-time', 20, 6, 'n'],
      ['processing-time', 10_020, 6, undefined],
      ['processing-time', 10_030, 6, undefined],
    ])
    const few = engine.inspectTimers(1)
    expect([few.timers.length, few.leftOut]).toEqual([4, 1])
    expect(engine.inspectTimers(0)).toEqual({ timers: [], leftOut: 5 })
    expect(engine.snapshot().nodes.find(({ node }) => node === 'timed')?.timers).toEqual({
      pending: 5,
      fired: 0,
      replaced: 1,
      deleted: 0,
      splits: 0,
    })
    await engine.stop()
  })

  it('[T9] shows the bytes of a key that cannot be read', async () => {
    const { engine, log } = run(topology)
    log.give('in', 0, 0, [['k0', '20', 1]])
    await engine.start()
    await rest()
    reading.fails = true
    const { timers } = engine.inspectTimers(1)
    reading.fails = false
    expect(timers[0]).toMatchObject({ key: '6b 30', keyBytes: fromHex('6b30') })
    await engine.stop()
  })
})

describe('the clocks that a snapshot shows', () => {
  it('[W2] are those of the sources upstream, of the sources themselves too', async () => {
    const through = { get: () => ({ process: (r: Record<string, string>, ctx: Context) => ctx.forward(r) }) }
    const topology = new Topology()
      .addSource('a', text, 'in')
      .addSource('b', text, 'out')
      .addProcessor('of-a', through, 'a')
      .addProcessor('of-b', through, 'b')
      .addProcessor('of-both', through, 'of-a', 'of-b')
    const { engine, log } = run(topology)
    log.give('in', 0, 0, [['k', 'x', 30]])
    await engine.start()
    await rest()
    const clocksOf = () => Object.fromEntries(engine.snapshot().nodes.map(({ node, eventClock }) => [node, eventClock]))
    expect(clocksOf()).toEqual({ a: 30, b: -1, 'of-a': 30, 'of-b': -1, 'of-both': 30 })
    log.give('out', 0, 0, [['k', 'x', 20]])
    await rest()
    expect(clocksOf()).toEqual({ a: 30, b: 20, 'of-a': 30, 'of-b': 20, 'of-both': 30 })
    expect(engine.snapshot().clocks).toMatchObject({
      mode: 'stream-time',
      wall: 1000,
      reference: 1000,
      partitions: [
        { source: 'a', topic: 'in', partition: 0, maxTimestamp: 30, position: 1, lag: 0, idle: false },
        { source: 'b', topic: 'out', partition: 0, maxTimestamp: 20, position: 1, lag: 0, idle: false },
      ],
    })
    await engine.stop()
  })
})

describe('the schedules of processors', () => {
  it('[W5] are in the snapshot with when they are due, and each call is told', async () => {
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            init: (context: ProcessorContext) => {
              context.schedule(10, 'stream-time', (_at, ctx) => void ctx.forward({ key: 'p', value: 'p' }))
              const once = context.schedule(50, 'wall-clock-time', () => once.cancel(), { scope: 'node' })
            },
            process: () => undefined,
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const { engine, log, clock } = run(topology)
    const told: unknown[] = []
    engine.events.on(['punctuated'], (event) => told.push(event))
    const planned = () => engine.snapshot().nodes.find(({ node }) => node === 'work')?.punctuations
    await engine.start()
    expect(planned()).toEqual({ planned: 2, nextStreamTime: 0, nextWallClock: clock.now() + 50 })
    log.give('in', 0, 0, [['k', 'x', 34]])
    await rest()
    expect(planned()).toMatchObject({ nextStreamTime: 40 })
    clock.advance(60)
    await rest()
    expect(planned()).toEqual({ planned: 1, nextStreamTime: 40, nextWallClock: null })
    expect(told).toEqual([
      { type: 'punctuated', node: 'work', lane: 0, clock: 'stream-time', scope: 'lane', at: 34, forwarded: 1 },
      { type: 'punctuated', node: 'work', lane: 0, clock: 'wall-clock-time', scope: 'node', at: 1050, forwarded: 0 },
    ])
    expect(engine.snapshot().nodes.find(({ node }) => node === 'in')).not.toHaveProperty('punctuations')
    expect(engine.snapshot()).not.toHaveProperty('schedules')
    await engine.stop()
  })
})

describe('asking a running engine', () => {
  it('[F5] previews how far ahead a time is of the reference clock, and of which bound', async () => {
    const topology = new Topology()
      .addSource('in', text.withMaxAhead(500), 'in')
      .addProcessor('work', { get: () => ({ process: () => undefined }) }, 'in')
    const { engine, clock } = run(topology)
    await engine.start()
    clock.advance(200)
    expect(engine.previewFutureTimestamp(1700, 'in')).toMatchObject({
      wouldBe: 'passed',
      aheadMs: 500,
      boundMs: 500,
      referenceClock: 1200,
    })
    await engine.stop()
  })

  it('names a store and a source that are not there', async () => {
    const store = Stores.keyValue('s', string, string)
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('work', { get: () => ({ process: () => undefined }), stores: [store] }, 'in')
    const { engine } = run(topology)
    await engine.start()
    expect(engine.store('s')).toBeDefined()
    expect(() => engine.store('t')).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
    expect(() => engine.previewFutureTimestamp(5, 'nobody')).toThrow(/no source "nobody"/)
    await engine.stop()
  })

  it('[T5] fires a processing-time timer at its time, though the next tick is far', async () => {
    const fired: number[] = []
    const clock = new ManualClock(1000)
    const topology = new Topology().addSource('in', text, 'in').addProcessor(
      'timed',
      {
        timers: ['processing-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) =>
            ctx.timers.register({ key: record.key, at: Number(record.value), domain: 'processing-time' }),
          onTimer: (timer: Timer<string>) => void fired.push(timer.at, clock.now()),
        }),
      },
      'in',
    )
    const { engine, log } = run(topology, { 'time.watermark-interval-ms': 60_000 }, clock)
    await engine.start()
    log.give('in', 0, 0, [['a', '1500', 1]])
    await rest()
    clock.advance(499)
    expect(fired).toEqual([])
    clock.advance(1)
    await rest()
    expect(fired).toEqual([1500, 1500])
    await engine.stop()
  })

  it('[T5] [T7] fires at once what is due already on a lane that has nothing else to do', async () => {
    const fired: string[] = []
    const topology = new Topology().addSource('in', text, 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process({ value }: Record<string, string>, ctx: Context) {
            if (value !== '') ctx.timers.register({ key: value, at: 100, domain: 'event-time' })
          },
          onTimer: ({ key, at }: Timer<string>) => void fired.push(`${key} ${at}`),
        }),
      },
      'in',
    )
    const { engine, log } = run(topology, { 'lanes.count': 2 })
    await engine.start()
    const lane = (key: string) => laneOf(new TextEncoder().encode(key), 2)
    const other = ['b', 'c', 'd', 'e'].find((key) => lane(key) !== lane('a')) as string
    log.give('in', 0, 0, [['a', '', 100]])
    await rest()
    log.give('in', 0, 1, [['a', other, 100]])
    await rest()
    expect(fired).toEqual([`${other} 100`])
    await engine.stop()
  })

  it('[T5] fires the processing-time timers of all processors and lanes at their times, one after the other', async () => {
    const fired: string[] = []
    const clock = new ManualClock(1000)
    const timed = (name: string) => ({
      timers: ['processing-time'] as const,
      get: () => ({
        process({ key, value }: Record<string, string>, ctx: Context) {
          const at = Number(value.split(' ')[name === 'first' ? 0 : 1])
          ctx.timers.register({ key, at, domain: 'processing-time' })
        },
        onTimer: ({ at }: Timer<string>) => void fired.push(`${name} ${at} at ${clock.now()}`),
      }),
    })
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('first', timed('first'), 'in')
      .addProcessor('second', timed('second'), 'in')
    const { engine, log } = run(topology, { 'time.watermark-interval-ms': 60_000, 'lanes.count': 2 }, clock)
    await engine.start()
    log.give('in', 0, 0, [
      ['a', '1900 1600', 1],
      ['b', '1500 2000', 1],
      ['c', '1700 1800', 1],
    ])
    await rest()
    expect(new Set(['a', 'b', 'c'].map((key) => laneOf(new TextEncoder().encode(key), 2))).size).toBe(2)
    for (let step = 0; step < 10; step++) {
      clock.advance(100)
      await rest()
    }
    expect(fired).toEqual([
      'first 1500 at 1500',
      'second 1600 at 1600',
      'first 1700 at 1700',
      'second 1800 at 1800',
      'first 1900 at 1900',
      'second 2000 at 2000',
    ])
    await engine.stop()
  })
})
