import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  fromHex,
  Headers,
  long,
  Produced,
  type Record,
  Stores,
  string,
  Topology,
} from '../index.js'
import { TopologyTestDriver } from './index.js'

type Context = CallbackContext<string, string, string>
type Process = (record: Record<string, string>, ctx: Context) => unknown

const text = Consumed.with(string, string)

function single(process: Process, extra: object = {}, hooks: object = {}): Topology {
  return new Topology()
    .addSource('in', text, 'in')
    .addProcessor('work', { get: () => ({ process, ...hooks }) as never, ...extra }, 'in')
    .addSink('out', 'out', Produced.with(string, string), 'work')
}

const pass: Process = (record, ctx) => ctx.forward(record)

function drive(topology: Topology, config: { readonly [key: string]: unknown } = {}) {
  const driver = new TopologyTestDriver(topology, config)
  return {
    driver,
    input: driver.createInputTopic('in', string, string),
    output: driver.createOutputTopic('out', string, string),
  }
}

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )

describe('input topics', () => {
  it('[D1] an unknown one is refused by name, a topic that is only written too', () => {
    const { driver } = drive(single(pass))
    for (const topic of ['nowhere', 'out']) {
      expect(() => driver.createInputTopic(topic, string, string)).toThrow(
        expect.objectContaining({ code: 'TOPIC_MISSING', message: expect.stringContaining(`"${topic}"`) }),
      )
    }
  })

  it('[D1] a pattern is an input by every name it matches, each time it is asked', async () => {
    const topology = new Topology()
      .addSource('in', text, /^in-\d$/)
      .addProcessor('work', { get: () => ({ process: pass as never }) }, 'in')
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const driver = new TopologyTestDriver(topology)
    expect(() => driver.createInputTopic('in-x', string, string)).toThrow(/Unknown input topic/)
    for (const topic of ['in-1', 'in-1', 'in-2'])
      await driver.createInputTopic(topic, string, string).pipeInput('a', topic, 1)
    expect(driver.createOutputTopic('out', string, string).readRecordsToList()).toHaveLength(3)
  })

  it('start at 0 and stand, unless told to start and to advance; a time that is given does not advance them', async () => {
    const { driver, input, output } = drive(single(pass))
    const timed = driver.createInputTopic('in', string, string, { startMs: 100, autoAdvanceMs: 10 })
    await input.pipeInput('a', 'x')
    await input.pipeInput('a', 'x')
    await timed.pipeInput('a', 'x')
    await timed.pipeInput('a', 'x', 7)
    await timed.pipeInput('a', 'x')
    expect(output.readRecordsToList().map(({ timestamp }) => timestamp)).toEqual([0, 0, 100, 7, 110])
  })

  it('takes nulls and headers as they are', async () => {
    const { input, output } = drive(single(pass))
    const headers = Headers.empty.with('h', fromHex('01'))
    await input.pipeInput(null, null, 1, headers)
    const record = output.readRecord()
    expect([record.key, record.value, record.headers.toArray()]).toEqual([null, null, headers.toArray()])
  })
})

describe('output topics', () => {
  it('[D1] says which topic is empty', async () => {
    const { input, output } = drive(single(pass))
    expect(output.isEmpty).toBe(true)
    expect(() => output.readRecord()).toThrow('Empty topic: out')
    await input.pipeInput('a', 'x', 1)
    expect(output.isEmpty).toBe(false)
    output.readRecord()
    expect(() => output.readRecord()).toThrow(expect.objectContaining({ code: 'ILLEGAL_STATE' }))
  })

  it('gives each record once, in order, decoded or raw', async () => {
    const { input, output } = drive(single(pass))
    for (const value of ['1', '2', '3', '4']) await input.pipeInput('a', value, 1)
    expect(output.readRecord().value).toBe('1')
    expect(output.readKeyValuesToList()).toEqual([
      ['a', '2'],
      ['a', '3'],
      ['a', '4'],
    ])
    expect(output.isEmpty).toBe(true)
    await input.pipeInput('a', '5', 9)
    expect(output.readRawToList()).toMatchObject([{ topic: 'out', partition: 0, key: fromHex('61'), timestamp: 9 }])
    expect(output.readRecordsToList()).toEqual([])
  })
})

describe('a step', () => {
  it('[D1] takes what the topology sends to a topic that it reads as input, before it is over', async () => {
    const looping = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              const value = `${record.value}x`
              void ctx.forward({ key: record.key, value }, value.length < 4 ? 'again' : 'out')
            },
          }),
        },
        'in',
      )
      .addSink('again', 'in', Produced.with(string, string), 'work')
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const { driver, input, output } = drive(looping)
    await input.pipeInput('a', 'x', 5)
    expect(output.readRecordsToList()).toMatchObject([{ key: 'a', value: 'xxxx', timestamp: 5 }])
    expect(driver.createOutputTopic('in', string, string).readKeyValuesToList()).toEqual([
      ['a', 'xx'],
      ['a', 'xxx'],
    ])
  })

  it('waits for what is asynchronous, boundaries included', async () => {
    const store = Stores.keyValue('s', string, string)
    const later: Process = async (record, ctx) => {
      await new Promise((resolve) => setImmediate(resolve))
      await ctx.forward(record)
    }
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('a', { get: () => ({ process: later as never }) }, 'in')
      .addProcessor('b', { get: () => ({ process: later as never }), stores: [store] }, 'a')
      .addSink('out', 'out', Produced.with(string, string), 'b')
    const { input, output } = drive(topology, { 'default.key.serde': 'string' })
    await input.pipeInput('a', 'x', 1)
    expect(output.readKeyValuesToList()).toEqual([['a', 'x']])
  })

  it('follows the one before it, though nobody waits', async () => {
    const { input, output } = drive(
      single(async (record, ctx) => {
        await ctx.sleep(1000)
        await ctx.forward(record)
      }),
    )
    const steps = ['1', '2', '3'].map((value) => input.pipeInput('a', value, 1))
    await Promise.all(steps)
    expect(output.readRecordsToList().map(({ value }) => value)).toEqual(['1', '2', '3'])
  })

  it('[D1] may follow one that failed, which has used its offset', async () => {
    const seen: unknown[] = []
    const { driver, input, output } = drive(
      single((record, ctx) => {
        seen.push(ctx.recordMetadata?.offset)
        if (record.value === 'bad') throw new Error('no')
        return ctx.forward(record)
      }),
    )
    await input.pipeInput('a', 'good', 1)
    expect(await messageOf(input.pipeInput('a', 'bad', 2))).toMatch(/"work" failed at in-0 @ 1.*no/)
    await input.pipeInput('a', 'better', 3)
    expect(seen).toEqual([0, 1, 2])
    expect(output.readRecordsToList().map(({ value }) => value)).toEqual(['good', 'better'])
    await driver.close()
  })

  it('may follow one that could not be read', async () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, long), 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            process: ((r: Record<string, number>, ctx: Context) =>
              ctx.forward({ key: r.key, value: String(r.value) })) as never,
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const driver = new TopologyTestDriver(topology)
    const bad = await messageOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(bad).toContain('in-0 @ 0')
    await driver.createInputTopic('in', string, long).pipeInput('a', 5, 2)
    expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([['a', '5']])
  })

  it('tells a failing init, each time, and runs nothing on what is not ready', async () => {
    let processed = 0
    const { driver, input } = drive(
      single(
        () => void processed++,
        {},
        {
          init: () => {
            throw new Error('no room')
          },
        },
      ),
    )
    for (let i = 0; i < 2; i++) expect(await messageOf(input.pipeInput('a', 'x', 1))).toMatch(/"work".*init.*no room/)
    expect(await messageOf(driver.advanceWallClockTime(5))).toMatch(/no room/)
    expect(processed).toBe(0)
    await driver.close()
  })
})

describe('the clocks of the driver', () => {
  const timed = (domain: 'event-time' | 'processing-time') =>
    single(
      (record, ctx) => ctx.timers.register({ key: record.key, at: Number(record.value), domain }),
      { timers: [domain] },
      {
        onTimer: (timer: { key: string; at: number }, ctx: Context) =>
          ctx.forward({ key: timer.key, value: String(timer.at) }),
      },
    )

  it('[T5] advanceWallClockTime fires processing-time timers alone, at equality', async () => {
    const { driver, input, output } = drive(timed('processing-time'))
    await input.pipeInput('a', '10', 99)
    await driver.advanceWallClockTime(9)
    expect([output.isEmpty, driver.pendingTimers('work')]).toEqual([true, 1])
    await driver.advanceWallClockTime(1)
    expect(output.readKeyValuesToList()).toEqual([['a', '10']])
    expect([driver.pendingTimers('work'), driver.pendingTimers('nobody')]).toEqual([0, 0])
    const event = drive(timed('event-time'))
    await event.input.pipeInput('a', '10', 1)
    await event.driver.advanceWallClockTime(1_000_000)
    expect(event.output.isEmpty).toBe(true)
  })

  it('gives the wall clock to callbacks', async () => {
    const seen: number[] = []
    const driver = new TopologyTestDriver(
      single((_record, ctx) => void seen.push(ctx.now)),
      {},
      { initialWallClockMs: 500 },
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'x', 1)
    await driver.advanceWallClockTime(7)
    await input.pipeInput('a', 'x', 1)
    expect(seen).toEqual([500, 507])
  })
})

describe('the driver', () => {
  it('[P4] gives the reading handle of a store, and names one that is not there', async () => {
    const store = Stores.keyValue('s', string, string)
    const { driver, input } = drive(
      single((record, ctx) => ctx.store(store).put(record.key, record.value), { stores: [store] }),
    )
    await input.pipeInput('a', 'x', 1)
    expect((driver.store('s') as { get(key: string): string | undefined }).get('a')).toBe('x')
    expect(() => driver.store('t')).toThrow(
      expect.objectContaining({ code: 'STORE_INVALID', message: expect.stringContaining('"t"') }),
    )
  })

  it('closes its processors once, and takes nothing after it', async () => {
    let closed = 0
    const { driver, input } = drive(single(pass, {}, { close: () => closed++ }))
    await input.pipeInput('a', 'x', 1)
    await driver.close()
    await driver.close()
    expect(closed).toBe(1)
    expect(await messageOf(input.pipeInput('a', 'x', 1))).toContain('closed')
    expect(await messageOf(driver.advanceWallClockTime(1))).toContain('closed')
  })

  it('[A6] runs one lane a sub-topology, and numbers them all', () => {
    const { driver } = drive(single(pass), { 'lanes.count': 8 })
    expect(driver.topology.subTopologies[0]?.laneCount).toBe(8)
  })
})
