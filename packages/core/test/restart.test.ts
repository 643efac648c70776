import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  type ChangelogMarks,
  Consumed,
  createEngine,
  EmbeddedLog,
  Headers,
  type KeyValueStore,
  long,
  MemoryLogStorage,
  MemoryStateBackend,
  Produced,
  parseConfig,
  type Record,
  Repartitioned,
  SeededRandom,
  type Serde,
  type StateBackend,
  type StoreChanges,
  Stores,
  StreamError,
  StreamsBuilder,
  SystemClock,
  string,
  type TimerDomain,
  Topology,
} from '../src/index.js'
import { type Fault, faulty } from './faultyLog.js'

type Context = CallbackContext<string, string, string>

const counts = Stores.keyValue('counts', string, long)

/** Counts each key in a store, sends the count on, and arms a timer that says what was counted by then. */
function counting(
  onProcess: (record: Record<string, string>, ctx: Context) => void | Promise<void> = () => undefined,
): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'count',
      {
        stores: [counts],
        timers: ['event-time'],
        get: () => ({
          process: async (record: Record<string, string>, ctx: Context) => {
            await onProcess(record, ctx)
            const store: KeyValueStore<string, number> = ctx.store(counts)
            const count = (store.get(record.key) ?? 0) + 1
            store.put(record.key, count)
            void ctx.forward({ key: record.key, value: `count ${count}` })
            ctx.timers.register({ key: record.key, at: 1000, domain: 'event-time', name: 'tell' })
          },
          onTimer: (timer, ctx: Context) =>
            void ctx.forward({ key: timer.key, value: `told ${ctx.store(counts).get(timer.key)}` }),
        }),
      },
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'count')
}

/** Passes records on, and rings at 10 for those that say `arm`; an output of a timer may be refused. */
function ringing(refuses: (key: string) => boolean, domain: TimerDomain = 'event-time') {
  const worked: string[] = []
  const picky: Serde<string> = {
    ...string,
    id: 'picky',
    serialize: (topic, headers, value) => {
      const key = /^rang for (.*)$/.exec(value)?.[1]
      if (topic === 'out' && key !== undefined && refuses(key)) throw new Error('not now')
      return string.serialize(topic, headers, value)
    },
  }
  type Context = CallbackContext<string, string, string>
  const forward = (ctx: Context, key: string, value: string) => {
    worked.push(value)
    void ctx.forward({ key, value })
  }
  const alarm = {
    timers: [domain],
    get: () => ({
      process: ({ key, value }: Record<string, string>, ctx: Context) => {
        if (value === 'arm') ctx.timers.register({ key, at: 10, domain })
        forward(ctx, key, value)
      },
      onTimer: ({ key }: { key: string }, ctx: Context) => forward(ctx, key, `rang for ${key}`),
    }),
  }
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor('alarm', alarm, 'in')
    .addSink('out', 'out', Produced.with(string, picky), 'alarm')
  return { topology, worked, alarm, picky }
}

async function start(
  topology: Topology,
  faults: readonly (readonly [number, Fault])[],
  {
    state,
    storage = new MemoryLogStorage(),
    ...config
  }: { state?: StateBackend; storage?: MemoryLogStorage; [key: string]: unknown } = {},
  initial: readonly (readonly [string, string, number])[] = [],
) {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage, clock })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  const parsed = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 5,
    'time.watermark-interval-ms': 5,
    'time.mode': 'stream-time',
    'future-timestamp.guard': 'off',
    ...config,
  })
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log: faulty(log, new Map(faults)),
    clock,
    random: new SeededRandom(1),
    ...(state === undefined ? {} : { state }),
  })
  const text = (value: string) => string.serialize('', Headers.empty, value)
  const send = (key: string, value: string, timestamp: number) =>
    log.append([{ topic: 'in', partition: 0, key: text(key), value: text(value), timestamp, headers: [] }])
  const outputs = async () => {
    const { records } = await log.read('out', 0, 0, 1000)
    return records.map(
      ({ key, value }) =>
        `${new TextDecoder().decode(key as Uint8Array)} ${new TextDecoder().decode(value as Uint8Array)}`,
    )
  }
  /** Resolves once so many outputs are committed. */
  const committed = (count: number) =>
    new Promise<void>((resolve) => {
      const look = async () => {
        if ((await outputs()).length < count) return
        off()
        resolve()
      }
      const off = engine.events.on(['epoch-committed', 'epoch-started'], () => void look())
      void look()
    })
  for (const [key, value, timestamp] of initial) await send(key, value, timestamp)
  const said: string[] = []
  engine.events.on(['log'], (event) => event.type === 'log' && said.push(event.message))
  await engine.start()
  return { engine, log, send, outputs, committed, said }
}

describe('a restart in place', () => {
  it.each<[string, Fault]>([
    ['failed before it was durable', 'before'],
    ['was durable and its answer lost', 'answer-lost'],
  ])('[E4] [E9] [G-92] loses and doubles nothing when a commit %s: outputs, state and timers', async (_, fault) => {
    const { engine, send, outputs, committed } = await start(counting(), [[2, fault]])
    const aborted: number[] = []
    engine.events.on(['epoch-aborted'], (event) => event.type === 'epoch-aborted' && aborted.push(event.epoch))
    await send('a', 'x', 1)
    await committed(1)
    await send('a', 'x', 2)
    await committed(2)
    await send('a', 'x', 3)
    await committed(3)
    await send('z', 'x', 1000)
    await committed(6)
    await engine.stop()
    expect(aborted).toHaveLength(1)
    expect((await outputs()).sort()).toEqual(
      ['a count 1', 'a count 2', 'a count 3', 'a told 3', 'z count 1', 'z told 1'].sort(),
    )
  })

  it.each<[string, Fault]>([
    ['failed before it was durable', 'before'],
    ['was durable and its answer lost', 'answer-lost'],
  ])('[G3] counts what was dropped once when the commit of its epoch %s', async (_, fault) => {
    const topology = counting(({ value }) => {
      if (value === 'bad') throw new Error('cannot take it')
    })
    const { engine, send, committed } = await start(
      topology,
      [[1, fault]],
      { 'processing.exception.handler': 'continue', 'lanes.count': 1, 'commit.interval.ms': 100 },
      [
        ['a', 'bad', 1],
        ['a', 'x', 2],
      ],
    )
    await committed(1)
    await send('a', 'x', 3)
    await committed(2)
    await engine.stop()
    expect(engine.snapshot().counters['dropped_records_total{reason="processing"}']).toBe(1)
  })

  it('[G3] [E9] counts an epoch in doubt once, also where the start that has settled it fails behind that', async () => {
    class FailsOnce extends MemoryStateBackend {
      #failures = 0
      override async commit(...commit: Parameters<MemoryStateBackend['commit']>) {
        await super.commit(...commit)
        if (commit[0] === 1) this.#failures = 1
      }
      override get damaged() {
        if (this.#failures-- > 0) {
          const about = { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true } as const
          throw new StreamError('not yet', about)
        }
        return super.damaged
      }
    }
    const topology = counting(({ value }) => {
      if (value === 'bad') throw new Error('cannot take it')
    })
    const config = { 'processing.exception.handler': 'continue', 'lanes.count': 1, 'commit.interval.ms': 100 }
    const { engine, send, outputs, committed, said } = await start(
      topology,
      [[1, 'answer-lost']],
      { state: new FailsOnce(), ...config },
      [
        ['a', 'bad', 1],
        ['a', 'x', 2],
      ],
    )
    await committed(1)
    await send('a', 'x', 3)
    await committed(2)
    await engine.stop()
    expect(said.filter((line) => line.includes('not yet'))).toHaveLength(1)
    expect(await outputs()).toEqual(['a count 1', 'a count 2'])
    expect(engine.snapshot().counters['dropped_records_total{reason="processing"}']).toBe(1)
  })

  it('[G1] [E4] does an epoch again whose output could not be written, where the handler of gate 3 says retry', async () => {
    let failures = 0
    const flaky: Serde<string> = {
      ...string,
      id: 'flaky',
      serialize: (topic, headers, value) => {
        if (value === 'count 2' && topic === 'out' && failures < 2) {
          failures++
          throw new Error('not now')
        }
        return string.serialize(topic, headers, value)
      },
    }
    const topology = () =>
      new Topology()
        .addSource('in', Consumed.with(string, string), 'in')
        .addSink('out', 'out', Produced.with(string, flaky), 'in')
    const input = [
      ['a', 'count 1', 1],
      ['a', 'count 2', 2],
      ['a', 'count 3', 3],
    ] as const
    const { engine, outputs, committed } = await start(
      topology(),
      [],
      { 'production.exception.handler': 'retry' },
      input,
    )
    await committed(3)
    await engine.stop()
    expect(failures).toBe(2)
    expect(await outputs()).toEqual(['a count 1', 'a count 2', 'a count 3'])
  })

  it('[E7] makes new processors, and a promise of the old ones changes nothing', async () => {
    let release: () => void = () => undefined
    let held: Promise<void> | undefined
    const stale: unknown[] = []
    const topology = counting(async (record, ctx) => {
      if (record.value !== 'hold' || held !== undefined) return
      held = new Promise((resolve) => {
        release = resolve
      })
      await held
      try {
        ctx.store(counts).put('a', 99)
      } catch (error) {
        stale.push(error)
      }
    })
    const { engine, send, outputs, committed } = await start(topology, [], {
      'epoch.cut-timeout-ms': 20,
      'commit.interval.ms': 5,
    })
    await send('a', 'hold', 1)
    // On another lane, so that there is something to commit, and a cut that waits for the first.
    await send('k0', 'x', 2)
    await committed(2)
    release()
    await new Promise((resolve) => setImmediate(resolve))
    await engine.stop()
    expect(stale).toMatchObject([{ code: 'STALE_INCARNATION' }])
    expect((await outputs()).sort()).toEqual(['a count 1', 'k0 count 1'])
  })

  it('[E4] counts restarts on while a timer fails, and anew once it has fired', async () => {
    let failures = 0
    const flaky: Serde<string> = {
      ...string,
      id: 'flaky',
      serialize: (topic, headers, value) => {
        if (topic === 'out' && value === 'rang for bad' && failures++ < 2) throw new Error('not now')
        return string.serialize(topic, headers, value)
      },
    }
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'alarm',
        {
          timers: ['event-time'],
          get: () => ({
            process: ({ key, value }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
              if (value === 'arm') ctx.timers.register({ key, at: 10, domain: 'event-time' })
              void ctx.forward({ key, value })
            },
            onTimer: ({ key }, ctx: CallbackContext<string, string, string>) =>
              void ctx.forward({ key, value: `rang for ${key}` }),
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, flaky), 'alarm')
    const restarts: string[] = []
    const { engine, outputs, committed, send } = await start(
      topology,
      [],
      { 'production.exception.handler': 'retry', 'epoch.max-records': 1, 'lanes.count': 1 },
      [
        ['bad', 'arm', 1],
        ['good', 'arm', 2],
      ],
    )
    engine.events.on(['log'], (event) => {
      if (event.type !== 'log') return
      const count = /restart (\d) of 5/.exec(event.message)?.[1]
      if (count === undefined) return
      restarts.push(count)
      // It can be committed before the timer is due again.
      void send('other', 'passes', 3)
    })
    await committed(2)
    await send('clock', 'rises', 20)
    await committed(7)
    expect(restarts).toEqual(['1', '2'])
    failures = 1
    await send('bad', 'arm', 20)
    await committed(10)
    await engine.stop()
    expect(restarts).toEqual(['1', '2', '1'])
    expect((await outputs()).filter((line) => line === 'bad rang for bad')).toHaveLength(2)
  })

  it('[E4] cuts just before a record that has ended two incarnations, so that the good part commits', async () => {
    let attempts = 0
    const topology = counting((record) => {
      if (record.value !== 'stuck') return undefined
      attempts++
      return attempts < 3 ? new Promise(() => undefined) : undefined
    })
    const { engine, committed } = await start(
      topology,
      [],
      {
        // Long enough that no cut of a busy machine is taken for one that is stuck,
        'epoch.cut-timeout-ms': 250,
        // and that all three are read before the first commit.
        'commit.interval.ms': 500,
        'lanes.count': 1,
      },
      [
        ['a', 'x', 1],
        ['a', 'stuck', 2],
        ['a', 'x', 3],
      ],
    )
    const records: number[] = []
    engine.events.on(['epoch-committed'], (event) => event.type === 'epoch-committed' && records.push(event.records))
    await committed(3)
    await engine.stop()
    expect(attempts).toBe(3)
    expect(records[0]).toBe(1)
  })

  it.each([2, 3])(
    '[E4] cuts just before a timer that has ended two incarnations, so that the good part commits: %i failures',
    async (failures) => {
      let left = failures
      const { topology, worked } = ringing((key) => key === 'bad' && left-- > 0)
      const { engine, outputs, committed, said, send } = await start(
        topology,
        [],
        // Long enough that all of them are read before the first commit.
        { 'production.exception.handler': 'retry', 'commit.interval.ms': 1000, 'lanes.count': 1 },
        [
          ['a', 'x', 1],
          ['bad', 'arm', 2],
          ['good', 'arm', 3],
          ['clock', 'rises', 20],
        ],
      )
      const epochs: string[] = []
      engine.events.on(
        ['epoch-committed'],
        (event) =>
          event.type === 'epoch-committed' && epochs.push(`${event.records} records, ${event.timersFired} timers`),
      )
      await committed(6)
      // Behind its commit it is a timer as any other.
      await Promise.all([send('more', 'x', 25), send('bad', 'arm', 26)])
      await committed(9)
      await engine.stop()
      expect(epochs.pop()).toBe('2 records, 1 timers')
      // Both timers are due with the last record. The good one fires behind the other in its epoch.
      expect(epochs).toEqual(['4 records, 0 timers', '0 records, 2 timers'])
      const restarts = said.filter((line) => /restart \d of 5/.test(line))
      expect(restarts).toHaveLength(failures)
      const cuts = /cut just before the timers of "alarm" for bad, so that/
      expect(restarts.map((line) => cuts.test(line))).toEqual(restarts.map((_, i) => i > 0))
      // What was committed before it was not done again.
      expect(worked.filter((value) => value === 'rises')).toHaveLength(3)
      expect((await outputs()).sort()).toEqual(
        [
          ...['a x', 'bad arm', 'bad rang for bad', 'clock rises', 'good arm', 'good rang for good'],
          ...['more x', 'bad arm', 'bad rang for bad'],
        ].sort(),
      )
    },
  )

  it('[E4] [E8] fires it in the cut where something that has crossed a boundary waits behind it', async () => {
    let left = 2
    const { alarm, picky } = ringing((key) => key === 'bad' && left-- > 0, 'processing-time')
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .flatMap<string, string>((key, value) =>
        value === 'both'
          ? [
              ['bad', 'arm'],
              ['late', 'y'],
            ]
          : [[String(key), String(value)]],
      )
      .repartition(Repartitioned.with(string, string))
      .process(alarm)
      .to('out', Produced.with(string, picky))
    const { engine, outputs, committed, said } = await start(
      builder.build(),
      [],
      {
        'production.exception.handler': 'retry',
        'commit.interval.ms': 1000,
        'epoch.cut-timeout-ms': 5000,
        'lanes.count': 1,
      },
      [
        ['a', 'x', 1],
        ['a', 'both', 2],
      ],
    )
    await committed(4)
    await engine.stop()
    expect(said.filter((line) => /restart \d of 5/.test(line))).toHaveLength(2)
    expect((await outputs()).sort()).toEqual(['a x', 'bad arm', 'bad rang for bad', 'late y'])
  })

  it('[E4] [T5] lets nothing of its lane pass a timer that waits for the cut, and cuts for no other one', async () => {
    let left = 2
    const { topology, worked } = ringing((key) => key === 'bad' && left-- > 0)
    const { engine, committed } = await start(
      topology,
      [],
      { 'production.exception.handler': 'retry', 'commit.interval.ms': 1000, 'lanes.count': 1 },
      [
        ['able', 'arm', 2],
        ['bad', 'arm', 3],
        ['clock', 'rises', 20],
        ['late', 'x', 21],
      ],
    )
    const epochs: number[] = []
    engine.events.on(['epoch-committed'], (event) => event.type === 'epoch-committed' && epochs.push(event.timersFired))
    await committed(6)
    await engine.stop()
    expect(worked.slice(-6)).toEqual(['arm', 'arm', 'rises', 'rang for able', 'rang for bad', 'x'])
    // The good one, and behind the cut the bad one.
    expect(epochs).toEqual([1, 1])
  })
})

describe('a start that goes on', () => {
  it('[T8] [W6] [E14] [G-85] finds timers, state and clocks as the last commit left them', async () => {
    const state = new MemoryStateBackend()
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { state, storage }, [
      ['a', 'x', 1],
      ['a', 'x', 500],
    ])
    await first.committed(2)
    await first.engine.stop()
    await first.log.close()
    const second = await start(counting(), [], { state, storage })
    const { nodes } = second.engine.snapshot()
    expect(nodes.find((node) => node.node === 'count')).toMatchObject({
      eventClock: 500,
      timers: { pending: 1, fired: 0 },
    })
    await second.send('z', 'x', 1000)
    await second.committed(5)
    await second.engine.stop()
    expect(await second.outputs()).toEqual(['a count 1', 'a count 2', 'z count 1', 'a told 2', 'z told 1'])
  })

  it('[E9] [E13] begins anew after a rewind: no clock, timer or count of before is left, and nothing is late', async () => {
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { storage }, [['a', 'x', 500]])
    await first.committed(1)
    await first.engine.stop()
    await first.log.rewind('app', ['in'])
    await first.log.close()
    const second = await start(counting(), [], { storage })
    await second.committed(2)
    await second.engine.stop()
    expect(await second.outputs()).toEqual(['a count 1', 'a count 1'])
    await second.log.close()
    // What was before the rewind stays forgotten, though its changelog is still there.
    const third = await start(counting(), [], { storage })
    await third.send('a', 'x', 501)
    await third.committed(3)
    await third.engine.stop()
    expect(await third.outputs()).toEqual(['a count 1', 'a count 1', 'a count 2'])
  })

  it.each([
    ['does not mourn state after a rewind to another place than 0', true, 0],
    ['says so where positions are there and no epoch is', false, 1],
  ])('[E9] [E13] %s', async (_, rewinds, warnings) => {
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { storage }, [
      ['a', 'x', 500],
      ['a', 'x', 501],
    ])
    await first.committed(1)
    await first.engine.stop()
    const { log } = first
    if (rewinds) await log.rewind('app', ['in'])
    else await log.internal?.deleteBelow('app-lanescope-epoch-changelog', [99])
    // Where a topic begins by now, or one that the application writes itself ends.
    const group = await log.open('app', ['in'], 'earliest')
    await group.commit({ epoch: 99, outputs: [], positions: [{ topic: 'in', partition: 0, offset: 1, done: [] }] })
    await log.close()
    const second = await start(counting(), [], { storage })
    await second.engine.stop()
    expect(second.said.filter((line) => line.includes('starts empty'))).toHaveLength(warnings)
    await second.log.close()
  })

  it('[E13] refuses positions and changelogs whose epoch topic is gone, unless told to go on', async () => {
    const storage = new MemoryLogStorage()
    const before = await start(counting(), [], { storage }, [['a', 'x', 500]])
    await before.engine.stop()
    // As another application, of which all is there but the topic of epochs.
    const { log } = before
    const group = await log.open('other', ['in'], 'earliest')
    await group.commit({ epoch: 9, outputs: [], positions: [{ topic: 'in', partition: 0, offset: 1, done: [] }] })
    await group.close()
    const counted = { topic: 'other-counts-changelog', partition: 0, key: null, value: null, timestamp: 1, headers: [] }
    await log.createTopic(counted.topic, 1)
    const config = { storage, 'application.id': 'other' }
    await log.close()
    const fresh = await start(counting(), [], config)
    await fresh.engine.stop()
    expect(fresh.said.filter((line) => line.includes('starts empty'))).toEqual([])
    await fresh.log.append([counted])
    await fresh.log.close()
    await expect(start(counting(), [], config)).rejects.toMatchObject({
      code: 'STATE_MISMATCH',
      retriable: false,
      message: expect.stringMatching(/goes on from in-0 @ 1, .* no record of the epoch/),
    })
    const told = await start(counting(), [], { ...config, 'source.offset-gap': 'accept' })
    await told.engine.stop()
    expect(told.said.filter((line) => line.includes('starts empty'))).toHaveLength(1)
  })

  it('[E13] refuses positions that are not those of its last epoch, and accepts them when told to', async () => {
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { storage }, [['a', 'x', 500]])
    await first.committed(1)
    await first.engine.stop()
    const reset = await first.log.open('app', ['in'], 'earliest')
    await reset.commit({ epoch: 99, outputs: [], positions: [{ topic: 'in', partition: 0, offset: 0, done: [] }] })
    await first.log.close()
    await expect(start(counting(), [], { storage })).rejects.toMatchObject({
      code: 'STATE_MISMATCH',
      message: expect.stringMatching(/in-0 goes on at 0, 1 records before 1/),
    })
    const accepting = await start(counting(), [], { storage, 'source.offset-gap': 'accept' })
    await accepting.committed(2)
    await accepting.engine.stop()
    expect(await accepting.outputs()).toEqual(['a count 1', 'a count 2'])
  })

  it('[E6] gives state that missed an epoch what the log has of it', async () => {
    const state = new MemoryStateBackend()
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { state, storage }, [['a', 'x', 1]])
    await first.committed(1)
    await first.engine.stop()
    // The next epoch reaches the log, and its process dies before the state has it.
    let reached: () => void = () => undefined
    const atState = new Promise<void>((resolve) => {
      reached = resolve
    })
    class Missing extends MemoryStateBackend {
      override get committedEpoch() {
        return state.committedEpoch
      }
      override get changelogMarks() {
        return state.changelogMarks
      }
      override open(store: string) {
        return state.open(store)
      }
      override names(prefix: string) {
        return state.names(prefix)
      }
      override restore(changes: readonly StoreChanges[], marks?: ChangelogMarks) {
        return state.restore(changes, marks)
      }
      override async commit(epoch: number, changes: readonly StoreChanges[], marks?: ChangelogMarks) {
        if (epoch === state.committedEpoch) return state.commit(epoch, changes, marks)
        reached()
        return new Promise<void>(() => undefined)
      }
    }
    const missed = new Missing()
    const second = await start(counting(), [], { state: missed, storage }, [['a', 'x', 2]])
    await atState
    expect(await second.outputs()).toEqual(['a count 1', 'a count 2'])
    expect(state.committedEpoch).toBe(1)
    const third = await start(counting(), [], { state, storage }, [['a', 'x', 3]])
    await third.committed(3)
    expect(await third.outputs()).toEqual(['a count 1', 'a count 2', 'a count 3'])
  })

  it('[E9] [E11] has a commit in doubt in what it rebuilds, where its state was damaged meanwhile', async () => {
    class Damaged extends MemoryStateBackend {
      lost: readonly string[] = []
      override get damaged() {
        return this.lost
      }
      override async commit(epoch: number, changes: readonly StoreChanges[], marks?: ChangelogMarks) {
        if (this.lost.length > 0) throw new Error('damaged state takes no epoch')
        await super.commit(epoch, changes, marks)
      }
      override async restore(changes: readonly StoreChanges[], marks?: ChangelogMarks) {
        if (changes.some(({ store, cleared }) => cleared && this.lost.includes(store))) this.lost = []
        await super.restore(changes, marks)
      }
    }
    const state = new Damaged()
    const { engine, send, outputs, committed } = await start(counting(), [[2, 'answer-lost']], { state })
    let aborts = 0
    engine.events.on(['epoch-aborted'], () => aborts++)
    await send('a', 'x', 1)
    await committed(1)
    state.lost = ['counts']
    await send('a', 'x', 2)
    await committed(2)
    await send('a', 'x', 3)
    await committed(3)
    await engine.stop()
    expect(await outputs()).toEqual(['a count 1', 'a count 2', 'a count 3'])
    expect(aborts).toBe(1)
  })

  it('[E6] [E9] does not take a commit in doubt for a whole state, where what lay below it is gone', async () => {
    class Gone extends MemoryStateBackend {
      isGone = false
      async recover() {
        if (this.isGone) await this.reset()
        this.isGone = false
      }
    }
    const state = new Gone()
    const { engine, send, outputs, committed } = await start(counting(), [[2, 'answer-lost']], { state }, [
      ['a', 'x', 1],
      ['b', 'x', 1],
    ])
    await committed(2)
    state.isGone = true
    await send('a', 'x', 2)
    await committed(3)
    await send('b', 'x', 3)
    await committed(4)
    await engine.stop()
    expect(await outputs()).toEqual(['a count 1', 'b count 1', 'a count 2', 'b count 2'])
  })

  it('[E6] rebuilds state in memory from its changelog, and restarts in place before and after its first commit', async () => {
    const storage = new MemoryLogStorage()
    const first = await start(counting(), [], { storage }, [['a', 'x', 1]])
    await first.committed(1)
    await first.engine.stop()
    await first.log.close()
    const second = await start(
      counting(),
      [
        [1, 'before'],
        [3, 'answer-lost'],
      ],
      { storage },
    )
    await second.send('a', 'x', 2)
    await second.committed(2)
    await second.send('a', 'x', 3)
    await second.committed(3)
    await second.engine.stop()
    expect(await second.engine.finished).toBeUndefined()
    expect(await second.outputs()).toEqual(['a count 1', 'a count 2', 'a count 3'])
  })
})
