import { describe, expect, it } from 'vitest'
import {
  BufferConfig,
  type CallbackContext,
  type Clock,
  Consumed,
  createEngine,
  EmbeddedLog,
  EmitStrategy,
  Grouped,
  hours,
  Joined,
  type KStream,
  Materialized,
  MemoryLogStorage,
  minutes,
  Produced,
  parseConfig,
  type Record,
  SeededRandom,
  SessionWindows,
  SlidingWindows,
  Stores,
  StreamsBuilder,
  Suppressed,
  SystemClock,
  string,
  TimeWindows,
  Topology,
  type Windowed,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'
import { storesOf, TableRun } from './TableRun.js'

type Strings = KStream<string | null, string | null>

const finals = Suppressed.untilWindowCloses(BufferConfig.unbounded())
const text = Consumed.with(string, string)
const startOf = ({ key, window }: Windowed<string | null>) => `${key}@${window.start}`

/** A stream at work in the driver: what comes out at each record, as key=value@time. */
function run(write: (stream: Strings, builder: StreamsBuilder) => KStream<any, any>, config: object = {}): TableRun {
  const serdes = Produced.with(string, string)
  return new TableRun(
    (builder) => {
      write(builder.stream('in', text), builder)
        .mapValues((value) => (value === null ? null : String(value)))
        .to('out', serdes)
    },
    string,
    string,
    { ...config },
  )
}

/** Final counts of tumbling windows. */
const finalCounts = (stream: Strings, sizeMs: number, graceMs: number) =>
  stream
    .groupByKey(Grouped.with(string, string))
    .windowedBy(TimeWindows.ofSizeAndGrace(sizeMs, graceMs))
    .count()
    .suppress(finals)
    .toStream(startOf)

describe('public reports: records from the far future', () => {
  it('[G-7] a time in µs is rejected, and named with topic, partition and offset', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeAndGrace(hours(1), 0))
      .count()
    const driver = new TopologyTestDriver(builder.build(), {}, { initialWallClockMs: 1_700_000_000_000 })
    const input = driver.createInputTopic('in', string, string)
    const told: unknown[] = []
    driver.events.on(['future-timestamp'], (event) => told.push(event))
    const lines: string[] = []
    driver.events.on(['log'], (event) => event.type === 'log' && lines.push(`${event.level} ${event.message}`))
    await input.pipeInput('k', 'v', 1_700_000_000_000)
    await input.pipeInput('k', 'v', 1_700_000_000_000_000)
    await input.pipeInput('k', 'v', 1_700_000_000_001)
    expect(told).toMatchObject([
      {
        verdict: 'rejected',
        source: 'KSTREAM-SOURCE-0000000000',
        coordinates: { topic: 'in', partition: 0, offset: 1 },
      },
    ])
    expect(driver.counters['dropped_records_total{reason="future_timestamp"}']).toBe(1)
    expect(lines.join('\n')).toMatch(/^error .*in.*0.*1/m)
  })

  it('[G-16] a key-value store with a retention is refused, naming what forgets instead', () => {
    const kept = Materialized.as<string, any>('kept').withRetention(1000)
    const refused = /"kept".*1000 ms.*lruMap/
    expect(() => storesOf((builder) => builder.stream('in', text).groupByKey().count(kept))).toThrow(refused)
    expect(() => storesOf((builder) => builder.table('in', text, kept))).toThrow(refused)
    expect(() => storesOf((builder) => builder.globalTable('in', text, kept))).toThrow(refused)
  })
})

describe('public reports: final results', () => {
  it('[G-18] the last window waits for a record that reaches suppress, at the close time', async () => {
    const counts = run((stream) => finalCounts(stream, 10, 0))
    expect(await counts.pipe(['in', 'k', 'v', 1], ['in', 'k', 'v', 5])).toEqual(['', ''])
    await counts.driver.advanceWallClockTime(hours(1))
    expect(await counts.pipe(['in', 'h', 'beat', 9], ['in', 'h', 'beat', 10])).toEqual(['', 'h@0=1@9 k@0=2@5'])
  })

  it('[G-20] windows of a partition stay while that partition has not come as far as another', async () => {
    const builder = new StreamsBuilder()
    finalCounts(builder.stream('in', text), 10, 0).mapValues(String).to('out', Produced.with(string, string))
    const { log, engine, event, read } = await harness(builder.build(), { in: 2, out: 1 }, { 'lanes.count': 4 })
    const bytes = (value: string) => new TextEncoder().encode(value)
    const send = (partition: number, key: string, timestamp: number) =>
      log.append([{ topic: 'in', partition, key: bytes(key), value: bytes('v'), timestamp, headers: [] }])
    await send(1, 'slow', 5)
    await send(0, 'fast', 6)
    await send(0, 'fast', 5000)
    await engine.start()
    await event('clock-advanced', ({ watermark }) => watermark === 5)
    expect(await read('out')).toEqual([])
    await send(1, 'slow', 9)
    await send(1, 'slow', 10)
    await event('epoch-committed', () => engine.snapshot().clocks.partitions.every(({ position }) => position >= 2))
    await event('clock-advanced', ({ watermark }) => watermark === 10)
    await engine.stop()
    expect((await read('out')).map(({ key, value }) => `${key}=${value}`).sort()).toEqual(['fast@0=1', 'slow@0=2'])
  })

  it('[G-21] a grace of 24 h holds the first final result for window and grace, to a millisecond', async () => {
    const counts = run((stream) => finalCounts(stream, minutes(10), hours(24)))
    const end = minutes(10) + hours(24)
    expect(await counts.pipe(['in', 'k', 'v', 0], ['in', 'z', 'v', end - 1])).toEqual(['', ''])
    expect(await counts.pipe(['in', 'z', 'v', end])).toEqual(['k@0=1@0'])
  })

  it('[G-26] a buffer keeps every setting, in whatever order they are given', () => {
    const topicConfig = { 'segment.bytes': '1000' }
    const buffer = BufferConfig.maxRecords(1).withLoggingEnabled(topicConfig).shutDownWhenFull()
    expect(buffer.options).toMatchObject({ maxRecords: 1, whenFull: 'shut-down', logging: true, topicConfig })
    expect(buffer.withMaxBytes(9).options).toMatchObject({ maxRecords: 1, maxBytes: 9, topicConfig })
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeAndGrace(10, 0))
      .count()
      .suppress(Suppressed.untilWindowCloses(buffer).withName('held'))
    const store = builder.build().definition.stores.get('held-store')
    expect(store?.builder).toMatchObject({ logging: true, topicConfig })
  })

  it('[G-27] suppress behind a windowed count works with default serdes alone', async () => {
    const counts = run((stream) =>
      stream.groupByKey().windowedBy(TimeWindows.ofSizeAndGrace(10, 0)).count().suppress(finals).toStream(startOf),
    )
    expect(await counts.pipe(['in', 'k', 'v', 1], ['in', 'k', 'v', 10])).toEqual(['', 'k@0=1@1'])
  })

  it('[G-108] sessions in memory come out on close', async () => {
    const sessions = run((stream) =>
      stream
        .groupByKey()
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5))
        .emitStrategy(EmitStrategy.onWindowClose())
        .count(Materialized.storeType<string, number>('inMemory'))
        .toStream(startOf),
    )
    expect(await sessions.pipe(['in', 'a', 'v', 14], ['in', 'b', 'v', 29], ['in', 'b', 'v', 30])).toEqual([
      '',
      '',
      'a@14=1@14',
    ])
  })

  it('[G-109] windows in memory without grace come out on close', async () => {
    const counts = run((stream) =>
      stream
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
        .emitStrategy(EmitStrategy.onWindowClose())
        .count(Materialized.storeType<string, number>('inMemory'))
        .toStream(startOf),
    )
    expect(await counts.pipe(['in', 'a', 'v', 5], ['in', 'b', 'v', 10], ['in', 'c', 'v', 20])).toEqual([
      '',
      'a@0=1@5',
      'b@10=1@10',
    ])
  })

  it('[G-105] a sliding window has one final result, when nothing more can come into it', async () => {
    const counts = run((stream) =>
      stream
        .groupByKey()
        .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5))
        .count()
        .suppress(finals)
        .toStream(startOf),
    )
    const found = await counts.pipe(
      ['in', 'k', 'v', 20],
      ['in', 'z', 'v', 25],
      ['in', 'k', 'v', 20],
      ['in', 'z', 'v', 26],
    )
    const results = found.map((one) => one.split(' ').filter((result) => result.startsWith('k@10')))
    expect(results).toEqual([[], [], [], ['k@10=2@20']])
  })
})

describe('public reports: nulls', () => {
  it('[G-99] a null value is no deletion to an aggregate of a stream; only tables delete', async () => {
    const reduced = run((stream) =>
      stream
        .groupByKey()
        .reduce((old, value) => `${old}${value}`)
        .toStream(),
    )
    expect(await reduced.pipe(['in', 'k', 'a', 1], ['in', 'k', null, 2], ['in', 'k', 'b', 3])).toEqual([
      'k=a@1',
      '',
      'k=ab@3',
    ])
    expect(reduced.dropped('null_value')).toBe(1)
    const table = new TableRun((builder) => builder.table('in', text).toStream().to('out'))
    expect(await table.pipe(['in', 'k', 'a', 1], ['in', 'k', null, 2])).toEqual(['k=a@1', 'k=null@2'])
  })

  it('[G-95] a row that changes nothing is sent on again', async () => {
    const table = new TableRun((builder) => builder.table('in', text, Materialized.as('t')).toStream().to('out'))
    expect(await table.pipe(['in', 'k', 'a', 1], ['in', 'k', 'a', 1])).toEqual(['k=a@1', 'k=a@1'])
  })
})

describe('public reports: names, partitions, timers', () => {
  it('[G-107] the boundary of an unnamed cogroup is named after its store', () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .selectKey((_key, value) => value)
      .groupByKey()
      .cogroup((_key, value, all: string) => `${all}${value}`)
      .aggregate(() => '')
    const nodes = [...builder.build().definition.nodes.keys()]
    expect(nodes.filter((name) => name.includes('repartition')).map((name) => name.replace(/\d{10}/, 'n'))).toEqual([
      'COGROUPKSTREAM-AGGREGATE-STATE-STORE-n-repartition-filter',
      'COGROUPKSTREAM-AGGREGATE-STATE-STORE-n-repartition-sink',
      'COGROUPKSTREAM-AGGREGATE-STATE-STORE-n-repartition-source',
    ])
  })

  it('[G-54] records of one key meet, in whatever partitions another hash has put them', async () => {
    const builder = new StreamsBuilder()
    const [left, right] = [builder.stream('l', text), builder.table('r', text)]
    left.join(right, (a, b) => `${a}/${b}`).to('out', Produced.with(string, string))
    const { log, engine, event, read } = await harness(
      builder.build(),
      { l: 3, r: 3, out: 1 },
      { 'time.mode': 'stream-time', 'max.task.idle.ms': 0, 'lanes.count': 4 },
    )
    const bytes = (value: string) => new TextEncoder().encode(value)
    const send = (topic: string, partition: number, value: string, timestamp: number) =>
      log.append([{ topic, partition, key: bytes('k'), value: bytes(value), timestamp, headers: [] }])
    await send('r', 2, 'row', 1)
    await engine.start()
    await event('epoch-committed')
    await send('l', 0, 'a', 2)
    await send('l', 1, 'b', 3)
    const committed = () => engine.snapshot().clocks.partitions.reduce((sum, { position }) => sum + position, 0)
    await event('epoch-committed', () => committed() === 3)
    await engine.stop()
    expect((await read('out')).map(({ value }) => value).sort()).toEqual(['a/row', 'b/row'])
  })

  it('[G-87] of due timers the earliest fires first, and one that it sets comes before a later one', async () => {
    type Context = CallbackContext<string, string, string>
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process({ key, value }: Record<string, string>, ctx: Context) {
              for (const at of value.split(' ').filter(Boolean))
                ctx.timers.register({ key, at: Number(at), domain: 'event-time' })
            },
            onTimer({ key, at }, ctx: Context) {
              void ctx.forward({ key, value: String(at) })
              if (at === 3) ctx.timers.register({ key, at: 4, domain: 'event-time' })
            },
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'timed')
    const driver = new TopologyTestDriver(topology)
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k', '5 3', 1)
    await input.pipeInput('k', '', 10)
    const fired = driver.createOutputTopic('out', string, string).readKeyValuesToList()
    expect(fired.map(([, value]) => value)).toEqual(['3', '4', '5'])
  })
})

it('[G-41] a record waits for a table by the slowest partition; one that is ahead does not release it', async () => {
  const builder = new StreamsBuilder()
  const versioned = Materialized.as<string, string>(Stores.versionedKeyValue('v', { historyRetentionMs: hours(1) }))
  const [stream, table] = [builder.stream('in', text), builder.table('t', text, versioned)]
  const waiting = Joined.with(string, string, string).withGracePeriod(10)
  stream.leftJoin(table, (a, b) => `${a}/${b}`, waiting).to('out', Produced.with(string, string))
  const config = { 'time.mode': 'watermark', 'lanes.count': 4 }
  const { log, engine, event, read } = await harness(builder.build(), { in: 2, t: 2, out: 1 }, config)
  const bytes = (value: string) => new TextEncoder().encode(value)
  const send = (topic: string, partition: number, key: string, timestamp: number) =>
    log.append([{ topic, partition, key: bytes(key), value: bytes(`${timestamp}`), timestamp, headers: [] }])
  for (const partition of [0, 1]) await send('t', partition, 'row', 5000)
  await send('in', 1, 'slow', 5)
  await send('in', 0, 'fast', 6)
  await send('in', 0, 'fast', 5000)
  const out = async () => (await read('out')).map(({ key, value }) => `${key} ${value}`)
  await engine.start()
  await event('clock-advanced', ({ watermark }) => watermark === 5)
  let last = (await event('epoch-committed')).epoch
  expect(await out()).toEqual([])
  await send('in', 1, 'slow', 15)
  while ((await out()).length < 1) last = (await event('epoch-committed', ({ epoch }) => epoch > last)).epoch
  expect(await out()).toEqual(['slow 5/null'])
  await send('in', 1, 'slow', 5000)
  while ((await out()).length < 3) last = (await event('epoch-committed', ({ epoch }) => epoch > last)).epoch
  await engine.stop()
  expect((await out()).sort()).toEqual(['fast 6/null', 'slow 15/null', 'slow 5/null'])
})

it('[G-96] an engine that has stopped holds on to nothing of its host: no call is planned any more', async () => {
  const planned = new Set<object>()
  const host = new SystemClock()
  const clock: Clock = {
    now: () => host.now(),
    monotonic: () => host.monotonic(),
    yield: () => host.yield(),
    after: (delayMs, fn) => {
      const call = {}
      const handle = host.after(delayMs, () => {
        planned.delete(call)
        fn()
      })
      planned.add(call)
      return {
        cancel: () => {
          planned.delete(call)
          handle.cancel()
        },
      }
    },
  }
  const builder = new StreamsBuilder()
  finalCounts(builder.stream('in', text), 10, 0).mapValues(String).to('out', Produced.with(string, string))
  const config = parseConfig({ 'application.id': 'leaks', 'default.key.serde': 'string' })
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock: host })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  const topology = builder.build().compile(config)
  const engine = createEngine({ topology, config, log, clock, random: new SeededRandom(1) })
  await engine.start()
  expect(planned.size).toBeGreaterThan(0)
  await engine.stop()
  expect(planned.size).toBe(0)
})
