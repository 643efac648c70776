import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  fromHex,
  long,
  Produced,
  type Record,
  Stores,
  string,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'

type Context = CallbackContext<string, string, string>

const throwing = (async = false) =>
  new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      {
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            void ctx.forward({ key: record.key, value: 'before' })
            if (record.value !== 'bad') return undefined
            if (!async) throw new Error('cannot take it')
            return Promise.reject(new Error('cannot take it'))
          },
        }),
      },
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'work')

describe('the processing gate', () => {
  it.each([false, true])(
    '[G2] wraps a user exception with node, lane, topic, partition, offset and key (async: %s)',
    async (async) => {
      const h = await harness(throwing(async), { in: 1, out: 1 }, { 'lanes.count': 8 })
      await h.send('in', [
        ['a', 'good', 1],
        ['k0', 'bad', 2],
      ])
      await h.engine.start()
      const failure = await h.engine.finished
      expect(failure).toMatchObject({
        code: 'PROCESSING_FAILED',
        kind: 'user',
        context: { node: 'work', lane: 6, topic: 'in', partition: 0, offset: 1, key: 'k0' },
      })
      expect(failure?.cause).toMatchObject({ message: 'cannot take it' })
    },
  )

  it('[E1] a failed run commits neither outputs nor positions of its epoch', async () => {
    const h = await harness(throwing(), { in: 1, out: 1 }, { 'commit.interval.ms': 60_000 })
    await h.send('in', [
      ['a', 'good', 1],
      ['a', 'bad', 2],
    ])
    await h.engine.start()
    await h.engine.finished
    expect(await h.read('out')).toEqual([])
    const session = await h.log.open('test', ['in'], 'earliest')
    expect(session.assignment).toMatchObject([{ offset: 0, done: [] }])
  })

  it('[G1] continue drops that record, counted and evented; what was forwarded before stays', async () => {
    const h = await harness(throwing(), { in: 1, out: 1 }, { 'processing.exception.handler': 'continue' })
    await h.send('in', [
      ['a', 'bad', 1],
      ['b', 'good', 2],
    ])
    await h.engine.start()
    await h.drained()
    const dropped = await h.event('record-dropped')
    const { counters } = h.engine.snapshot()
    await h.engine.stop()
    expect(dropped).toMatchObject({ reason: 'processing', node: 'work', coordinates: { topic: 'in', offset: 0 } })
    expect(counters['dropped_records_total{reason="processing"}']).toBe(1)
    expect(await h.read('out')).toHaveLength(2)
  })

  it('[G1] asks once, at the node that failed: the parent sees its forward succeed under continue', async () => {
    let parentSaw: unknown = 'nothing'
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'parent',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              try {
                void ctx.forward(record)
              } catch (error) {
                parentSaw = error
              }
            },
          }),
        },
        'in',
      )
      .addProcessor(
        'child',
        {
          get: () => ({
            process: () => {
              throw new Error('no')
            },
          }),
        },
        'parent',
      )
    const driver = new TopologyTestDriver(topology, { 'processing.exception.handler': 'continue' })
    await driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1)
    expect(parentSaw).toBe('nothing')
    expect(driver.counters['dropped_records_total{reason="processing"}']).toBe(1)
  })

  it('[G1] a dead letter is the raw source record with Kafka headers, in the same epoch', async () => {
    const h = await harness(
      throwing(),
      { in: 1, out: 1, dead: 1 },
      {
        'processing.exception.handler': 'continue',
        'errors.dead.letter.queue.topic.name': 'dead',
      },
    )
    await h.send('in', [['a', 'bad', 17]])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    const { records } = await h.log.read('dead', 0, 0, 10)
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ key: fromHex('61'), timestamp: 17 })
    const headers = (records[0]?.headers ?? []).map(({ key, value }) => [key, value && new TextDecoder().decode(value)])
    expect(headers.map(([key]) => key)).toEqual([
      '__streams.errors.exception',
      '__streams.errors.message',
      '__streams.errors.stacktrace',
      '__streams.errors.topic',
      '__streams.errors.partition',
      '__streams.errors.offset',
    ])
    expect(headers[1]).toEqual(['__streams.errors.message', 'cannot take it'])
    expect(headers.slice(3)).toEqual([
      ['__streams.errors.topic', 'in'],
      ['__streams.errors.partition', '0'],
      ['__streams.errors.offset', '0'],
    ])
  })

  it('a topic for dead letters that does not exist is told before the run starts', async () => {
    const h = await harness(throwing(), { in: 1, out: 1 }, { 'errors.dead.letter.queue.topic.name': 'dead' })
    await expect(h.engine.start()).rejects.toMatchObject({ code: 'TOPIC_MISSING', context: { topic: 'dead' } })
  })
})

describe('the deserialization gate', () => {
  const topology = () =>
    new Topology()
      .addSource('in', Consumed.with(string, long), 'in')
      .addProcessor('work', { get: () => ({ process: () => undefined }) }, 'in')

  it('[G1] fail: names topic, partition and offset, and the way out', async () => {
    const h = await harness(topology(), { in: 1 })
    await h.send('in', [['a', 'not eight bytes', 1]])
    await h.engine.start()
    const failure = await h.engine.finished
    expect(failure).toMatchObject({ code: 'DESERIALIZATION_FAILED', context: { topic: 'in', partition: 0, offset: 0 } })
    expect(failure?.message).toContain('default.deserialization.exception.handler')
  })

  it('[G1] [G-94] continue: drops, counts, and commits past it although nothing follows', async () => {
    const h = await harness(topology(), { in: 1 }, { 'default.deserialization.exception.handler': 'continue' })
    await h.send('in', [['a', 'not eight bytes', 1]])
    await h.engine.start()
    await h.drained()
    const { counters } = h.engine.snapshot()
    await h.engine.stop()
    expect(counters['dropped_records_total{reason="deserialization"}']).toBe(1)
    const session = await h.log.open('test', ['in'], 'earliest')
    expect(session.assignment).toMatchObject([{ offset: 1 }])
  })

  it('[W1] a negative timestamp stops the default extractor, and says which ones go on', async () => {
    const h = await harness(topology(), { in: 1 })
    await h.log.append([{ topic: 'in', partition: 0, key: null, value: null, timestamp: -1, headers: [] }])
    await h.engine.start()
    const failure = await h.engine.finished
    expect(failure).toMatchObject({ code: 'TIMESTAMP_INVALID', context: { topic: 'in', partition: 0, offset: 0 } })
    expect(failure?.message).toMatch(/-1.*TimestampExtractor/s)
  })

  it('[G3] nulls: drop takes null keys and values away, counted', async () => {
    const dropping = new Topology()
      .addSource('in', Consumed.with(string, string, { nulls: 'drop' }), 'in')
      .addProcessor('work', { get: () => ({ process: () => undefined }) }, 'in')
    const driver = new TopologyTestDriver(dropping)
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput(null, 'x', 1)
    await input.pipeInput('a', null, 1)
    await input.pipeInput('a', 'x', 1)
    expect(driver.counters['dropped_records_total{reason="dropped_null"}']).toBe(2)
  })
})

describe('the production gate', () => {
  const topology = () =>
    new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: CallbackContext<string, string, unknown>) => {
              void ctx.forward({ key: record.key, value: record.value === 'bad' ? {} : 5 })
            },
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, long), 'work')

  it('[G4] what cannot be written fails inside the callback, naming sink, topic and serde', async () => {
    const driver = new TopologyTestDriver(topology())
    const failure = await driver
      .createInputTopic('in', string, string)
      .pipeInput('a', 'bad', 1)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(failure).toMatchObject({ code: 'PRODUCTION_FAILED', context: { node: 'out', topic: 'in' } })
    expect((failure as Error).message).toMatch(/"long"/)
  })

  it('[G1] continue drops that one output and goes on', async () => {
    const driver = new TopologyTestDriver(topology(), { 'production.exception.handler': 'continue' })
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'bad', 1)
    await input.pipeInput('a', 'good', 2)
    expect(driver.createOutputTopic('out', string, long).readKeyValuesToList()).toEqual([['a', 5]])
    expect(driver.counters['dropped_records_total{reason="production"}']).toBe(1)
  })
})

describe('forward', () => {
  const forwarding = (forward: (record: Record<string, string>, ctx: Context) => void, extra: object = {}) =>
    new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('work', { get: () => ({ process: forward }), ...extra }, 'in')
      .addSink('one', 'one', Produced.with(string, string), 'work')
      .addSink('two', 'two', Produced.with(string, string), 'work')

  const pipe = async (topology: Topology) => {
    const driver = new TopologyTestDriver(topology)
    await driver.createInputTopic('in', string, string).pipeInput('a', 'x', 7)
    return ['one', 'two'].map((topic) => driver.createOutputTopic(topic, string, string).readRecordsToList())
  }

  it('goes to all children, or to the one that is named', async () => {
    const [one, two] = await pipe(
      forwarding((record, ctx) => {
        void ctx.forward(record)
        void ctx.forward({ ...record, value: 'only two' }, 'two')
      }),
    )
    expect([one?.map((r) => r.value), two?.map((r) => r.value)]).toEqual([['x'], ['x', 'only two']])
    expect(one?.[0]?.timestamp).toBe(7)
  })

  it('names the children when there is none of that name', async () => {
    await expect(pipe(forwarding((record, ctx) => void ctx.forward(record, 'three')))).rejects.toThrow(
      /"three".*"one", "two"/,
    )
  })

  it.each([-1, 1.5, 2 ** 53, Number.NaN])('[W1] refuses the timestamp %s', async (timestamp) => {
    await expect(pipe(forwarding((record, ctx) => void ctx.forward({ ...record, timestamp })))).rejects.toThrow(
      /timestamp/,
    )
  })

  it('[B6] checks at forward what sameKey promises', async () => {
    const same = await pipe(
      forwarding((record, ctx) => void ctx.forward({ ...record, key: ['a'].join('') }), { sameKey: true }),
    )
    expect(same[0]).toHaveLength(1)
    await expect(
      pipe(forwarding((record, ctx) => void ctx.forward({ ...record, key: 'b' }), { sameKey: true })),
    ).rejects.toThrow(/sameKey/)
  })

  it('a store that is not connected is refused with its name', async () => {
    const store = Stores.keyValue('mine', string, string)
    await expect(pipe(forwarding((_record, ctx) => void ctx.store(store)))).rejects.toThrow(/"work".*"mine"/)
  })
})
