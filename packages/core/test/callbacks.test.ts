import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type Deserializer,
  type EngineEvent,
  fromHex,
  Headers,
  long,
  Produced,
  partitionOf,
  type Record,
  Repartitioned,
  type Serde,
  Stores,
  type StreamPartitioner,
  StreamsBuilder,
  string,
  TimerLaneAffinityException,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { gate, harness } from './harness.js'

type Context = CallbackContext<string, string, any>
type Process = (record: Record<string, string>, ctx: Context) => unknown

const text = Consumed.with(string, string)

/** in → parent → child → out */
function chain(parent: Process, child: Process, extra: object = {}): Topology {
  return new Topology()
    .addSource('in', text, 'in')
    .addProcessor('parent', { get: () => ({ process: parent as never }), ...extra }, 'in')
    .addProcessor('child', { get: () => ({ process: child as never }) }, 'parent')
    .addSink('out', 'out', Produced.with(string, string), 'child')
}

const CONTINUE = { 'processing.exception.handler': 'continue' }
const tick = () => new Promise((resolve) => setImmediate(resolve))
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a callback that throws', () => {
  it.each(['at once', 'later'])(
    '[L1] keeps its lane until what it forwarded has settled, when it throws %s',
    async (when) => {
      const hold = gate()
      const trace: string[] = []
      const topology = chain(
        (record, ctx) => {
          trace.push(`parent ${record.value}`)
          void ctx.forward(record)
          if (when === 'at once') throw new Error('no')
          return Promise.reject(new Error('no'))
        },
        async (record, ctx) => {
          if (record.value === '1') await hold.opened
          trace.push(`child ${record.value}`)
          void ctx.forward(record)
        },
      )
      const h = await harness(topology, { in: 1, out: 1 }, { ...CONTINUE, 'lanes.count': 1 })
      await h.send('in', [
        ['a', '1', 1],
        ['a', '2', 2],
      ])
      await h.engine.start()
      await h.event('record-dispatched')
      await tick()
      expect(trace).toEqual(['parent 1'])
      hold.open()
      await h.drained()
      await h.engine.stop()
      expect(trace).toEqual(['parent 1', 'child 1', 'parent 2', 'child 2'])
      expect(await h.read('out')).toHaveLength(2)
      expect(h.engine.snapshot().counters['dropped_records_total{reason="processing"}']).toBe(2)
    },
  )

  it('[G1] does not hide that its child could not be produced', async () => {
    const topology = chain(
      (record, ctx) => {
        void ctx.forward(record)
        throw new Error('mine')
      },
      async (_record, ctx) => {
        await Promise.resolve()
        void ctx.forward({ key: 'a', value: 5 as never })
      },
    )
    const driver = new TopologyTestDriver(topology, CONTINUE)
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(failure).toMatchObject({ code: 'PRODUCTION_FAILED', context: { node: 'out', lane: expect.any(Number) } })
  })

  it('[L10] a child that fails while its parent awaits something else ends the run once, and not the process', async () => {
    const topology = chain(
      async (record, ctx) => {
        void ctx.forward(record)
        await tick()
        await tick()
      },
      () => Promise.reject(new Error('child')),
    )
    const driver = new TopologyTestDriver(topology)
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(failure).toMatchObject({ code: 'PROCESSING_FAILED', context: { node: 'child' } })
  })

  it('[L10] a forward behind one that failed does not reach the child', async () => {
    const seen: string[] = []
    const topology = chain(
      (record, ctx) => {
        void ctx.forward({ key: record.key, value: '1' })
        void ctx.forward({ key: record.key, value: '2' })
      },
      async (record) => {
        seen.push(record.value)
        throw new Error('no')
      },
    )
    const driver = new TopologyTestDriver(topology)
    await failureOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(seen).toEqual(['1'])
  })
})

describe('what a callback is given', () => {
  it.each([
    [true, 1],
    [undefined, 2],
  ])(
    '[L10] one context for all callbacks where none may wait, else each its own (sync: %s)',
    async (sync, contexts) => {
      const seen = new Set<unknown>()
      const topology = chain(
        (_record, ctx) => void seen.add(ctx),
        () => undefined,
        sync ? { sync } : {},
      )
      const driver = new TopologyTestDriver(topology, { 'lanes.count': 1 })
      const input = driver.createInputTopic('in', string, string)
      for (const value of ['1', '2']) await input.pipeInput('a', value, 1)
      expect(seen.size).toBe(contexts)
    },
  )
})

describe('what a callback returns', () => {
  it.each([true, undefined])('[L8] a value that is no promise is no reason to wait (sync: %s)', async (sync) => {
    // biome-ignore lint/suspicious/noThenProperty: it is no function, and so nothing that could be awaited.
    for (const returned of [1, null, { size: 1 }, { then: 1 }]) {
      const seen: string[] = []
      const topology = chain(
        (record, ctx) => {
          void ctx.forward(record)
          seen.push(record.value)
          return returned
        },
        (record, ctx) => {
          void ctx.forward(record)
          return returned
        },
        sync ? { sync } : {},
      )
      const driver = new TopologyTestDriver(topology)
      const piped = driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1)
      await piped
      expect(seen).toEqual(['x'])
      expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([['a', 'x']])
    }
  })

  it('[L10] a thenable without catch is a promise, also one that a sync supplier may not return', async () => {
    class Lazy {
      // biome-ignore lint/suspicious/noThenProperty: what is no Promise but can be awaited is the point
      then(resolve: () => void): void {
        resolve()
      }
    }
    const thenable = () => new Lazy()
    const sync = new TopologyTestDriver(chain(thenable, () => undefined, { sync: true }))
    const failure = await failureOf(sync.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(failure).toMatchObject({ code: 'SYNC_CALLBACK_RETURNED_PROMISE', context: { node: 'parent' } })
    const plain = new TopologyTestDriver(chain(thenable, () => undefined))
    await plain.createInputTopic('in', string, string).pipeInput('a', 'x', 1)
  })

  it('[L10] a refused promise that rejects is told once, as the refusal', async () => {
    const driver = new TopologyTestDriver(
      chain(
        () => Promise.reject(new Error('lost')),
        () => undefined,
        { sync: true },
      ),
    )
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(failure).toMatchObject({ code: 'SYNC_CALLBACK_RETURNED_PROMISE' })
    await tick()
  })
})

describe('records', () => {
  it.each([0, Number.MAX_SAFE_INTEGER])(
    '[W1] the timestamp %d goes through, over a boundary and with its headers',
    async (at) => {
      const store = Stores.keyValue('seen', string, string)
      const topology = new Topology()
        .addSource('in', text, 'in')
        .addProcessor(
          'parent',
          { get: () => ({ process: (record: Record<string, string>, ctx: Context) => ctx.forward(record) }) },
          'in',
        )
        .addProcessor(
          'child',
          {
            get: () => ({ process: (record: Record<string, string>, ctx: Context) => ctx.forward(record) }),
            stores: [store],
          },
          'parent',
        )
        .addSink('out', 'out', Produced.with(string, string), 'child')
      const driver = new TopologyTestDriver(topology, { 'default.key.serde': 'string' })
      const headers = Headers.empty.with('h', fromHex('01')).with('h', null)
      await driver.createInputTopic('in', string, string).pipeInput('a', 'x', at, headers)
      const [out] = driver.createOutputTopic('out', string, string).readRecordsToList()
      expect(out?.timestamp).toBe(at)
      expect(out?.headers.toArray()).toEqual(headers.toArray())
    },
  )

  it.each([1, 256])('[L5] %i lanes run every record once', async (lanes) => {
    const topology = chain(
      (record, ctx) => ctx.forward(record),
      async (record, ctx) => {
        await tick()
        void ctx.forward(record)
      },
    )
    const h = await harness(topology, { in: 2, out: 1 }, { 'lanes.count': lanes, 'lanes.queue-capacity': 1 })
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}`)
    await h.send(
      'in',
      keys.map((key, i) => [key, 'x', i] as const),
    )
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect((await h.read('out')).map(({ key }) => key).sort()).toEqual([...keys].sort())
  })

  it('[L11] a diamond gives each child every record, one after the other', async () => {
    const trace: string[] = []
    const through = (name: string) => ({
      get: () => ({
        process: async (record: Record<string, string>, ctx: Context) => {
          trace.push(`${name}${record.value}`)
          await tick()
          await ctx.forward({ ...record, value: `${record.value}${name}` })
        },
      }),
    })
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('a', through('a'), 'in')
      .addProcessor('b', through('b'), 'in')
      .addProcessor('c', through('c'), 'a', 'b')
      .addSink('out', 'out', Produced.with(string, string), 'c')
    const driver = new TopologyTestDriver(topology)
    await driver.createInputTopic('in', string, string).pipeInput('k', '', 1)
    expect(trace).toEqual(['a', 'ca', 'b', 'cb'])
    expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([
      ['k', 'ac'],
      ['k', 'bc'],
    ])
  })

  it('[L1] sub-topologies that write one store take turns on a lane', async () => {
    const store = Stores.keyValue('shared', string, string)
    let running = 0
    let most = 0
    const work = (name: string) => ({
      get: () => ({
        process: async (record: Record<string, string>, ctx: Context) => {
          running++
          most = Math.max(most, running)
          await tick()
          ctx.store(store).put(record.key, name)
          running--
        },
      }),
    })
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addSource('in2', text, 'in2')
      .addProcessor('a', work('a'), 'in')
      .addProcessor('b', work('b'), 'in2')
      .addStateStore(store, 'a', 'b')
    const h = await harness(topology, { in: 1, in2: 1 }, { 'lanes.count': 4 })
    for (const topic of ['in', 'in2']) {
      await h.send(
        topic,
        Array.from({ length: 5 }, (_, i) => ['k', String(i), i] as const),
      )
    }
    await h.engine.start()
    await h.drained()
    const { lanes } = h.engine.snapshot()
    await h.engine.stop()
    expect(most).toBe(1)
    expect(lanes.reduce((sum, lane) => sum + lane.processed, 0)).toBe(10)
  })
})

describe('a partitioner of lanes', () => {
  const repartitioned = (partitioner: StreamPartitioner<unknown, unknown>) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .repartition(Repartitioned.with(string, string).withStreamPartitioner(partitioner))
      .to('out', Produced.with(string, string))
    return builder.build()
  }

  it('[L9] picks the lane, the first and the last included', async () => {
    const h = await harness(
      repartitioned((_key, value, lanes) => (value === 'last' ? lanes - 1 : 0)),
      { in: 1, out: 1 },
      { 'lanes.count': 4 },
    )
    await h.send('in', [
      ['a', 'first', 1],
      ['a', 'last', 2],
    ])
    const lanes: number[] = []
    h.engine.events.on(['boundary-crossed'], (event) => event.type === 'boundary-crossed' && lanes.push(event.toLane))
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(lanes).toEqual([0, 3])
  })

  it.each([-1, 4, 1.5, Number.NaN])('[L9] the lane %d of 4 is refused with the boundary', async (lane) => {
    const driver = new TopologyTestDriver(
      repartitioned(() => lane),
      { 'lanes.count': 4 },
    )
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1))
    expect(failure).toMatchObject({ code: 'PROCESSING_FAILED', context: { topic: 'in', offset: 0 } })
    expect((failure as Error).message).toContain(`picked ${lane}`)
    expect((failure as Error).message).toContain('0 to 3')
  })

  it('[L9] undefined leaves the choice to the hash of the key', async () => {
    const h = await harness(
      repartitioned((key) => (key === 'k0' ? undefined : 3)),
      { in: 1, out: 1 },
      { 'lanes.count': 8 },
    )
    await h.send('in', [
      ['k0', 'a', 1],
      ['k1', 'b', 2],
    ])
    const lanes: number[] = []
    h.engine.events.on(['boundary-crossed'], (event) => event.type === 'boundary-crossed' && lanes.push(event.toLane))
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    // L2: `k0` by its own bytes is lane 6 of 8.
    expect(lanes).toEqual([6, 3])
  })

  it('[L9] several lanes get the record each, once', async () => {
    const h = await harness(
      repartitioned((_key, value) => (value === 'all' ? [2, 0, 2] : [1])),
      { in: 1, out: 1 },
      { 'lanes.count': 4 },
    )
    await h.send('in', [
      ['a', 'all', 1],
      ['a', 'one', 2],
    ])
    const lanes: number[] = []
    h.engine.events.on(['boundary-crossed'], (event) => event.type === 'boundary-crossed' && lanes.push(event.toLane))
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(lanes).toEqual([2, 0, 1])
    expect((await h.read('out')).map(({ value }) => value)).toEqual(['all', 'all', 'one'])
  })

  it('[G3] no lane drops the record, counted as no_partition, and the next one goes on', async () => {
    const driver = new TopologyTestDriver(
      repartitioned((_key, value) => (value === 'no' ? [] : 0)),
      { 'lanes.count': 4 },
    )
    const dropped: unknown[] = []
    driver.events.on(['record-dropped'], (event) => dropped.push(event))
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'x', 1)
    expect(driver.counters['dropped_records_total{reason="no_partition"}']).toBeUndefined()
    await input.pipeInput('a', 'no', 2)
    await input.pipeInput('a', 'y', 3)
    expect(
      driver
        .createOutputTopic('out', string, string)
        .readKeyValuesToList()
        .map(([, value]) => value),
    ).toEqual(['x', 'y'])
    expect(driver.counters['dropped_records_total{reason="no_partition"}']).toBe(1)
    expect(dropped).toMatchObject([{ reason: 'no_partition', coordinates: { topic: 'in', offset: 1 } }])
  })

  it('[G1] what fails at a boundary right behind a source has gate 2 as well', async () => {
    const driver = new TopologyTestDriver(
      repartitioned((_key, value) => {
        if (value === 'bad') throw new Error('no lane')
        return 0
      }),
      CONTINUE,
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'bad', 1)
    await input.pipeInput('a', 'good', 2)
    expect(driver.counters['dropped_records_total{reason="processing"}']).toBe(1)
    expect(driver.createOutputTopic('out', string, string).readKeyValuesToList()).toEqual([['a', 'good']])
  })
})

describe('a partitioner of a sink', () => {
  const sinking = (partitioner: StreamPartitioner<string, string>) =>
    new Topology()
      .addSource('s', text, 'in')
      .addSink('k', 'out', Produced.with(string, string).withStreamPartitioner(partitioner), 's')

  it('picks the partition, several of them, or leaves it to the hash of the key', async () => {
    const asked: unknown[] = []
    const h = await harness(
      sinking((key, value, count) => {
        asked.push([key, value, count])
        return value === 'one' ? 2 : value === 'two' ? [1, 0, 1] : undefined
      }),
      { in: 1, out: 3 },
    )
    await h.send('in', [
      ['k', 'one', 1],
      ['k', 'two', 2],
      ['k', 'hash', 3],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(asked).toEqual([
      ['k', 'one', 3],
      ['k', 'two', 3],
      ['k', 'hash', 3],
    ])
    const hashed = partitionOf(new TextEncoder().encode('k'), 3)
    const read = (await h.read('out')).map(({ value, partition }) => [value, partition])
    expect(read).toHaveLength(4)
    for (const each of [
      ['one', 2],
      ['two', 0],
      ['two', 1],
      ['hash', hashed],
    ])
      expect(read).toContainEqual(each)
  })

  it('[G3] no partition drops the record, counted, and nothing is written for it', async () => {
    const driver = new TopologyTestDriver(sinking((_key, value) => (value === 'no' ? [] : 0)))
    const input = driver.createInputTopic('in', string, string)
    for (const [at, value] of ['a', 'no', 'b'].entries()) await input.pipeInput('k', value, at)
    expect(
      driver
        .createOutputTopic('out', string, string)
        .readKeyValuesToList()
        .map(([, value]) => value),
    ).toEqual(['a', 'b'])
    expect(driver.counters['dropped_records_total{reason="no_partition"}']).toBe(1)
  })

  it.each([-1, 1, 0.5])('[G4] partition %d of a topic with one goes to gate 3', async (partition) => {
    const failing = sinking(() => partition)
    const driver = new TopologyTestDriver(failing)
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('k', 'v', 1))
    expect(failure).toMatchObject({ code: 'PRODUCTION_FAILED', context: { node: 'k', topic: 'in', offset: 0 } })
    expect((failure as Error).message).toContain(`picked ${partition}`)
    const going = new TopologyTestDriver(failing, { 'production.exception.handler': 'continue' })
    await going.createInputTopic('in', string, string).pipeInput('k', 'v', 1)
    expect(going.counters['dropped_records_total{reason="production"}']).toBe(1)
  })
})

describe('timers', () => {
  const armed = (
    process: Process,
    onTimer: (timer: { key: string; at: number; name?: string }, ctx: Context) => unknown,
    consumed: Consumed<any, any> = text,
  ) =>
    new Topology()
      .addSource('in', consumed, 'in')
      .addProcessor(
        'timed',
        { timers: ['event-time', 'processing-time'], get: () => ({ process, onTimer }) as never },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'timed')

  const register = (record: Record<string, string>, ctx: Context) => {
    if (record.value !== '-') ctx.timers.register({ key: record.key, at: Number(record.value), domain: 'event-time' })
  }

  it.each(['at once', 'later'])(
    '[G4] a timer whose onTimer is continued counts as fired, when it throws %s',
    async (when) => {
      const topology = armed(register, (timer, ctx) => {
        void ctx.forward({ key: timer.key, value: 'before' })
        if (when === 'at once') throw new Error('no')
        return Promise.reject(new Error('no'))
      })
      const driver = new TopologyTestDriver(topology, CONTINUE)
      const fired: EngineEvent[] = []
      driver.events.on(['timer-fired'], (event) => fired.push(event))
      const input = driver.createInputTopic('in', string, string)
      await input.pipeInput('a', '5', 1)
      await input.pipeInput('a', '-', 5)
      expect(fired).toMatchObject([{ type: 'timer-fired', key: 'a', at: 5, forwarded: 1 }])
      expect(driver.pendingTimers('timed')).toBe(0)
      expect(driver.counters['dropped_records_total{reason="processing"}']).toBe(1)
      expect(driver.createOutputTopic('out', string, string).readRecordsToList()).toHaveLength(1)
    },
  )

  it('[G2] what onTimer throws is wrapped with node, lane and key, and said to be of a timer', async () => {
    const driver = new TopologyTestDriver(
      armed(register, () => {
        throw new Error('no')
      }),
      { 'lanes.count': 8 },
    )
    const fired: EngineEvent[] = []
    driver.events.on(['timer-fired'], (event) => fired.push(event))
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k0', '5', 1)
    const failure = await failureOf(input.pipeInput('k0', '-', 5))
    expect(failure).toMatchObject({ code: 'PROCESSING_FAILED', context: { node: 'timed', lane: 6, key: 'k0' } })
    expect((failure as Error).message).toContain('in a timer')
    expect(fired).toEqual([])
  })

  it('[T5] all timers that fall due when the clock moves fire before the next record, however many', async () => {
    let fired = 0
    let before = -1
    const hold = gate()
    const topology = armed(
      async (record, ctx) => {
        if (record.value === 'arm') {
          for (let at = 20; at < 2020; at++) ctx.timers.register({ key: record.key, at, domain: 'event-time' })
        }
        if (record.value === 'hold') await hold.opened
        if (record.value === 'last') before = fired
      },
      () => void fired++,
    )
    const h = await harness(topology, { in: 1, out: 1 }, { 'lanes.count': 1, 'time.mode': 'stream-time' })
    await h.send('in', [
      ['a', 'hold', 10],
      ['a', 'arm', 11],
      ['a', 'move', 5000],
      ['a', 'last', 5001],
    ])
    await h.engine.start()
    await h.event('record-dispatched', (event) => event.coordinates.offset === 3)
    hold.open()
    await h.drained()
    await h.engine.stop()
    expect([before, fired]).toEqual([2000, 2000])
  })

  it('[T3] keeps the bytes of a timer key apart from a serde that uses its buffer again', async () => {
    const shared = new Uint8Array(1)
    const reusing: Serde<string> = {
      id: 'reusing',
      serialize: (_topic, _headers, value) => {
        shared[0] = value.charCodeAt(0)
        return shared
      },
      deserialize: (_topic, _headers, bytes) => String.fromCharCode(bytes[0] as number),
    }
    const seen: string[] = []
    const driver = new TopologyTestDriver(
      armed(register, (timer) => void seen.push(timer.key), Consumed.with(reusing, string)),
      { 'lanes.count': 1 },
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', '5', 1)
    await input.pipeInput('b', '6', 1)
    await input.pipeInput('z', '-', 9)
    expect(seen).toEqual(['a', 'b'])
  })

  it('[T9] a timer key that cannot be read back stops the run with its bytes; the page shows the bytes', async () => {
    let broken = false
    const halfway: Serde<string> = {
      id: 'halfway',
      serialize: string.serialize,
      deserialize: (topic, headers, bytes) => {
        if (broken) throw new Error('unreadable')
        return string.deserialize(topic, headers, bytes)
      },
    }
    const driver = new TopologyTestDriver(
      armed(register, () => undefined, Consumed.with(halfway, string)),
      CONTINUE,
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k0', '5', 1)
    await input.pipeInput('b', '-', 4)
    broken = true
    const clock = driver.createInputTopic('in', string, string)
    const failure = await failureOf(clock.pipeInput(null, '-', 5))
    expect(failure).toMatchObject({ code: 'DESERIALIZATION_FAILED', context: { node: 'timed' } })
    expect((failure as Error).message).toContain('6b 30')
  })

  it('[T7] a timer for another key is right though the timer key serde cannot write the record’s own', async () => {
    const numbered: Deserializer<unknown> = { deserialize: (_topic, _headers, bytes) => bytes.length }
    const topology = new Topology().addSource('in', numbered, string, 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (_record: unknown, ctx: CallbackContext<any, any, any>) =>
            ctx.timers.register({ key: 'other', at: 9, domain: 'event-time' }),
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    const driver = new TopologyTestDriver(topology, {
      'default.key.serde': 'string',
      'timer.lane-affinity.sampled-check': 'error',
    })
    await driver.createInputTopic('in', string, string).pipeInput('a', 'x', 1)
    expect(driver.pendingTimers('timed')).toBe(1)
  })

  it('[A3] [A4] a sampled split is thrown again though a processor upstream caught it, with its coordinates', async () => {
    const unquote: Deserializer<string> = {
      deserialize: (_topic, _headers, bytes) => new TextDecoder().decode(bytes).replace(/"/g, ''),
    }
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
                // Swallowed, as user code may.
              }
            },
          }),
        },
        'in',
      )
      .addProcessor(
        'timed',
        { timers: ['event-time'], get: () => ({ process: () => undefined, onTimer: () => undefined }) },
        'careful',
      )
    const driver = new TopologyTestDriver(topology, {
      'default.key.serde': 'string',
      'lanes.count': 8,
      'timer.lane-affinity.sampled-check': 'error',
    })
    const failure = await failureOf(driver.createInputTopic('in', string, string).pipeInput('"k0"', 'x', 1))
    expect(failure).toBeInstanceOf(TimerLaneAffinityException)
    expect(failure).toMatchObject({ context: { node: 'timed', lane: 0, topic: 'in', partition: 0, offset: 0 } })
  })

  it('[T12] what onTimer forwards for itself keeps its own time', async () => {
    const driver = new TopologyTestDriver(
      armed(register, (timer, ctx) => ctx.forward({ key: timer.key, value: 'x', timestamp: 3 })),
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', '5', 1)
    await input.pipeInput('a', '-', 5)
    expect(driver.createOutputTopic('out', string, string).readRecord().timestamp).toBe(3)
  })
})

describe('the context', () => {
  it('tells coordinates, wall clock, event clock, a number below 1, and whether the run goes on', async () => {
    const seen: unknown[] = []
    const topology = chain(
      async (_record, ctx) => {
        seen.push(ctx.recordMetadata, ctx.now, ctx.eventTime, ctx.signal.aborted)
        const number = ctx.random()
        seen.push(number >= 0 && number < 1)
        await ctx.sleep(1000)
        seen.push(await ctx.call('io', () => Promise.resolve('answer')))
      },
      () => undefined,
    )
    const driver = new TopologyTestDriver(topology, {}, { initialWallClockMs: 77 })
    const input = driver.createInputTopic('in', string, long)
    await input.pipeInput('a', 1, 5)
    expect(seen).toEqual([{ topic: 'in', partition: 0, offset: 0 }, 77, 5, false, true, 'answer'])
  })
})
