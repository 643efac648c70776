import { describe, expect, it } from 'vitest'
import {
  byteArray,
  type CallbackContext,
  Consumed,
  long,
  type Record,
  Repartitioned,
  Stores,
  StreamsBuilder,
  string,
  Topology,
  toHex,
} from '../index.js'
import { TopologyTestDriver } from './index.js'

const kafka = {
  'application.id': 'app',
  compat: 'kafka-streams',
  'default.key.serde': 'string',
  'default.value.serde': 'string',
}

type Context = CallbackContext<any, any, any>

/** Sends on what a processor behind a repartition is told about its record. */
function told(options: Repartitioned<any, any>, extra: object = {}) {
  const builder = new StreamsBuilder()
  builder
    .stream('in', Consumed.with(string, string))
    .selectKey((_key, value) => value)
    .repartition(options)
    .process(() => ({
      process: (record: Record<any, any>, ctx: Context) => {
        const { topic, partition, offset } = ctx.recordMetadata ?? {}
        void ctx.forward({ ...record, value: `${topic}/${partition}/${offset}` })
      },
    }))
    .to('out')
  return new TopologyTestDriver(builder.build(), { ...kafka, ...extra })
}

describe('a repartition topic of the driver under compat: kafka-streams', () => {
  it('[D1] holds what crosses, and gives it coordinates of its own', async () => {
    const driver = told(Repartitioned.as('rp'))
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k', 'a', 7)
    await input.pipeInput('k', null, 8)
    await input.pipeInput('k', 'b', 9)
    const topic = driver.createOutputTopic('app-rp-repartition', byteArray, byteArray)
    const rows = topic.readRecordsToList().map((record) => [toHex(record.key as Uint8Array), record.timestamp])
    expect(rows).toEqual([
      ['61', 7],
      ['62', 9],
    ])
    const out = driver.createOutputTopic('out', string, string).readKeyValuesToList()
    expect(out).toEqual([
      ['a', 'app-rp-repartition/0/0'],
      ['b', 'app-rp-repartition/0/1'],
    ])
  })

  it('[D1] refuses what its value serde cannot write, where the engine would cross in memory', async () => {
    const wrong = () => told(Repartitioned.as<any, any>('rp').withValueSerde(long))
    const pipe = wrong().createInputTopic('in', string, string).pipeInput('k', 'a', 1)
    await expect(pipe).rejects.toMatchObject({ code: 'SERIALIZATION_FAILED', message: /"app-rp-repartition".*long/ })
  })

  it('[D1] is not there when nothing is emulated', async () => {
    const driver = told(Repartitioned.as('rp'), { compat: 'repair' })
    await driver.createInputTopic('in', string, string).pipeInput('k', 'a', 7)
    expect([...driver.producedTopicNames()]).toEqual(['out'])
    expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([['a', 'in/0/0']])
  })
})

describe('offsets of the driver', () => {
  const where = (...topics: (string | RegExp)[]) =>
    new Topology()
      .addSource('in', Consumed.with(string, string), ...topics)
      .addProcessor(
        'work',
        {
          get: () => ({
            process: (record: Record<any, any>, ctx: Context) =>
              ctx.forward({ ...record, value: `${ctx.recordMetadata?.topic}/${ctx.recordMetadata?.offset}` }),
          }),
        },
        'in',
      )
      .addSink('out', 'out', 'work')

  it.each([
    ['are of each topic that is named', ['in-a', 'in-b'], ['in-a/0', 'in-b/0', 'in-a/1']],
    ['are of all topics of a pattern together', [/in-./], ['in-a/0', 'in-b/1', 'in-a/2']],
  ])('[D1] %s', async (_title, topics, expected) => {
    const driver = new TopologyTestDriver(where(...topics), kafka)
    for (const topic of ['in-a', 'in-b', 'in-a']) {
      await driver.createInputTopic(topic, string, string).pipeInput('k', 'v', 1)
    }
    expect(
      driver
        .createOutputTopic('out', string, string)
        .readKeyValuesToList()
        .map(([, value]) => value),
    ).toEqual(expected)
  })
})

it('[W7] [G-81] a callback sees at least the time of its record in stream time, and never less than before', async () => {
  const seen: number[] = []
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      { get: () => ({ process: (_record: unknown, ctx: Context) => void seen.push(ctx.eventTime) }) },
      'in',
    )
  const input = new TopologyTestDriver(topology).createInputTopic('in', string, string)
  for (const timestamp of [5, 3, 9]) await input.pipeInput('k', 'v', timestamp)
  expect(seen).toEqual([5, 5, 9])
})

it('[W7] in watermark mode a callback sees the watermark, not the time of its record', async () => {
  const seen: number[] = []
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      { get: () => ({ process: (_record: unknown, ctx: Context) => void seen.push(ctx.eventTime) }) },
      'in',
    )
  const config = { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 2 }
  const input = new TopologyTestDriver(topology, config).createInputTopic('in', string, string)
  for (const timestamp of [5, 9]) await input.pipeInput('k', 'v', timestamp)
  expect(seen[0]).toBe(-1)
  expect(seen[1]).toBeLessThan(5)
})

it('[G1] the processing handler hears of a global store only when it is told to, and then as of any other', async () => {
  const run = async (enabled: boolean) => {
    const builder = new StreamsBuilder()
    const failing = () => ({
      process: () => {
        throw new Error('no')
      },
    })
    builder.addGlobalStore(Stores.inMemoryKeyValue('gs', string, string), 'g', Consumed.with(string, string), failing)
    builder.stream('in', Consumed.with(string, string)).to('out')
    const driver = new TopologyTestDriver(builder.build(), {
      ...kafka,
      'processing.exception.handler': 'continue',
      'processing.exception.handler.global.enabled': enabled,
    })
    const failed = await driver
      .createInputTopic('g', string, string)
      .pipeInput('k', 'v', 1)
      .then(
        () => false,
        () => true,
      )
    return { failed, dropped: driver.metrics().get('dropped-records-total') }
  }
  expect(await run(false)).toEqual({ failed: true, dropped: 0 })
  expect(await run(true)).toEqual({ failed: false, dropped: 1 })
})

describe('a punctuator that throws', () => {
  const fired = async (config: { readonly [key: string]: unknown }) => {
    const times: number[] = []
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'work',
      {
        get: () => ({
          init: (context) => {
            context.schedule(10, 'stream-time', (at) => {
              times.push(at)
              throw new Error('no')
            })
          },
          process: () => undefined,
        }),
      },
      'in',
    )
    const input = new TopologyTestDriver(topology, config).createInputTopic('in', string, string)
    for (const at of [1, 15, 25]) await input.pipeInput('k', 'v', at).catch(() => undefined)
    return times
  }

  it('[D1] never fires again under compat: kafka-streams, unless the handler lets it go on', async () => {
    expect(await fired(kafka)).toEqual([1])
    expect(await fired({ ...kafka, 'processing.exception.handler': 'continue' })).toEqual([1, 15, 25])
  })

  it('[W5] fires on otherwise', async () => {
    expect(await fired({})).toEqual([1, 15, 25])
  })
})
