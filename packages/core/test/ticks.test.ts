import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  days,
  type EmitScheduled,
  epochTopicOf,
  FutureTimestampException,
  Headers,
  type InternalTopics,
  json,
  laneOf,
  ManualClock,
  Materialized,
  type MissedTicks,
  type OutputRecord,
  Produced,
  parseConfig,
  type ReadOnlyWindowStore,
  type Record,
  type ScheduledRecord,
  SeededRandom,
  StreamError,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { gate } from './harness.js'
import { type ScriptedCommit, ScriptedLog } from './ScriptedLog.js'

type Context = CallbackContext<string, string, string>
type Made = ScheduledRecord<string | null, string | null>

const NOW = Date.UTC(2026, 10, 30)
const HOUR = 3_600_000
const options = { keySerde: string as never, valueSerde: string as never }
const every = (ms: number) => ({ every: ms })
const made =
  (...records: Made[]): EmitScheduled<any, any> =>
  () =>
    records

/** Passes on what it gets, with the event clock as it was. */
const telling = () => ({
  sameKey: true as const,
  get: () => ({
    process: (record: Record<string, string>, ctx: Context) =>
      void ctx.forward({ ...record, value: `${record.value} clock ${ctx.eventTime}` }),
  }),
})

function ticking(emit: EmitScheduled<any, any>, ms = 10) {
  return new Topology()
    .scheduled('tick', every(ms), emit, options)
    .addProcessor('tell', telling(), 'tick')
    .addSink('out', 'out', Produced.with(string, string), 'tell')
}

const values = (driver: TopologyTestDriver, topic = 'out') =>
  driver
    .createOutputTopic(topic, string, string)
    .readRecordsToList()
    .map(({ value }) => value)
const out = (driver: TopologyTestDriver) => driver.createOutputTopic('out', string, string)

describe('scheduled sources in the driver', () => {
  it('[P1] [T12] each tick comes at its scheduled time, and stamps its records where no topic is read', async () => {
    const driver = new TopologyTestDriver(ticking(({ at }) => [{ key: 'k', value: `at ${at}` }]))
    await driver.advanceWallClockTime(9)
    expect(out(driver).isEmpty).toBe(true)
    await driver.advanceWallClockTime(1)
    await driver.advanceWallClockTime(25)
    const told = out(driver).readRecordsToList()
    expect(told.map(({ value, timestamp }) => [value, timestamp])).toEqual([
      ['at 10 clock -1', 10],
      ['at 20 clock 10', 20],
      ['at 30 clock 20', 30],
    ])
    expect(driver.counters['ticks_total{source="tick"}']).toBe(3)
  })

  it('[W2] a node without a topic source goes by the ticks that reach it, and by no others', async () => {
    const topology = ticking(made({ key: 'k', value: 'v' }), 10)
      .scheduled('slow', every(25), made({ key: 's', value: 's' }), options)
      .addProcessor('alone', telling(), 'slow')
      .addSink('other', 'other', Produced.with(string, string), 'alone')
    const driver = new TopologyTestDriver(topology)
    await driver.advanceWallClockTime(60)
    expect(values(driver, 'other')).toEqual(['s clock -1', 's clock 25'])
    expect(values(driver).at(-1)).toBe('v clock 50')
  })

  it.each(['stream-time', 'watermark'])('[W2] %s: a node that reads a topic too goes by that alone', async (mode) => {
    const topology = new Topology()
      .scheduled('tick', every(1000), made({ key: 'k', value: 'tick' }), options)
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('both', telling(), 'tick', 'in')
      .addSink('out', 'out', Produced.with(string, string), 'both')
    const driver = new TopologyTestDriver(topology, { 'time.mode': mode, 'time.max-out-of-orderness-ms': 0 })
    const told = async () => {
      await driver.advanceWallClockTime(1000)
      return out(driver)
        .readRecordsToList()
        .map(({ value, timestamp }) => [value, timestamp])
    }
    // [T12] Unknown is 0: a tick never runs ahead of the topics it meets.
    expect(await told()).toEqual([['tick clock -1', 0]])
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 77)
    expect((await told()).at(-1)).toEqual(['tick clock 77', 77])
  })

  it('[T12] a timestamp and headers of its own are kept', async () => {
    const headers = Headers.empty.with('h', new Uint8Array([7]))
    const driver = new TopologyTestDriver(ticking(made({ key: 'k', value: 'v', timestamp: 3, headers })))
    await driver.advanceWallClockTime(10)
    const [record] = out(driver).readRecordsToList()
    expect(record).toMatchObject({ timestamp: 3 })
    expect(record?.headers.toArray()).toEqual(headers.toArray())
  })

  it('[L4] [L3] a key is laned by what the key serde writes, null keys go round', async () => {
    const quoted = json<string>()
    const lanes: [string | null, number][] = []
    const topology = new Topology()
      .scheduled(
        'tick',
        every(10),
        made({ key: 'k0', value: 'a' }, { key: null, value: 'b' }, { key: null, value: 'c' }),
        {
          keySerde: quoted as never,
        },
      )
      .addProcessor('p', { get: () => ({ process: () => undefined }), sameKey: true }, 'tick')
    const driver = new TopologyTestDriver(topology, { 'lanes.count': 8 })
    driver.events.on(['record-forwarded'], (event) => {
      if (event.type === 'record-forwarded') lanes.push([event.key as string | null, event.lane])
    })
    await driver.advanceWallClockTime(10)
    // `"k0"` with its quotes is on lane 0 of 8, `k0` would be on 6 (L2).
    expect(laneOf(quoted.serialize('', Headers.empty, 'k0'), 8)).toBe(0)
    expect(lanes).toEqual([
      ['k0', 0],
      [null, 0],
      [null, 1],
    ])
  })

  it('[P1] its records join, at a store, those of topics', async () => {
    const builder = new StreamsBuilder()
    const ticks = builder.scheduled('tick', every(10), made({ key: 'k', value: 'x' }), {
      keySerde: string,
      valueSerde: string,
    } as never)
    ;(ticks as ReturnType<typeof builder.stream<string, string>>)
      .merge(builder.stream('in', Consumed.with(string, string)) as never)
      .groupByKey()
      .count()
      .toStream()
      .mapValues((count) => String(count))
      .to('out', Produced.with(string, string) as never)
    const driver = new TopologyTestDriver(builder.build())
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 5)
    await driver.advanceWallClockTime(20)
    expect(values(driver)).toEqual(['1', '2', '3'])
  })

  const boom = () => {
    throw new Error('boom')
  }

  it.each<[string, EmitScheduled<any, any>, RegExp]>([
    ['an emit that throws', boom, /Node "tick" failed in its tick of 10: boom/],
    ['a negative timestamp', made({ key: 'k', value: 'v', timestamp: -1 }), /"tick".*timestamp -1/],
    ['a timestamp past 2^53', made({ key: 'k', value: 'v', timestamp: 2 ** 53 }), /"tick".*timestamp 9007199254740992/],
    ['a key that its serde cannot write', made({ key: 5 as never, value: 'v' }), /"tick" made the key 5/],
  ])('[G1] %s goes to gate 2 with the source’s name', async (_what, emit, message) => {
    const driver = new TopologyTestDriver(ticking(emit))
    await expect(driver.advanceWallClockTime(10)).rejects.toThrow(message)
  })

  it('[G1] [G4] continue: the rest of that tick is dropped and counted, what it made before stays, the next tick comes', async () => {
    function* half({ at }: { at: number }) {
      yield { key: 'k', value: `first ${at}` }
      if (at === 10) boom()
      yield { key: 'k', value: 'second' }
    }
    const driver = new TopologyTestDriver(ticking(half), { 'processing.exception.handler': 'continue' })
    await driver.advanceWallClockTime(20)
    expect(values(driver)).toEqual(['first 10 clock -1', 'first 20 clock 10', 'second clock 10'])
    expect(driver.counters['dropped_records_total{reason="processing"}']).toBe(1)
  })
})

describe('the guard of future timestamps on what the engine makes', () => {
  /** Counts the records of ticks by the day, and keeps 30 days. */
  function daily(timestamp: number, config: { [key: string]: unknown } = {}) {
    const builder = new StreamsBuilder()
    builder
      .scheduled('tick', every(1000), made({ key: 'k', value: 'x', timestamp }), options)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(days(1)))
      .count(Materialized.as<never, number>('per-day').withRetention(days(30)))
    const driver = new TopologyTestDriver(builder.build(), config, { initialWallClockMs: NOW })
    const told: unknown[] = []
    driver.events.on(['future-timestamp'], (event) => {
      if (event.type !== 'future-timestamp') return
      const { topic, partition, offset } = event.coordinates
      told.push([event.verdict, event.source, event.key, topic, partition, offset])
    })
    return { driver, told }
  }
  const dropped = (driver: TopologyTestDriver) =>
    driver.counters['dropped_records_total{reason="future_timestamp"}'] ?? 0

  it('[F3] [P1] a scheduled record far ahead does not enter; it is told by its source, partition and offset −1', async () => {
    const { driver, told } = daily(NOW + days(60))
    await driver.advanceWallClockTime(1000)
    expect(told).toEqual([['rejected', 'tick', 'k', 'tick', -1, -1]])
    expect([dropped(driver), [...(await entries(driver))]]).toEqual([1, []])
  })

  it('[F2] [P1] one within the bound is not even judged', async () => {
    const { driver, told } = daily(NOW + HOUR)
    await driver.advanceWallClockTime(1000)
    expect([told, dropped(driver), (await entries(driver)).length]).toEqual([[], 0, 1])
  })

  it('[F3] [F6] [P1] its dead letter has its bytes, and its time in a header', async () => {
    const { driver } = daily(NOW + days(60), { 'errors.dead.letter.queue.topic.name': 'dead' })
    await driver.advanceWallClockTime(1000)
    const [letter] = driver.createOutputTopic('dead', string, string).readRecordsToList()
    expect(letter).toMatchObject({ key: 'k', value: 'x', timestamp: NOW + 1000 })
    const time = letter?.headers.last('__lanescope.errors.timestamp') as Uint8Array
    expect(new TextDecoder().decode(time)).toBe(String(NOW + days(60)))
  })

  it('[F3] [P1] error: it is fatal', async () => {
    const { driver } = daily(NOW + days(60), {
      'future-timestamp.guard': 'error',
      'processing.exception.handler': 'continue',
    })
    await expect(driver.advanceWallClockTime(1000)).rejects.toThrow(FutureTimestampException)
  })

  it('[P1] one that can destroy nothing is none of the guard’s business', async () => {
    const topology = ticking(made({ key: 'k', value: 'x', timestamp: NOW + days(60) }), 1000)
    const driver = new TopologyTestDriver(topology, { 'future-timestamp.check': 'off' }, { initialWallClockMs: NOW })
    await driver.advanceWallClockTime(1000)
    expect(values(driver)).toHaveLength(1)
  })

  function entries(driver: TopologyTestDriver) {
    return (driver.store('per-day') as ReadOnlyWindowStore<string, number>).all().toArray()
  }
})

/** A log with epoch records, that remembers which commits it has taken. */
class KeepingLog extends ScriptedLog {
  readonly internal: InternalTopics = {
    ensure: async (_, partitions) => partitions,
    deleteBelow: async () => undefined,
    last: async (topic) => {
      const value = this.records(topic).at(-1)?.value
      return value === undefined ? undefined : { offset: 0, timestamp: 0, key: null, value, headers: [] }
    },
    bounds: async () => [{ start: 0, end: 0 }],
    replay: async () => undefined,
  }
  taken: ScriptedCommit[] = []

  constructor() {
    super({ in: 1, out: 1 })
    this.committing = async () => void this.taken.push(this.commits.at(-1) as ScriptedCommit)
  }

  records(topic: string): OutputRecord[] {
    return this.taken.flatMap(({ outputs }) => outputs.filter((output) => output.topic === topic))
  }

  /** The values of what is committed to `out`. */
  get values(): string[] {
    return this.records('out').map(({ value }) => new TextDecoder().decode(value as Uint8Array))
  }

  get ticks(): unknown[] {
    return this.records(epochTopicOf('app')).map(
      ({ value }) => JSON.parse(new TextDecoder().decode(value as Uint8Array)).ticks,
    )
  }
}

async function rest(): Promise<void> {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve))
}

const unavailable = () =>
  new StreamError('the log does not answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })

/** An engine over a log of its own, or of an earlier engine, that sends every tick's time to `out`. */
function running({
  log = new KeepingLog(),
  startMs = 0,
  missed = 'one',
  process = () => undefined,
  config = {},
}: {
  log?: KeepingLog
  startMs?: number
  missed?: MissedTicks
  process?: (value: string) => void | Promise<void>
  config?: { [key: string]: unknown }
} = {}) {
  const clock = new ManualClock(startMs)
  const emitted: number[] = []
  const emit = ({ at }: { at: number }) => {
    emitted.push(at)
    return [{ key: 'k', value: String(at) }]
  }
  const topology = new Topology()
    .scheduled('tick', every(100), emit, { ...options, missed })
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      {
        sameKey: true,
        get: () => ({
          process: async (record: Record<string, string>, ctx: Context) => {
            await process(record.value)
            void ctx.forward(record)
          },
        }),
      },
      'tick',
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'work')
  const parsed = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 10,
    'time.watermark-interval-ms': 1_000_000,
    ...config,
  })
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log,
    clock,
    random: new SeededRandom(1),
  })
  const step = async (ms: number) => {
    clock.advance(ms)
    await rest()
  }
  return { engine, log, clock, emitted, step }
}

describe('scheduled sources in a run', () => {
  it('[P1] [E9] a tick comes at its very time, and its time is committed with what it made', async () => {
    const { engine, log, emitted, step } = running()
    await engine.start()
    await step(99)
    expect(emitted).toEqual([])
    await step(1)
    expect(emitted).toEqual([100])
    expect([log.values, log.ticks]).toEqual([['100'], [{ tick: 100 }]])
    await engine.stop()
    expect(log.commits).toHaveLength(1)
  })

  it('[E3] [P1] its records count to epoch.max-records', async () => {
    const { engine, log, step } = running({ config: { 'epoch.max-records': 2, 'commit.interval.ms': 60_000 } })
    await engine.start()
    await step(100)
    expect(log.values).toEqual([])
    await step(100)
    expect(log.values).toEqual(['100', '200'])
    await engine.stop()
    expect(log.commits).toHaveLength(1)
  })

  it('[P1] each tick is told, and where the schedule stands', async () => {
    const { engine, step } = running()
    const told: unknown[] = []
    engine.events.on(['tick-emitted'], (event) => told.push(event))
    await engine.start()
    expect(engine.snapshot().schedules).toEqual([{ source: 'tick', position: 0, nextAt: 100 }])
    await step(100)
    expect(told).toEqual([{ type: 'tick-emitted', source: 'tick', at: 100, records: 1 }])
    expect(engine.snapshot().schedules).toEqual([{ source: 'tick', position: 100, nextAt: 200 }])
    await engine.stop()
  })

  it('[P1] a tick without records is committed too', async () => {
    const log = new KeepingLog()
    const clock = new ManualClock()
    const parsed = parseConfig({ 'application.id': 'app', 'commit.interval.ms': 10 })
    const topology = new Topology()
      .scheduled('tick', every(100), () => [], options)
      .addSink('out', 'out', Produced.with(string, string), 'tick')
    const compiled = topology.compile(parsed)
    const engine = createEngine({ topology: compiled, config: parsed, log, clock, random: new SeededRandom(1) })
    await engine.start()
    for (const ms of [100, 10]) {
      clock.advance(ms)
      await rest()
    }
    expect(log.ticks).toEqual([{ tick: 100 }])
    await engine.stop()
  })

  it.each<[MissedTicks, number[]]>([
    ['one', [400]],
    ['all', [200, 300, 400]],
    ['skip', []],
  ])('[P1] %s: a new process goes on from the committed tick', async (missed, expected) => {
    const first = running()
    await first.engine.start()
    await first.step(100)
    await first.engine.stop()
    const second = running({ log: first.log, startMs: 420, missed })
    await second.engine.start()
    await rest()
    expect(second.emitted).toEqual(expected)
    await second.step(80)
    expect(second.emitted).toEqual([...expected, 500])
    await second.engine.stop()
    expect(first.log.values).toEqual(['100', ...expected.map(String), '500'])
  })

  it.each<MissedTicks>(['one', 'skip'])('[E2] [P1] %s: an aborted tick comes again, at its time', async (missed) => {
    const { engine, log, emitted, step } = running({ missed })
    await engine.start()
    const take = log.committing
    log.committing = () => Promise.reject(unavailable())
    await step(100)
    log.committing = take
    // The restart waits 100 ms (E4), and meanwhile the next tick falls due.
    await step(100)
    expect(emitted).toEqual([100, 100, 200])
    await engine.stop()
    expect(log.values).toEqual(['100', '200'])
  })

  it('[E9] [P1] a commit whose answer was lost counts: its tick does not come again', async () => {
    const { engine, log, emitted, step } = running()
    await engine.start()
    const take = log.committing
    log.committing = async () => {
      await take()
      throw unavailable()
    }
    await step(100)
    log.committing = take
    await step(100)
    await engine.stop()
    expect(emitted).toEqual([100, 200])
    expect(log.values).toEqual(['100', '200'])
  })

  it('[E8] no tick starts in a cut, and what a started tick has queued belongs to the epoch that is cut', async () => {
    const held = gate()
    const { engine, log, emitted, step } = running({
      process: (value) => (value === 'first' ? held.opened : undefined),
      config: { 'lanes.count': 1 },
    })
    log.give('in', 0, 0, [['k', 'first', 1]])
    await engine.start()
    await rest()
    // Queued behind the record that awaits.
    await step(100)
    expect(emitted).toEqual([100])
    // A cut waits for that record now: tick 200 falls due in it.
    log.give('in', 0, 1, [['k', 'second', 2]])
    await step(100)
    expect([emitted, log.commits.length]).toEqual([[100], 0])
    held.open()
    await rest()
    expect([log.values, log.ticks]).toEqual([['first', '100'], [{ tick: 100 }]])
    await engine.stop()
    expect(log.values).toContain('second')
  })

  it('[E8] [P1] a tick is committed whole, however many lanes its records wait on', async () => {
    const log = new KeepingLog()
    const clock = new ManualClock()
    const held = gate()
    const parsed = parseConfig({ 'application.id': 'app', 'commit.interval.ms': 10, 'lanes.count': 4 })
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    const topology = new Topology()
      .scheduled('tick', every(100), () => keys.map((key) => ({ key, value: key })), options)
      .addProcessor(
        'work',
        {
          sameKey: true,
          get: () => ({
            process: async (record: Record<string, string>, ctx: Context) => {
              if (record.key === 'a') await held.opened
              void ctx.forward(record)
            },
          }),
        },
        'tick',
      )
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const compiled = topology.compile(parsed)
    const engine = createEngine({ topology: compiled, config: parsed, log, clock, random: new SeededRandom(1) })
    await engine.start()
    for (const ms of [100, 50]) {
      clock.advance(ms)
      await rest()
    }
    expect(log.commits).toEqual([])
    held.open()
    await rest()
    expect([log.values.sort(), log.ticks]).toEqual([keys, [{ tick: 100 }]])
    await engine.stop()
  })

  it('[L7] no tick starts while its lanes are over capacity', async () => {
    const held = gate()
    const { engine, emitted, step } = running({
      process: () => held.opened,
      config: { 'lanes.count': 1, 'lanes.queue-capacity': 1, 'commit.interval.ms': 1_000_000 },
    })
    await engine.start()
    // One runs, one waits, and one more is over capacity.
    for (let i = 0; i < 5; i++) await step(100)
    expect(emitted).toEqual([100, 200, 300])
    held.open()
    await rest()
    await step(10)
    expect(emitted).toEqual([100, 200, 300, 500])
    await engine.stop()
  })

  it('[G1] an emit that throws ends the run', async () => {
    const { engine, step } = running({ missed: 'one' })
    await engine.start()
    await step(100)
    await engine.stop()
    expect(await engine.finished).toBeUndefined()
    const parsed = parseConfig({ 'application.id': 'app' })
    const clock = new ManualClock()
    const failing = new Topology()
      .scheduled(
        'tick',
        every(100),
        () => {
          throw new Error('boom')
        },
        options,
      )
      .addSink('out', 'out', Produced.with(string, string), 'tick')
    const other = createEngine({
      topology: failing.compile(parsed),
      config: parsed,
      log: new KeepingLog(),
      clock,
      random: new SeededRandom(1),
    })
    await other.start()
    clock.advance(100)
    expect((await other.finished)?.message).toContain('Node "tick" failed in its tick of 100: boom')
  })
})
