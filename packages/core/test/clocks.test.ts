import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  Headers,
  long,
  Materialized,
  Produced,
  type Record,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
  windowed,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { gate, harness } from './harness.js'

type Context = CallbackContext<string, string, string>

/** Registers an event-time timer at the record's value, when that is a number. */
function timed(process?: (record: Record<string, string>, ctx: Context) => Promise<void> | void): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            if (/^\d+$/.test(record.value))
              ctx.timers.register({ key: record.key, at: Number(record.value), domain: 'event-time' })
            return process?.(record, ctx)
          },
          onTimer: (timer, ctx: Context) => void ctx.forward({ key: timer.key, value: String(timer.at) }),
        }),
      },
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'timed')
}

describe('clocks', () => {
  it('[W2] in the driver a watermark follows every record, trailing it by the out-of-orderness', async () => {
    const driver = new TopologyTestDriver(timed(), { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 10 })
    const input = driver.createInputTopic('in', string, string)
    const output = driver.createOutputTopic('out', string, string)
    await input.pipeInput('a', '50', 20)
    await input.pipeInput('a', '-', 59)
    expect(output.isEmpty).toBe(true)
    await input.pipeInput('a', '-', 60)
    expect(output.readKeyValuesToList()).toEqual([['a', '50']])
  })

  it('[W2] a strategy on the source wins over the default', async () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string).withWatermarkStrategy({ maxOutOfOrdernessMs: 0 }), 'in')
      .addProcessor(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) =>
              ctx.timers.register({ key: record.key, at: 5, domain: 'event-time' }),
            onTimer: (timer, ctx: Context) => void ctx.forward({ key: timer.key, value: '!' }),
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'timed')
    const driver = new TopologyTestDriver(topology, { 'time.mode': 'watermark' })
    await driver.createInputTopic('in', string, string).pipeInput('a', '-', 5)
    expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([['a', '!']])
  })

  it('[W2] the watermark of a node is the minimum over its partitions; an idle one takes no part', async () => {
    const h = await harness(timed(), { in: 2, out: 1 }, { 'time.idle-after-ms': 60_000 })
    await h.log.append([{ topic: 'in', partition: 0, key: null, value: null, timestamp: 1000, headers: [] }])
    const only0 = new TextEncoder().encode('a')
    await h.log.append([
      { topic: 'in', partition: 0, key: only0, value: new TextEncoder().encode('100'), timestamp: 1000, headers: [] },
    ])
    await h.log.append([
      { topic: 'in', partition: 1, key: only0, value: new TextEncoder().encode('-'), timestamp: 99, headers: [] },
    ])
    await h.engine.start()
    const first = await h.event('clock-advanced')
    expect(first).toMatchObject({ watermark: 99, causedBy: { partition: 1 } })
    await h.log.append([
      { topic: 'in', partition: 1, key: only0, value: new TextEncoder().encode('-'), timestamp: 100, headers: [] },
    ])
    const fired = await h.event('timer-fired')
    await h.engine.stop()
    expect(fired.at).toBe(100)
  })

  it('[W2] a partition that has caught up for time.idle-after-ms is idle, and its return below the clock is told', async () => {
    const h = await harness(timed(), { in: 2, out: 1 }, { 'time.idle-after-ms': 20 })
    const send = (partition: number, value: string, timestamp: number) =>
      h.log.append([
        {
          topic: 'in',
          partition,
          key: new TextEncoder().encode('a'),
          value: new TextEncoder().encode(value),
          timestamp,
          headers: [],
        },
      ])
    await h.engine.start()
    await h.event('partition-idle', (event) => event.partition === 1)
    await send(0, '-', 1000)
    await h.event('clock-advanced', (event) => event.watermark === 1000)
    await send(1, '-', 400)
    const returned = await h.event('partition-returned', (event) => event.partition === 1)
    await h.engine.stop()
    expect(returned.behindMs).toBe(600)
  })

  it('[W7] no timer overtakes a record read before it, however long that awaits', async () => {
    const hold = gate()
    const order: string[] = []
    const h = await harness(
      timed(async (record) => {
        if (record.value === 'slow') await hold.opened
        order.push(record.value)
      }),
      { in: 1, out: 1 },
      { 'time.mode': 'stream-time', 'lanes.count': 8 },
    )
    h.engine.events.on(['timer-fired'], (event) => {
      if (event.type === 'timer-fired') order.push(`timer ${event.at}`)
    })
    await h.send('in', [
      ['a', '15', 10],
      ['b', 'slow', 12],
      ['k0', 'quick', 20],
    ])
    h.engine.events.on(['epoch-started'], () => undefined)
    await h.engine.start()
    await h.event('record-dispatched', (event) => event.key === 'k0')
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).not.toContain('timer 15')
    hold.open()
    await h.event('timer-fired')
    await h.drained()
    await h.engine.stop()
    expect(order.indexOf('timer 15')).toBeGreaterThan(order.indexOf('slow'))
  })

  it('[W4] takes records of several partitions in timestamp order', async () => {
    const order: number[] = []
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'work',
        { get: () => ({ process: (record: Record<string, string>) => void order.push(record.timestamp) }) },
        'in',
      )
    const h = await harness(topology, { in: 3 }, { 'lanes.count': 1 })
    const times = [
      [1, 4, 9],
      [2, 3, 20],
      [5, 6, 7],
    ]
    for (const [partition, list] of times.entries()) {
      for (const timestamp of list)
        await h.log.append([{ topic: 'in', partition, key: null, value: null, timestamp, headers: [] }])
    }
    await h.engine.start()
    await h.event('epoch-committed', () => order.length === 9)
    await h.engine.stop()
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 20])
  })

  it('[E3] an idle engine commits nothing', async () => {
    const h = await harness(timed(), { in: 1, out: 1 })
    let commits = 0
    h.engine.events.on(['epoch-committed'], () => commits++)
    await h.engine.start()
    await h.send('in', [['a', '-', 1]])
    await h.event('epoch-committed')
    const before = h.engine.snapshot().epoch.committed
    await h.send('in', [['a', '-', 2]])
    await h.event('epoch-committed', (event) => event.epoch > before)
    await h.engine.stop()
    expect(commits).toBe(2)
  })

  it.each([
    ['watermark', [true, true]],
    ['stream-time', [false, true]],
  ] as const)('[S7] [S2] in %s mode a store expires by %j', async (mode, readable) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeAndGrace(10, 1000))
      .count(Materialized.as<string, number>('counts').withRetention(100_000))
    const driver = new TopologyTestDriver(builder.build(), {
      'time.mode': mode,
      'time.max-out-of-orderness-ms': 1_000_000,
    })
    const input = driver.createInputTopic('in', string, string)
    for (const at of [0, 900_000]) await input.pipeInput('a', 'x', at)
    const store = driver.store('counts') as { fetch(key: string, start: number): unknown }
    expect([0, 900_000].map((start) => store.fetch('a', start) !== undefined)).toEqual(readable)
  })

  it('[W7] [S7] in a run by stream time, too, what is not late finds its window, however far another lane has put', async () => {
    const hold = gate()
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .process({
        sameKey: true,
        get: () => ({
          process: async (record: Record<string, string>, ctx: Context) => {
            if (record.value === 'held') await hold.opened
            void ctx.forward(record)
          },
        }),
      } as never)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeAndGrace(20, 10))
      .count(Materialized.as<any, any>('counts'))
      .toStream()
      .to('out', Produced.with<any, any>(windowed(string, 20), long))
    // `a` and `k0` are on different lanes of 8.
    const h = await harness(
      builder.build(),
      { in: 1, out: 1 },
      { 'lanes.count': 8, 'time.mode': 'stream-time', 'commit.interval.ms': 600_000 },
    )
    const done = gate()
    h.engine.events.on(['record-forwarded'], (event) => {
      if (event.type === 'record-forwarded' && event.value === 'far') done.open()
    })
    await h.send('in', [
      ['a', 'x', 1004],
      ['a', 'held', 1002],
      ['k0', 'far', 1065],
    ])
    await h.engine.start()
    await done.opened
    await new Promise((resolve) => setImmediate(resolve))
    hold.open()
    await h.engine.stop()
    const { records } = await h.log.read('out', 0, 0, 10)
    const counted = records.map(({ key, value }) => [
      windowed(string, 20).deserialize('', Headers.empty, key as Uint8Array).key,
      long.deserialize('', Headers.empty, value as Uint8Array),
    ])
    expect(counted).toEqual([
      ['a', 1],
      ['k0', 1],
      ['a', 2],
    ])
  })
})
