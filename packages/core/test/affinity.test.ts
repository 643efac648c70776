import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type Deserializer,
  fromHex,
  json,
  Named,
  type Record,
  StreamsBuilder,
  string,
  TimerLaneAffinityException,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'

type Context = CallbackContext<string, string, string>

const unquote: Deserializer<string> = {
  deserialize: (_topic, _headers, bytes) => new TextDecoder().decode(bytes).replace(/"/g, ''),
}

/** Registers by `process`; what that throws is up to `process`. */
function guarded(process: (record: Record<string, string>, ctx: Context) => void | Promise<void>): Topology {
  return new Topology()
    .addSource('in', unquote, string, 'in')
    .addProcessor('timed', { timers: ['event-time'], get: () => ({ process, onTimer: () => undefined }) }, 'in')
}

const register = (key: string, ctx: Context) => ctx.timers.register({ key, at: 50, domain: 'event-time' })

function drive(topology: Topology, config: { [key: string]: unknown } = {}) {
  const driver = new TopologyTestDriver(topology, {
    'application.id': 'a',
    'default.key.serde': 'string',
    'lanes.count': 8,
    ...config,
  })
  const split: { proven: number; sampled: number } = { proven: 0, sampled: 0 }
  const logs: string[] = []
  driver.events.on(['lane-split-proven', 'lane-split-sampled', 'log'], (event) => {
    if (event.type === 'lane-split-proven') split.proven++
    if (event.type === 'lane-split-sampled') split.sampled++
    if (event.type === 'log') logs.push(`${event.level} ${event.message}`)
  })
  return { driver, split, logs, input: driver.createInputTopic('in', json<string>(), string) }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the guard', () => {
  it('[A2] error: registers nothing, logs key, bytes and lanes, and is fatal', async () => {
    const { driver, input, split, logs } = drive(guarded((record, ctx) => register(record.key, ctx)))
    const error = (await failure(input.pipeInput('k0', 'x', 1))) as TimerLaneAffinityException
    expect(error).toBeInstanceOf(TimerLaneAffinityException)
    expect(error.fatal).toBe(true)
    expect(error.split).toEqual({
      node: 'timed',
      key: 'k0',
      recordBytes: fromHex('226b3022'),
      timerBytes: fromHex('6b30'),
      recordLane: 0,
      timerLane: 6,
      laneCount: 8,
    })
    expect(driver.pendingTimers('timed')).toBe(0)
    expect(split.proven).toBe(1)
    const line = logs.find((log) => log.startsWith('error')) as string
    for (const part of ['k0', '22 6b 30 22', '6b 30', 'lane 0', 'lane 6']) expect(line).toContain(part)
  })

  it('[A2] is not asked whether to go on: the processing handler does not see it', async () => {
    const { input } = drive(
      guarded((record, ctx) => register(record.key, ctx)),
      { 'processing.exception.handler': 'continue' },
    )
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A2] judges a delete as well', async () => {
    const { input } = drive(
      guarded((record, ctx) => ctx.timers.delete({ key: record.key, at: 50, domain: 'event-time' })),
    )
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A2] judges a timer key that equals the record key by its bytes, though it is another object', async () => {
    // Spaces on the wire, none in what the default writes: lanes 1 and 4 of 8.
    const spaced: Deserializer<{ id: number }> = {
      deserialize: (_topic, _headers, bytes) => JSON.parse(new TextDecoder().decode(bytes)),
    }
    const topology = new Topology()
      .addSource('in', spaced, string, 'in')
      .addProcessor<{ id: number }, string, string, string>(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process: ({ key: { id } }, ctx) => ctx.timers.register({ key: { id }, at: 50, domain: 'event-time' }),
            onTimer: () => undefined,
          }),
        },
        'in',
      )
    const { driver } = drive(topology, { 'default.key.serde': 'json' })
    const input = driver.createInputTopic('in', string, string)
    const error = (await failure(input.pipeInput('{ "id": 0 }', 'x', 1))) as TimerLaneAffinityException
    expect(error).toBeInstanceOf(TimerLaneAffinityException)
    expect([error.split.recordLane, error.split.timerLane]).toEqual([1, 4])
  })

  it('[A2] does not judge timers for other keys', async () => {
    const { driver, input } = drive(guarded((_record, ctx) => register('k0', ctx)))
    await input.pipeInput('other', 'x', 1)
    expect(driver.pendingTimers('timed')).toBe(1)
  })

  it('[A2] warn: registers on the lane of its own bytes, counts and events each, logs once a minute', async () => {
    const h = await harness(
      guarded((record, ctx) => register(record.key, ctx)),
      { in: 1 },
      {
        'lanes.count': 8,
        'timer.lane-affinity.guard': 'warn',
        'timer.lane-affinity.sampled-check': 'off',
        'time.mode': 'stream-time',
      },
    )
    let logged = 0
    let proven = 0
    h.engine.events.on(['log', 'lane-split-proven'], (event) => {
      if (event.type === 'log' && event.level === 'warn' && event.message.includes('k0')) logged++
      if (event.type === 'lane-split-proven') proven++
    })
    await h.send('in', [
      ['"k0"', 'x', 1],
      ['"k0"', 'x', 2],
      ['"k0"', 'x', 3],
      ['"z"', 'x', 100],
    ])
    await h.engine.start()
    const fired = await h.event('timer-fired', (event) => event.key === 'k0')
    await h.drained()
    const node = h.engine.snapshot().nodes.find((candidate) => candidate.node === 'timed')
    await h.engine.stop()
    expect(fired.lane).toBe(6)
    expect(proven).toBeGreaterThanOrEqual(3)
    expect(node?.timers?.splits).toBe(proven)
    expect(logged).toBe(1)
  })

  it('[A2] off: says nothing', async () => {
    const { driver, input, split } = drive(
      guarded((record, ctx) => register(record.key, ctx)),
      {
        'timer.lane-affinity.guard': 'off',
        'timer.lane-affinity.sampled-check': 'off',
      },
    )
    await input.pipeInput('k0', 'x', 1)
    expect(driver.pendingTimers('timed')).toBe(1)
    expect(split).toEqual({ proven: 0, sampled: 0 })
  })

  it('[A3] is thrown again when the processor that caught it returns', async () => {
    const { input } = drive(
      guarded((record, ctx) => {
        try {
          register(record.key, ctx)
        } catch {
          // A user who thinks he has dealt with it.
        }
      }),
    )
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A3] also when it was caught in an asynchronous processor, or another error took its place', async () => {
    const { input } = drive(
      guarded(async (record, ctx) => {
        await Promise.resolve()
        try {
          register(record.key, ctx)
        } catch {
          throw new Error('mine')
        }
      }),
    )
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A3] also when an upstream processor caught it around forward', async () => {
    const topology = new Topology()
      .addSource('in', unquote, string, 'in')
      .addProcessor(
        'careful',
        {
          sameKey: true,
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              try {
                void ctx.forward(record)
              } catch {
                // Swallowed.
              }
            },
          }),
        },
        'in',
      )
      .addProcessor(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => register(record.key, ctx),
            onTimer: () => undefined,
          }),
        },
        'careful',
      )
    const { input } = drive(topology)
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
  })
})

describe('the sampled check', () => {
  const silent = () => guarded(() => undefined)

  it('[A4] exists at 0 from the start', () => {
    expect(drive(silent()).driver.counters['timer_lane_mismatch_total{node="timed"}']).toBe(0)
  })

  it('[A4] [A6] warn: counts every split in the driver, logs once per processor, and goes on', async () => {
    const { driver, input, split, logs } = drive(silent())
    for (let i = 0; i < 70; i++) await input.pipeInput('k0', 'x', i)
    expect(driver.counters['timer_lane_mismatch_total{node="timed"}']).toBe(70)
    expect(split.sampled).toBe(70)
    expect(logs.filter((line) => line.startsWith('warn'))).toHaveLength(1)
  })

  it('[A4] error: throws before process', async () => {
    let processed = 0
    const { input } = drive(
      guarded(() => void processed++),
      { 'timer.lane-affinity.sampled-check': 'error' },
    )
    expect(await failure(input.pipeInput('k0', 'x', 1))).toBeInstanceOf(TimerLaneAffinityException)
    expect(processed).toBe(0)
  })

  it('[A4] off: counts nothing', async () => {
    const { driver, input } = drive(silent(), { 'timer.lane-affinity.sampled-check': 'off' })
    await input.pipeInput('k0', 'x', 1)
    expect(driver.counters['timer_lane_mismatch_total{node="timed"}']).toBe(0)
  })

  it('[A4] in a run looks at the first 64 records of a lane, then at one in 4,096', async () => {
    const h = await harness(silent(), { in: 1 }, { 'lanes.count': 8 })
    const records = Array.from({ length: 64 + 4096 }, (_, i) => ['"k0"', 'x', i] as const)
    await h.send('in', records)
    await h.engine.start()
    await h.drained()
    const { counters } = h.engine.snapshot()
    await h.engine.stop()
    expect(counters['timer_lane_mismatch_total{node="timed"}']).toBe(65)
  })

  it('[A5] encodings that differ and share a lane are never reported', async () => {
    const { driver, input, split } = drive(guarded((record, ctx) => register(record.key, ctx)))
    for (const key of ['k12', 'k13', 'k14']) await input.pipeInput(key, 'x', 1)
    expect(split).toEqual({ proven: 0, sampled: 0 })
    expect(driver.pendingTimers('timed')).toBe(3)
  })

  it('[A8] nothing is checked over one lane, nor for null keys', async () => {
    const one = drive(silent(), { 'lanes.count': 1 })
    await one.input.pipeInput('k0', 'x', 1)
    expect(one.split.sampled).toBe(0)
    const nulls = drive(silent())
    await nulls.input.pipeInput(null, 'x', 1)
    expect(nulls.split.sampled).toBe(0)
  })

  it('[A8] nothing is checked where the partition picked the lane', async () => {
    const { Consumed } = await import('../src/index.js')
    const topology = new Topology()
      .addSource('in', Consumed.deserializers(unquote, string).laneBy('partition'), 'in')
      .addProcessor(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => register(record.key, ctx),
            onTimer: () => undefined,
          }),
        },
        'in',
      )
    const { driver, input, split } = drive(topology)
    await input.pipeInput('k0', 'x', 1)
    expect(split).toEqual({ proven: 0, sampled: 0 })
    expect(driver.pendingTimers('timed')).toBe(1)
  })

  it('[A6] judges over 16 lanes when nothing is said, whatever the machine', async () => {
    const { driver } = drive(silent(), { 'lanes.count': undefined })
    expect(driver.topology.subTopologies[0]?.laneCount).toBe(16)
  })
})

describe('the sampled check without timers', () => {
  const counter = 'timer_lane_mismatch_total{node="count"}'

  /** Two topics feed one store: the keys of `quoted` have quotes on the wire, those of `plain` have none. */
  function merged(ways = ['plain', 'quoted']): Topology {
    const builder = new StreamsBuilder()
    const streams = ways.map((topic) =>
      builder.stream(
        topic,
        topic === 'plain' ? Consumed.with(string, string) : Consumed.deserializers(unquote, string),
      ),
    )
    const [first, second] = streams
    const all = second === undefined ? first : first?.merge(second)
    all?.groupByKey().count(Named.as('count'))
    return builder.build()
  }

  it('[A9] [A4] finds the key that comes to a store on two lanes, and goes on', async () => {
    const { driver, split, logs } = driveMerged(merged())
    expect(driver.counters[counter]).toBe(0)
    await driver.createInputTopic('plain', string, string).pipeInput('k0', 'x', 1)
    expect(driver.counters[counter]).toBe(0)
    const quoted = driver.createInputTopic('quoted', json<string>(), string)
    await quoted.pipeInput('k0', 'x', 2)
    await quoted.pipeInput('k0', 'x', 3)
    expect([driver.counters[counter], split.sampled, split.proven]).toEqual([2, 2, 0])
    expect(logs.filter((line) => line.includes('"count" keeps a store'))).toHaveLength(1)
  })

  it('[A4] error: stops before the store is touched', async () => {
    const { driver } = driveMerged(merged(), { 'timer.lane-affinity.sampled-check': 'error' })
    const error = await failure(driver.createInputTopic('quoted', json<string>(), string).pipeInput('k0', 'x', 2))
    expect(error).toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A9] one way in needs no check', () => {
    const { driver } = driveMerged(merged(['plain']))
    expect(driver.counters).not.toHaveProperty([counter])
  })

  function driveMerged(topology: Topology, config: { [key: string]: unknown } = {}) {
    const driver = new TopologyTestDriver(topology, { 'default.key.serde': 'string', 'lanes.count': 8, ...config })
    const split = { proven: 0, sampled: 0 }
    const logs: string[] = []
    driver.events.on(['lane-split-proven', 'lane-split-sampled', 'log'], (event) => {
      if (event.type === 'lane-split-proven') split.proven++
      if (event.type === 'lane-split-sampled') split.sampled++
      if (event.type === 'log') logs.push(event.message)
    })
    return { driver, split, logs }
  }
})
