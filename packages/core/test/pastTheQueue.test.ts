import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type EngineEvent,
  laneOf,
  Produced,
  type Record,
  Stores,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
} from '../src/index.js'
import { gate, harness } from './harness.js'

type Context = CallbackContext<string, string, string>
type Process = (record: Record<string, string>, ctx: Context) => void | Promise<void>
type Topics = { readonly [topic: string]: number }
type Config = { readonly [key: string]: unknown }

const text = Consumed.with(string, string)
const outcome = Produced.with(string, string)
const sync = (process: Process) => ({ sync: true as const, get: () => ({ process }) })
const async = (process: Process) => ({ get: () => ({ process }) })

/** Declares timers and uses none: with it every record of its sub-topology goes through the queue. */
const armed = {
  sync: true as const,
  timers: ['event-time'] as const,
  get: () => ({ process: () => undefined, onTimer: () => undefined }),
}

const WAYS = ['past', 'through'] as const
type Way = (typeof WAYS)[number]

const lane = (key: string) => laneOf(new TextEncoder().encode(key), 4)
const given = (count: number, keys = 5) =>
  Array.from({ length: count }, (_, i): readonly [string, string, number] => [`k${i % keys}`, `v${i}`, i])

/** Runs a topology on an engine, its records past the queue of an idle lane or through it. */
async function run(
  way: Way,
  topology: Topology,
  records: readonly (readonly [string | null, string | null, number])[],
  { topics = { in: 1, out: 1 }, config = {} }: { readonly topics?: Topics; readonly config?: Config } = {},
) {
  if (way === 'through') topology.addProcessor('armed', armed, 'in')
  const h = await harness(topology, topics, { 'lanes.count': 4, ...config })
  const events: EngineEvent[] = []
  h.engine.events.on(['record-dispatched', 'record-forwarded', 'record-dropped', 'boundary-crossed'], (event) => {
    if (!('to' in event && event.to === 'armed')) events.push(event)
  })
  await h.send('in', records)
  await h.engine.start()
  await Promise.race([h.drained(), h.engine.finished])
  const [partition] = h.engine.snapshot().clocks.partitions
  await h.engine.stop()
  const outputs = (await h.read('out')).map(({ key, value, timestamp }) => `${key} ${value} ${timestamp}`)
  return { outputs, events, position: partition?.position, error: await h.engine.finished, h }
}

/** Runs it both ways, and compares all that can be seen. */
async function same(
  topology: () => Topology,
  records: Parameters<typeof run>[2],
  options?: Parameters<typeof run>[3],
): Promise<Awaited<ReturnType<typeof run>>> {
  const [past, through] = [
    await run('past', topology(), records, options),
    await run('through', topology(), records, options),
  ]
  expect(past.outputs).toEqual(through.outputs)
  expect(past.events).toEqual(through.events)
  expect(past.position).toBe(through.position)
  expect(past.error?.message).toBe(through.error?.message)
  return past
}

describe('a record past the queue of an idle lane', () => {
  const chain = (first: Process) => () =>
    new Topology()
      .addSource('in', text, 'in')
      .addProcessor('first', sync(first), 'in')
      .addProcessor(
        'second',
        sync((record, ctx) => void ctx.forward(record)),
        'first',
      )
      .addSink('out', 'out', outcome, 'second')

  it('[L8] gives what the queue would, event by event, in the order read', async () => {
    const upper = chain((record, ctx) => void ctx.forward({ key: record.key, value: record.value.toUpperCase() }))
    const { outputs, events } = await same(upper, given(200))
    expect(outputs).toEqual(given(200).map(([key, value, at]) => `${key} ${value.toUpperCase()} ${at}`))
    expect(events.filter(({ type }) => type === 'record-forwarded')).toHaveLength(600)
  })

  it.each(WAYS)('[G2] %s it, each callback sees its own place, key and headers', async (way) => {
    const seen: string[] = []
    const note = chain((record, ctx) => {
      const { topic, partition, offset } = ctx.recordMetadata ?? {}
      seen.push(
        `${topic}-${partition}@${offset} ${record.key} ${record.value} ${record.timestamp} ${record.headers.size}`,
      )
    })
    await run(way, note(), [...given(30), [null, null, 30]])
    const all = given(30).map(([key, value, at], offset) => `in-0@${offset} ${key} ${value} ${at} 0`)
    expect(seen).toEqual([...all, 'in-0@30 null null 30 0'])
  })

  it('[G2] names the record that has failed in the middle of a batch, and goes on behind it', async () => {
    const failing = chain((record, ctx) => {
      void ctx.forward(record)
      if (record.value === 'v7' || record.value === 'v8') throw new Error(`no ${record.value}`)
    })
    const { outputs, events } = await same(failing, given(20), {
      config: { 'processing.exception.handler': 'continue' },
    })
    expect(outputs).toHaveLength(20)
    const drops = events.flatMap((event) => (event.type === 'record-dropped' ? [event] : []))
    expect(
      drops.map(({ coordinates, detail }) => [coordinates?.offset, detail.includes(`no v${coordinates?.offset}`)]),
    ).toEqual([
      [7, true],
      [8, true],
    ])
  })

  it.each(WAYS)('[E1] [G1] %s it, a failure that stops the run commits nothing behind it', async (way) => {
    const failing = chain((record, ctx) => {
      if (record.value === 'v7') throw new Error('no v7')
      void ctx.forward(record)
    })
    const { outputs, error } = await run(way, failing(), given(20), { config: { 'commit.interval.ms': 1000 } })
    expect(error).toMatchObject({ code: 'PROCESSING_FAILED', context: { node: 'first', offset: 7, key: 'k2' } })
    expect(outputs.length).toBeLessThanOrEqual(7)
  })

  it.each(WAYS)('[L1] %s it, a child that waits keeps its record, its place and its turn', async (way) => {
    const seen: string[] = []
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'first',
        sync((record, ctx) => void ctx.forward(record)),
        'in',
      )
      .addProcessor(
        'waits',
        async(async (record, ctx) => {
          if (record.value.endsWith('3')) await new Promise((resolve) => setImmediate(resolve))
          seen.push(`${ctx.recordMetadata?.offset} ${record.key} ${record.value}`)
          void ctx.forward(record)
        }),
        'first',
      )
      .addSink('out', 'out', outcome, 'waits')
    const { outputs } = await run(way, topology, given(60))
    expect([...seen].sort()).toEqual(
      given(60)
        .map(([key, value], offset) => `${offset} ${key} ${value}`)
        .sort(),
    )
    for (let k = 0; k < 5; k++) {
      const ofKey = (lines: readonly string[]) => lines.filter((line) => line.startsWith(`k${k} `))
      expect(ofKey(outputs)).toEqual(ofKey(given(60).map(([key, value, at]) => `${key} ${value} ${at}`)))
    }
  })

  it('[L11] keeps the order over a boundary, with epochs that are cut in the middle', async () => {
    const rekeyed = () =>
      new Topology()
        .addSource('in', text, 'in')
        .addProcessor(
          'rekey',
          sync((record, ctx) => void ctx.forward({ key: record.value.slice(-1), value: record.value })),
          'in',
        )
        .addProcessor(
          'keeps',
          { ...sync((record, ctx) => void ctx.forward(record)), stores: [Stores.keyValue('s', string, string)] },
          'rekey',
        )
        .addSink('out', 'out', outcome, 'keeps')
    const { outputs, position } = await same(rekeyed, given(100), { config: { 'epoch.max-records': 3 } })
    expect(outputs).toEqual(given(100).map(([, value, at]) => `${value.slice(-1)} ${value} ${at}`))
    expect(position).toBe(100)
  })

  it.each(WAYS)(
    '[L7] %s it, a slow consumer behind a boundary holds its feeder back, and all arrives in order',
    async (way) => {
      let waiting = 0
      let most = 0
      const topology = new Topology()
        .addSource('in', text, 'in')
        .addProcessor(
          'rekey',
          sync((record, ctx) => {
            waiting++
            most = Math.max(most, waiting)
            void ctx.forward({ key: 'one', value: record.value })
          }),
          'in',
        )
        .addProcessor(
          'slow',
          {
            ...async(async (record, ctx) => {
              await new Promise((resolve) => setImmediate(resolve))
              waiting--
              await ctx.forward(record)
            }),
            stores: [Stores.keyValue('s', string, string)],
          },
          'rekey',
        )
        .addSink('out', 'out', outcome, 'slow')
      const { outputs } = await run(way, topology, given(80, 1), { config: { 'lanes.queue-capacity': 4 } })
      expect(outputs).toEqual(given(80, 1).map(([, value, at]) => `one ${value} ${at}`))
      // Four wait, one more came before they were too many, and one is at work.
      expect(most).toBeLessThanOrEqual(6)
    },
  )

  it.each(WAYS)('[L1] %s it, sub-topologies that share a store take turns on a lane', async (way) => {
    const store = Stores.keyValue('s', string, string)
    const order: string[] = []
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'up',
        {
          ...sync((record, ctx) => {
            order.push(`up ${record.value}`)
            ctx.store(store).put('last', record.value)
            void ctx.forward({ key: 'one', value: record.value })
            order.push(`up ${record.value} is over`)
          }),
          stores: [store],
        },
        'in',
      )
      .addProcessor(
        'down',
        {
          ...sync((record, ctx) => {
            order.push(`down ${record.value}`)
            void ctx.forward({ key: 'one', value: `${record.value}/${ctx.store(store).get('last')}` })
          }),
          stores: [store],
        },
        'up',
      )
      .addSink('out', 'out', outcome, 'down')
    const { outputs } = await run(way, topology, given(3), { config: { 'lanes.count': 1 } })
    expect(order).toEqual([0, 1, 2].flatMap((i) => [`up v${i}`, `up v${i} is over`, `down v${i}`]))
    expect(outputs).toEqual([0, 1, 2].map((i) => `one v${i}/v${i} ${i}`))
  })

  it('[T5] lets a timer of its lane that is due come first', async () => {
    const order: string[] = []
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'first',
        sync((record, ctx) => void ctx.forward(record)),
        'in',
      )
      .addProcessor(
        'timed',
        {
          sync: true,
          timers: ['event-time'],
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              order.push(record.value)
              if (record.value === 'arm') ctx.timers.register({ key: record.key, at: 50, domain: 'event-time' })
            },
            onTimer: () => void order.push('fired'),
          }),
        },
        'first',
      )
    const records = [
      ['k', 'arm', 1],
      ['k', 'moves the clock', 60],
      ['k', 'next', 61],
    ] as const
    await run('past', topology, records, { config: { 'time.mode': 'stream-time', 'lanes.count': 1 } })
    expect(order).toEqual(['arm', 'moves the clock', 'fired', 'next'])
  })

  it('[L10] a callback that goes to and fro between two stores has both', async () => {
    const [a, b] = [Stores.keyValue('a', string, string), Stores.keyValue('b', string, string)]
    const topology = () =>
      new Topology()
        .addSource('in', text, 'in')
        .addProcessor(
          'work',
          {
            ...sync((record, ctx) => {
              const before = `${ctx.store(a).get(record.key)}/${ctx.store(b).get(record.key)}`
              ctx.store(a).put(record.key, `a${record.value}`)
              ctx.store(b).put(record.key, `b${record.value}`)
              void ctx.forward({ key: record.key, value: before })
            }),
            stores: [a, b],
          },
          'in',
        )
        .addSink('out', 'out', outcome, 'work')
    const { outputs } = await same(topology, given(4, 2))
    expect(outputs).toEqual(['k0 undefined/undefined 0', 'k1 undefined/undefined 1', 'k0 av0/bv0 2', 'k1 av1/bv1 3'])
  })

  it('[L4] a store behind a boundary has the key that was written there, also once the key has changed', async () => {
    const store = Stores.keyValue('s', string, string)
    const topology = () =>
      new Topology()
        .addSource('in', text, 'in')
        .addProcessor(
          'rekey',
          sync((record, ctx) => void ctx.forward({ key: `é${record.key}`, value: record.value })),
          'in',
        )
        .addProcessor(
          'keeps',
          {
            ...sync((record, ctx) => {
              const put = (key: string) => {
                const old = ctx.store(store).get(key)
                ctx.store(store).put(key, record.value)
                void ctx.forward({ key, value: `${old}` })
              }
              put(record.key)
              put('other')
              put(record.key)
            }),
            stores: [store],
          },
          'rekey',
        )
        .addSink('out', 'out', outcome, 'keeps')
    const { outputs } = await same(topology, given(3, 2), { config: { 'lanes.count': 1 } })
    expect(outputs).toEqual([
      'ék0 undefined 0',
      'other undefined 0',
      'ék0 v0 0',
      'ék1 undefined 1',
      'other v0 1',
      'ék1 v1 1',
      'ék0 v0 2',
      'other v1 2',
      'ék0 v2 2',
    ])
  })

  it.each([
    ['as they were read', [0x6b, 0x30]],
    ['as text is written, where they are none that text is', [0x6b, 0xff]],
    ['as text is written, where it is long', Array.from({ length: 70 }, () => 0x6b)],
  ])('a store has the bytes of a source’s key %s', async (_, bytes) => {
    const store = Stores.keyValue('s', string, string)
    const topology = new Topology().addSource('in', text, 'in').addProcessor(
      'keeps',
      {
        ...sync((record, ctx) => ctx.store(store).put(record.key, record.value)),
        stores: [store],
      },
      'in',
    )
    const h = await harness(topology, { in: 1 })
    const key = Uint8Array.from(bytes)
    await h.log.append([{ topic: 'in', partition: 0, key, value: key, timestamp: 2, headers: [] }])
    await h.engine.start()
    await h.event('epoch-committed', ({ records }) => records > 0)
    await h.engine.stop()
    const { records } = await h.log.read('test-s-changelog', 0, 0, 10)
    expect(records.map((record) => record.key)).toEqual([new TextEncoder().encode(new TextDecoder().decode(key))])
  })

  it('[L12] leaves the loop a macrotask, however quick its records are', async () => {
    let turns = 0
    let busy = true
    const count = () => {
      turns++
      if (busy) setImmediate(count)
    }
    const spin = chain(() => {
      const until = performance.now() + 1
      while (performance.now() < until);
    })
    setImmediate(count)
    let between = 0
    const topology = spin()
    topology.addProcessor(
      'look',
      sync(() => {
        between = Math.max(between, turns)
      }),
      'in',
    )
    await run('past', topology, given(60))
    busy = false
    expect(between).toBeGreaterThan(2)
  })

  it('[W3] is judged late by the clock as it is when it is read, whatever item it runs in', async () => {
    const builder = new StreamsBuilder()
    const stream = builder.stream('in', text)
    stream.groupByKey().windowedBy(TimeWindows.ofSizeWithNoGrace(10)).count()
    const hold = gate()
    const other = ['a', 'b', 'c', 'd', 'e'].find((key) => lane(key) !== lane('k')) as string
    stream.process(() => ({ process: ({ key }) => (key === other ? hold.opened : undefined) }))
    // No cut meanwhile: it would wait for the callback that this test holds.
    const h = await harness(builder.build(), { in: 1 }, { 'lanes.count': 4, 'commit.interval.ms': 60_000 })
    await h.engine.start()
    await h.send('in', [
      [other, 'a', 0],
      ['k', 'b', 1000],
    ])
    await h.event('clock-advanced', ({ watermark }) => watermark >= 1000)
    await h.send('in', [['k', 'late', 5]])
    await h.event('record-dispatched', ({ coordinates }) => coordinates.offset === 2)
    hold.open()
    const { reason, coordinates } = await h.event('record-dropped')
    await h.engine.stop()
    expect([reason, coordinates?.offset]).toEqual(['late_window', 2])
  })

  it('[L2] runs each key on the lane of its bytes', async () => {
    const lanes: string[] = []
    const topology = chain(() => undefined)
    const { events } = await run('past', topology(), given(20))
    for (const event of events) if (event.type === 'record-dispatched') lanes.push(`${event.key} ${event.lane}`)
    expect(lanes).toEqual(given(20).map(([key]) => `${key} ${lane(key)}`))
  })
})
