import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  LaneKeySerializationException,
  laneOf,
  type Processor,
  Produced,
  type Record,
  Stores,
  string,
  Topology,
} from '../src/index.js'
import { gate, harness } from './harness.js'

type Context = CallbackContext<string, string, string>
type Process = (record: Record<string, string>, ctx: Context) => void | Promise<void>

const text = Consumed.with(string, string)
const outcome = Produced.with(string, string)

function single(process: Process, extra: object = {}): Topology {
  return new Topology()
    .addSource('in', text, 'in')
    .addProcessor('work', { get: () => ({ process }), ...extra }, 'in')
    .addSink('out', 'out', outcome, 'work')
}

const keysOnDifferentLanes = (lanes: number): [string, string] => {
  const lane = (key: string) => laneOf(new TextEncoder().encode(key), lanes)
  const other = Array.from({ length: 100 }, (_, i) => `b${i}`).find((key) => lane(key) !== lane('a')) as string
  return ['a', other]
}

describe('lanes', () => {
  it('[L1] callbacks of one key never overlap and keep the order read, though each awaits', async () => {
    const running = new Set<string>()
    const overlaps: string[] = []
    const order: string[] = []
    const h = await harness(
      single(async (record) => {
        if (running.has(record.key)) overlaps.push(record.key)
        running.add(record.key)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${record.key}${record.value}`)
        running.delete(record.key)
      }),
      { in: 1, out: 1 },
      { 'lanes.count': 4 },
    )
    const keys = ['a', 'b', 'c', 'd', 'e']
    await h.send(
      'in',
      Array.from({ length: 60 }, (_, i) => [keys[i % 5] as string, String(Math.floor(i / 5)), i] as const),
    )
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(overlaps).toEqual([])
    for (const key of keys) {
      expect(order.filter((entry) => entry.startsWith(key))).toEqual(Array.from({ length: 12 }, (_, i) => `${key}${i}`))
    }
  })

  it('[L1] a key that awaits does not hold a key of another lane', async () => {
    const [slow, quick] = keysOnDifferentLanes(8)
    const hold = gate()
    const done: string[] = []
    const h = await harness(
      single(async (record) => {
        if (record.key === slow) await hold.opened
        done.push(record.key)
        if (record.key === quick) hold.open()
      }),
      { in: 1, out: 1 },
      { 'lanes.count': 8 },
    )
    await h.send('in', [
      [slow, 'x', 1],
      [quick, 'x', 2],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(done).toEqual([quick, slow])
  })

  it('[L2] [L4] dispatches by the raw key bytes, whatever the serde', async () => {
    const h = await harness(
      single(() => undefined),
      { in: 1, out: 1 },
      { 'lanes.count': 8 },
    )
    await h.send('in', [
      ['"k0"', 'x', 1],
      ['k0', 'x', 2],
    ])
    await h.engine.start()
    const quoted = await h.event('record-dispatched', (event) => event.key === '"k0"')
    const plain = await h.event('record-dispatched', (event) => event.key === 'k0')
    await h.engine.stop()
    expect([quoted.lane, plain.lane]).toEqual([0, 6])
  })

  it('[L3] spreads null keys round-robin, and hashes an empty one', async () => {
    const h = await harness(
      single(() => undefined),
      { in: 1, out: 1 },
      { 'lanes.count': 4 },
    )
    const lanes: number[] = []
    h.engine.events.on(['record-dispatched'], (event) => {
      if (event.type === 'record-dispatched' && event.key === null) lanes.push(event.lane)
    })
    await h.send('in', [
      [null, 'x', 1],
      [null, 'x', 2],
      [null, 'x', 3],
      [null, 'x', 4],
      [null, 'x', 5],
      ['', 'x', 6],
      ['', 'x', 7],
    ])
    await h.engine.start()
    await h.drained()
    const empty = await h.event('record-dispatched', (event) => event.key === '')
    await h.engine.stop()
    expect(lanes).toEqual([0, 1, 2, 3, 0])
    expect(empty.lane).toBe(laneOf(new Uint8Array(0), 4))
  })

  it('[L5] runs 16 lanes unless told otherwise, and numberOfLanes wins over lanes.count', async () => {
    const plain = await harness(
      single(() => undefined),
      { in: 1, out: 1 },
    )
    await plain.engine.start()
    expect(plain.engine.snapshot().lanes).toHaveLength(16)
    await plain.engine.stop()
    const declared = new Topology()
      .addSource('in', text.withNumberOfLanes(3), 'in')
      .addProcessor('work', { get: () => ({ process: () => undefined }) }, 'in')
    const h = await harness(declared, { in: 1 }, { 'lanes.count': 8 })
    await h.engine.start()
    expect(h.engine.snapshot().lanes).toHaveLength(3)
    await h.engine.stop()
  })

  it('[L6] makes one processor a lane, and refuses a supplier that returns the same one twice', async () => {
    const made: Processor<string, string>[] = []
    const make = () => {
      const processor = { process: () => undefined }
      made.push(processor)
      return processor
    }
    const good = new Topology().addSource('in', text, 'in').addProcessor('work', { get: make }, 'in')
    const h = await harness(good, { in: 1 }, { 'lanes.count': 5 })
    await h.engine.start()
    await h.engine.stop()
    expect(new Set(made).size).toBeGreaterThanOrEqual(5)
    const one = { process: () => undefined }
    let calls = 0
    const sneaky = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('work', { get: () => (calls++ < 2 ? { process: () => undefined } : one) }, 'in')
    const bad = await harness(sneaky, { in: 1 }, { 'lanes.count': 5 })
    await expect(bad.engine.start()).rejects.toThrow(/"work".*same processor twice/)
  })

  it('[L7] a full lane pauses only what is behind it, and everything gets through', async () => {
    const [slow, quick] = keysOnDifferentLanes(8)
    const hold = gate()
    const done: string[] = []
    const all = gate()
    const h = await harness(
      single(async (record) => {
        if (record.key === slow) await hold.opened
        done.push(record.key)
        if (done.filter((key) => key === quick).length === 20) hold.open()
        if (done.length === 40) all.open()
      }),
      { in: 16, out: 1 },
      { 'lanes.count': 8, 'lanes.queue-capacity': 2, 'commit.interval.ms': 60_000 },
    )
    await h.send(
      'in',
      Array.from({ length: 20 }, (_, i) => [slow, String(i), i] as const),
    )
    await h.send(
      'in',
      Array.from({ length: 20 }, (_, i) => [quick, String(i), i] as const),
    )
    await h.engine.start()
    // No commit before the end: a cut would wait for the callback that waits for the other key.
    await all.opened
    await h.engine.stop()
    expect(done).toHaveLength(40)
    expect(done.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => quick))
  })

  it('[L7] a chain of boundaries at full queues, each fanning out, drains', async () => {
    const fanOut: Process = async (record, ctx) => {
      await Promise.resolve()
      for (let i = 0; i < 3; i++) void ctx.forward({ key: `${record.key}${i}`, value: record.value })
    }
    const counts = Stores.keyValue('seen', string, string)
    const more = Stores.keyValue('seen-2', string, string)
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor('a', { get: () => ({ process: fanOut }) }, 'in')
      .addProcessor('b', { get: () => ({ process: fanOut }), stores: [counts] }, 'a')
      .addProcessor(
        'c',
        {
          get: () => ({ process: (record: Record<string, string>, ctx: Context) => ctx.forward(record) }),
          stores: [more],
        },
        'b',
      )
      .addSink('out', 'out', outcome, 'c')
    const h = await harness(topology, { in: 1, out: 1 }, { 'lanes.count': 4, 'lanes.queue-capacity': 1 })
    await h.send(
      'in',
      Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x', i] as const),
    )
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(await h.read('out')).toHaveLength(50 * 9)
  })

  describe.each([1, 2, 300])('[L7] at a queue capacity of %d', (capacity) => {
    it.each([
      ['synchronous', false],
      ['asynchronous', true],
    ])(
      'boundaries in a row drain, with timers that forward into them and two lanes that feed each other (%s)',
      async (_, waits) => {
        const RECORDS = 40
        const [one, other] = keysOnDifferentLanes(8)
        const swap = (key: string) => (key === one ? other : one)
        const shared = Stores.inMemoryKeyValue('shared', string, string)
        const all = gate()
        let left = RECORDS * 27
        const forward = (key: string, value: string, name: string, ctx: Context) => {
          void ctx.forward({ key, value })
          if (name === 'c' && !/^[xy]/.test(value) && --left === 0) all.open()
        }
        /** Sends each record on to both lanes; a timer of the other lane's key sends another one. */
        const stage = (name: string) => ({
          stores: [shared],
          timers: ['event-time'] as const,
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              const work = () => {
                ctx.store(shared).put(record.key, record.value)
                const timer = { key: swap(record.key), at: record.timestamp, domain: 'event-time', name: record.value }
                ctx.timers.register(timer as never)
                for (const key of [one, other]) forward(key, `${record.value}${name}${key === one}`, name, ctx)
              }
              if (waits) return Promise.resolve().then(work)
              work()
            },
            onTimer: (timer: { key: string; name?: string }, ctx: Context) =>
              forward(timer.key, `${timer.name}${name}t`, name, ctx),
          }),
        })
        const topology = new Topology()
          .addSource('in', text, 'in')
          .addProcessor('a', stage('a') as never, 'in')
          .addProcessor('b', stage('b') as never, 'a')
          .addProcessor('c', stage('c') as never, 'b')
          .addSink('out', 'out', outcome, 'c')
        // No cut before the end: it would wake every lane, and so hide one that nobody has woken.
        const config = { 'lanes.count': 8, 'lanes.queue-capacity': capacity, 'commit.interval.ms': 600_000 }
        const h = await harness(topology, { in: 2, out: 1 }, { ...config, 'time.mode': 'stream-time' })
        const records = Array.from({ length: RECORDS }, (_, i) => [i % 2 === 0 ? one : other, `${i} `, i] as const)
        await h.send('in', [...records, [one, 'x ', 1e6], [other, 'y ', 1e6]])
        await h.engine.start()
        await all.opened
        await h.engine.stop()
        const values = (await h.read('out')).map(({ value }) => value as string).filter((value) => !/^[xy]/.test(value))
        expect(values).toHaveLength(RECORDS * 27)
        expect(new Set(values).size).toBe(RECORDS * 27)
      },
    )
  })

  it('[L10] a context used after its callback has settled throws and changes nothing', async () => {
    let kept: Context | undefined
    const failures: string[] = []
    const h = await harness(
      single((record, ctx) => {
        if (record.value === 'keep') kept = ctx
        else {
          try {
            void kept?.forward({ key: 'late', value: 'x' })
          } catch (error) {
            failures.push((error as Error).message)
          }
        }
        void ctx.forward(record)
      }),
      { in: 1, out: 1 },
    )
    await h.send('in', [
      ['a', 'keep', 1],
      ['a', 'use', 2],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(failures).toHaveLength(1)
    expect(failures[0]).toContain('"work"')
    expect((await h.read('out')).map((record) => record.key)).toEqual(['a', 'a'])
  })

  it('[L10] a supplier declared sync that returns a promise is refused, naming the node', async () => {
    const h = await harness(
      single(async () => undefined, { sync: true }),
      { in: 1, out: 1 },
    )
    await h.send('in', [['a', 'x', 1]])
    await h.engine.start()
    const failure = await h.engine.finished
    expect(failure?.code).toBe('SYNC_CALLBACK_RETURNED_PROMISE')
    expect(failure?.message).toContain('"work"')
  })

  it('[L10] children of one record never overlap, awaited or not, and the record settles when all have', async () => {
    const trace: string[] = []
    const child = (name: string): Processor<string, string> => ({
      process: async (record) => {
        trace.push(`${name}${record.value} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        trace.push(`${name}${record.value} ends`)
      },
    })
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'split',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              void ctx.forward({ key: record.key, value: '1' })
              void ctx.forward({ key: record.key, value: '2' })
            },
          }),
        },
        'in',
      )
      .addProcessor('x', { get: () => child('x') }, 'split')
      .addProcessor('y', { get: () => child('y') }, 'split')
    const h = await harness(topology, { in: 1 })
    await h.send('in', [
      ['a', '-', 1],
      ['a', '-', 2],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    const once = ['x1', 'y1', 'x2', 'y2'].flatMap((name) => [`${name} begins`, `${name} ends`])
    expect(trace).toEqual([...once, ...once])
  })

  it('[L11] keeps the order of forward per output partition', async () => {
    const h = await harness(
      single((record, ctx) => {
        for (let i = 0; i < 5; i++) void ctx.forward({ key: 'same', value: `${record.value}${i}` })
      }),
      { in: 1, out: 3 },
      { 'lanes.count': 1 },
    )
    await h.send('in', [
      ['a', 'p', 1],
      ['a', 'q', 2],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect((await h.read('out')).map((record) => record.value)).toEqual([
      'p0',
      'p1',
      'p2',
      'p3',
      'p4',
      'q0',
      'q1',
      'q2',
      'q3',
      'q4',
    ])
  })
})

describe('boundaries', () => {
  it('[B1] [B6] cross to the lane of the new key; a node without store, timer or join opens none', async () => {
    const lanes: { [node: string]: Set<number> } = { stateless: new Set(), stateful: new Set() }
    const note = (node: string): Processor<string, string> => ({
      init: () => undefined,
      process: () => undefined,
      ...{ node },
    })
    const store = Stores.keyValue('s', string, string)
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'rekey',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => ctx.forward({ key: 'k0', value: record.value }),
          }),
        },
        'in',
      )
      .addProcessor('stateless', { get: () => note('stateless') }, 'rekey')
      .addProcessor('stateful', { get: () => note('stateful'), stores: [store] }, 'rekey')
    const h = await harness(topology, { in: 1 }, { 'lanes.count': 8 })
    await h.send('in', [
      ['a', 'x', 1],
      ['b', 'x', 2],
      ['c', 'x', 3],
    ])
    h.engine.events.on(['boundary-crossed'], (event) => {
      if (event.type === 'boundary-crossed') lanes[event.to]?.add(event.toLane)
    })
    await h.engine.start()
    await h.drained()
    const { lanes: board, nodes } = h.engine.snapshot()
    await h.engine.stop()
    expect([...(lanes.stateful as Set<number>)]).toEqual([6])
    expect((lanes.stateless as Set<number>).size).toBe(0)
    expect(nodes.find((node) => node.node === 'stateless')?.in).toBe(3)
    const behind = board.filter((lane) => lane.subTopology === 1 && lane.processed > 0)
    expect(behind.map((lane) => [lane.lane, lane.processed])).toEqual([[6, 3]])
  })

  it('[B3] a key that the boundary serde cannot write fails with node, bytes unknown, and the way out', async () => {
    const store = Stores.keyValue('s', string, string)
    const topology = new Topology()
      .addSource('in', text, 'in')
      .addProcessor(
        'rekey',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: CallbackContext<string, unknown, string>) =>
              ctx.forward({ key: 42, value: record.value }),
          }),
        },
        'in',
      )
      .addProcessor('stateful', { get: () => ({ process: () => undefined }), stores: [store] }, 'rekey')
    const h = await harness(topology, { in: 1 })
    await h.send('in', [['a', 'x', 1]])
    await h.engine.start()
    const failure = await h.engine.finished
    expect(failure?.code).toBe('LANE_KEY_SERIALIZATION')
    expect(failure).toBeInstanceOf(LaneKeySerializationException)
    expect(failure?.context).toMatchObject({ topic: 'in', partition: 0, offset: 0 })
    expect(failure?.message).toMatch(/rekey → stateful/)
  })
})
