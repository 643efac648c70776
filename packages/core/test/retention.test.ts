import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  EmbeddedLog,
  EmitStrategy,
  type EngineApi,
  Headers,
  type InternalTopicSettings,
  type InternalTopics,
  JoinWindows,
  Materialized,
  MemoryLogStorage,
  MemoryStateBackend,
  minutes,
  Produced,
  parseConfig,
  type ReadOnlySessionStore,
  type ReadOnlyWindowStore,
  type Record,
  type RecordLog,
  SeededRandom,
  type StateBackend,
  Stores,
  StreamJoined,
  StreamsBuilder,
  SystemClock,
  string,
  TimeWindows,
  Topology,
} from '../src/index.js'

const MINUTE = 60_000
const windows = Stores.window('windows', { retentionMs: 2 * MINUTE, windowSizeMs: 10 }, string, string)
const sessions = Stores.session('sessions', { retentionMs: 2 * MINUTE }, string, string)
const text = (value: string) => string.serialize('', Headers.empty, value)
const shown = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))

/** Keeps each value under its key and time; the word "gone" ends a session. */
function keeping(): Topology {
  return new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
    'keep',
    {
      stores: [windows, sessions],
      get: () => ({
        process: ({ key, value, timestamp }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
          ctx.store(windows).put(key, value, timestamp)
          const session = { key, window: { start: timestamp, end: timestamp } }
          if (value === 'gone') ctx.store(sessions).remove(session)
          else ctx.store(sessions).put(session, value)
        },
      }),
    },
    'in',
  )
}

interface Life {
  readonly engine: EngineApi
  readonly log: EmbeddedLog
  readonly warned: readonly string[]
  /** Sends records and waits until they are committed. Each batch is an epoch or more. */
  send(...records: readonly (readonly [key: string, value: string, timestamp: number])[]): Promise<void>
  /** Waits until each partition of a topic begins where it is to begin. */
  begins(topic: string, starts: readonly number[]): Promise<void>
  /** As a process that ends: what is in the log and in the backend outlives it. */
  end(): Promise<void>
}

async function life(
  storage: MemoryLogStorage,
  {
    topology = keeping(),
    state,
    partitions = 1,
    internal = (topics) => topics,
    segmentBytes = 32 * 1024 * 1024,
  }: {
    readonly topology?: Topology
    readonly state?: StateBackend
    readonly partitions?: number
    readonly internal?: (topics: InternalTopics) => InternalTopics
    readonly segmentBytes?: number
  } = {},
): Promise<Life> {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage, clock, segmentBytes })
  for (const topic of ['in', 'other', 'out']) await log.createTopic(topic, partitions)
  const config = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 5,
    'time.mode': 'stream-time',
    'future-timestamp.guard': 'off',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
  })
  const seen: RecordLog = {
    kind: 'embedded',
    exactlyOnce: true,
    internal: internal(log.internal),
    topics: (names) => log.topics(names),
    topicsMatching: (pattern) => log.topicsMatching(pattern),
    open: (application, topics, reset, resets, found) => log.open(application, topics, reset, resets, found),
    close: () => log.close(),
  }
  const random = new SeededRandom(1)
  const engine = createEngine({
    topology: topology.compile(config),
    config,
    log: seen,
    clock,
    random,
    ...(state && { state }),
  })
  const warned: string[] = []
  engine.events.on(['log'], (event) => event.type === 'log' && event.level === 'warn' && warned.push(event.message))
  let sent = 0
  for (let partition = 0; partition < partitions; partition++) {
    sent += (await log.read('in', partition, 0, 0)).lastStableOffset
  }
  const isDone = () => {
    const { clocks, epoch } = engine.snapshot()
    const positions = clocks.partitions.filter(({ topic }) => topic === 'in').map(({ position }) => position)
    return positions.reduce((sum, position) => sum + position, 0) === sent && epoch.committed === epoch.number - 1
  }
  await engine.start()
  return {
    engine,
    log,
    warned,
    send: async (...records) => {
      const done = new Promise<void>((resolve) => {
        const off = engine.events.on(['epoch-committed', 'epoch-started'], () => {
          if (!isDone()) return
          off()
          resolve()
        })
      })
      sent += records.length
      await log.append(
        records.map(([key, value, timestamp]) => ({
          topic: 'in',
          partition: -1,
          key: text(key),
          value: text(value),
          timestamp,
          headers: [],
        })),
      )
      await done
    },
    begins: async (topic, starts) => {
      for (;;) {
        const found = (await log.internal.bounds(topic)).map(({ start }) => start)
        if (found.every((start, i) => start >= (starts[i] ?? 0))) return expect(found).toEqual(starts)
        await clock.yield()
      }
    },
    end: async () => {
      await engine.stop()
      expect(await engine.finished).toBeUndefined()
      await log.close()
    },
  }
}

async function contents({ engine }: Life) {
  const inWindows = await (engine.store('windows') as ReadOnlyWindowStore<string, string>).all().toArray()
  const store = engine.store('sessions') as ReadOnlySessionStore<string, string>
  const inSessions = []
  for (const key of ['a', 'b', 'c', 'd']) inSessions.push(await store.fetch(key).toArray())
  return [inWindows, inSessions]
}

describe('[E12] what lies before the oldest live segment', () => {
  it('is deleted from the changelog once the epoch that expired it has committed, and no record more', async () => {
    const run = await life(new MemoryLogStorage())
    await run.send(['a', '1', 0], ['b', '1', MINUTE - 1])
    await run.send(['a', '2', MINUTE])
    // The last time at which the first segment lives.
    await run.send(['a', '3', 3 * MINUTE - 1])
    expect(await run.log.internal.bounds('app-windows-changelog')).toEqual([{ start: 0, end: 4 }])
    await run.send(['a', '4', 3 * MINUTE])
    await run.begins('app-windows-changelog', [2])
    await run.send(['a', '5', 4 * MINUTE])
    await run.begins('app-windows-changelog', [3])
    await run.begins('app-sessions-changelog', [3])
    expect(run.warned).toEqual([])
    await run.end()
  })

  it('is missed by nobody: state that is rebuilt without it is what it was, and goes on as it would have', async () => {
    const storage = new MemoryLogStorage()
    const before = await life(storage, { partitions: 3 })
    const untouched = await life(new MemoryLogStorage(), {
      partitions: 3,
      internal: (topics) => ({ ...topics, deleteBelow: async () => undefined }),
    })
    for (let i = 0; i < 40; i++) {
      const batch = ['a', 'b', 'c', 'd'].map((key) => [key, i % 7 === 3 ? 'gone' : `${i}`, i * 20_000] as const)
      await before.send(...batch)
      await untouched.send(...batch)
    }
    const at = async (run: Life) => (await run.log.internal.bounds('app-windows-changelog')).map(({ start }) => start)
    while ((await at(before)).some((start) => start < 20)) await new SystemClock().yield()
    expect(await at(untouched)).toEqual([0, 0, 0])
    const expected = await contents(untouched)
    expect(await contents(before)).toEqual(expected)
    await before.end()
    // The disk is lost.
    const after = await life(storage, { partitions: 3 })
    expect(await contents(after)).toEqual(expected)
    const more = [
      ['a', 'more', 790_000],
      ['b', 'late', 400_000],
      ['c', 'gone', 780_000],
    ] as const
    await after.send(...more)
    await untouched.send(...more)
    expect(await contents(after)).toEqual(await contents(untouched))
    expect(after.warned.filter((line) => !line.includes('expired'))).toEqual([])
    await after.end()
    await untouched.end()
  })

  it.each(['kept', 'lost'])('goes on being deleted after a restart whose local state is %s', async (local) => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    const first = await life(storage, { state })
    await first.send(['a', '1', 0])
    await first.send(['a', '2', MINUTE])
    await first.send(['a', '3', 3 * MINUTE])
    await first.begins('app-windows-changelog', [1])
    await first.end()
    const second = await life(storage, local === 'kept' ? { state } : {})
    await second.send(['a', '4', 4 * MINUTE])
    await second.begins('app-windows-changelog', [2])
    expect(second.warned).toEqual([])
    await second.end()
  })

  it('is waited for no longer when a segment was emptied and a restart has forgotten it', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    const first = await life(storage, { state })
    await first.send(['a', '1', 0])
    await first.send(['a', 'gone', 0])
    await first.send(['a', '2', MINUTE])
    await first.end()
    const second = await life(storage, { state })
    await second.send(['b', '3', MINUTE + 1])
    await second.begins('app-sessions-changelog', [2])
    expect((await second.log.internal.bounds('app-windows-changelog'))[0]?.start).toBe(0)
    await second.end()
  })

  it('is deleted to the record, though the log hears late where it ends', async () => {
    let isLate = false
    const run = await life(new MemoryLogStorage(), {
      internal: (topics) => ({
        ...topics,
        bounds: async (topic) => {
          const bounds = await topics.bounds(topic)
          return isLate ? bounds.map(({ start }) => ({ start, end: start })) : bounds
        },
      }),
    })
    isLate = true
    for (let i = 0; i < 4; i++) await run.send(['a', `${i}`, i * MINUTE], ['b', `${i}`, i * MINUTE])
    await run.begins('app-windows-changelog', [2])
    await run.send(['a', '4', 4 * MINUTE])
    await run.begins('app-windows-changelog', [4])
    await run.end()
  })

  it('is not being deleted any more when a life of the engine is over, for the next one reads there', async () => {
    let release = () => {}
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const run = await life(new MemoryLogStorage(), {
      internal: (topics) => ({
        ...topics,
        deleteBelow: async () => {
          asked()
          await new Promise<void>((resolve) => {
            release = resolve
          })
        },
      }),
    })
    await run.send(['a', '1', 0])
    await run.send(['a', '2', 3 * MINUTE])
    await isAsked
    let ended = false
    const end = run.end().then(() => {
      ended = true
    })
    for (let i = 0; i < 50; i++) await new SystemClock().yield()
    expect(ended).toBe(false)
    release()
    await end
  })

  it('stays when it cannot be deleted, and the run goes on and says so', async () => {
    const run = await life(new MemoryLogStorage(), {
      internal: (topics) => ({
        ...topics,
        deleteBelow: async () => {
          throw new Error('not allowed')
        },
      }),
    })
    await run.send(['a', '1', 0])
    await run.send(['a', '2', 3 * MINUTE])
    await run.send(['a', '3', 3 * MINUTE + 1])
    expect(run.warned.join()).toMatch(/could not be deleted from "app-windows-changelog".*not allowed/)
    expect(run.engine.state).toBe('running')
    await run.end()
  })

  it('does not take with it up to when windows were sent on as final', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(minutes(1)))
      .emitStrategy(EmitStrategy.onWindowClose())
      .count(Materialized.as<string, number>('counts').withRetention(minutes(2)))
      .toStream((key) => `${key.key}@${key.window.start}`)
      .mapValues((count) => String(count))
      .to('out', Produced.with(string, string))
    const topology = builder.build()
    const storage = new MemoryLogStorage()
    const outputs = async ({ log }: Life) =>
      (await log.read('out', 0, 0, 100)).records.map(({ key, value }) => `${shown(key)}=${shown(value)}`)
    const first = await life(storage, { topology })
    for (let i = 0; i < 8; i++) await first.send(['a', 'x', i * MINUTE])
    while (((await first.log.internal.bounds('app-counts-changelog'))[0]?.start ?? 0) < 5)
      await new SystemClock().yield()
    await first.end()
    const second = await life(storage, { topology })
    await second.send(['a', 'x', 7 * MINUTE + 1])
    await second.send(['a', 'x', 8 * MINUTE])
    const expected = Array.from({ length: 7 }, (_, i) => `a@${i * MINUTE}=1`)
    expect(await outputs(second)).toEqual([...expected, `a@${7 * MINUTE}=2`])
    await second.end()
  })
})

it('[E6] [E12] whatever is deleted, lost, kept or of an older day: each life has the state of a run that never ended', async () => {
  const random = new SeededRandom(3)
  const storage = new MemoryLogStorage()
  const untouched = await life(new MemoryLogStorage(), {
    internal: (topics) => ({ ...topics, deleteBelow: async () => undefined }),
  })
  const kept = [new MemoryStateBackend(), new MemoryStateBackend()]
  let time = 0
  let deleted = 0
  for (let round = 0; round < 15; round++) {
    const state = kept[Math.floor(random.next() * 3)]
    const run = await life(storage, state === undefined ? {} : { state })
    expect(await contents(run)).toEqual(await contents(untouched))
    for (let i = 0; i < 6; i++) {
      time += random.next() < 0.1 ? 3 * MINUTE : Math.floor(random.next() * 25_000)
      const batch = Array.from({ length: 4 }, () => {
        const late = random.next() < 0.3 ? Math.floor(random.next() * 2 * MINUTE) : 0
        const key = 'abcd'.charAt(Math.floor(random.next() * 4))
        return [key, random.next() < 0.3 ? 'gone' : `${round} ${i}`, Math.max(0, time - late)] as const
      })
      await run.send(...batch)
      await untouched.send(...batch)
    }
    deleted = (await run.log.internal.bounds('app-windows-changelog'))[0]?.start ?? 0
    await run.end()
  }
  expect(deleted).toBeGreaterThan(100)
  await untouched.end()
})

it('[E12] a run on the embedded log takes room for its input and its state, however long it lasts', async () => {
  const storage = new MemoryLogStorage()
  const run = await life(storage, { segmentBytes: 20_000 })
  const bytes = async () => {
    let sum = 0
    for (const file of await storage.list()) sum += await storage.size(file)
    return sum
  }
  const work = async (from: number, to: number) => {
    for (let i = from; i < to; i++) await run.send([`k${i % 5}`, 'value', i * 5000])
  }
  await work(0, 100)
  const before = await bytes()
  await work(100, 400)
  // An epoch's record alone is several times as large as the input that it tells of.
  const epoch = await run.log.internal.last('app-lanescope-epoch-changelog')
  expect(epoch?.value?.length).toBeGreaterThan(400)
  expect(((await bytes()) - before) / 300).toBeLessThan(250)
  const contentsBefore = await contents(run)
  await run.end()
  const again = await life(storage, { segmentBytes: 20_000 })
  expect(await contents(again)).toEqual(contentsBefore)
  await again.end()
})

describe('[E12] the topics of an application', () => {
  async function settingsOf(topology: Topology): Promise<ReadonlyMap<string, InternalTopicSettings>> {
    const settings = new Map<string, InternalTopicSettings>()
    const run = await life(new MemoryLogStorage(), {
      topology,
      internal: (topics) => ({
        ...topics,
        ensure: (topic, partitions, given) => {
          settings.set(topic, given)
          return topics.ensure(topic, partitions, given)
        },
      }),
    })
    await run.end()
    return settings
  }
  const policyOf = (settings: ReadonlyMap<string, InternalTopicSettings>, topic: string) =>
    settings.get(topic)?.needed['cleanup.policy']

  it('[G-40] those of join buffers are deleted, and never compacted', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .join(
        builder.stream('other', Consumed.with(string, string)),
        (left, right) => left + right,
        JoinWindows.ofTimeDifferenceWithNoGrace(minutes(1)),
        StreamJoined.with(string, string, string).withStoreName('pairs'),
      )
      .to('out', Produced.with(string, string))
    const settings = await settingsOf(builder.build())
    const joined = [...settings.keys()].filter((topic) => topic.startsWith('app-pairs'))
    expect(joined).toHaveLength(2)
    for (const topic of joined) {
      expect(settings.get(topic)?.needed).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '-1' })
    }
  })

  it('those of windows and sessions, and the epochs’, are compacted and deleted, by nobody’s clock', async () => {
    const settings = await settingsOf(keeping())
    for (const topic of ['app-windows-changelog', 'app-sessions-changelog', 'app-lanescope-epoch-changelog']) {
      const { needed } = settings.get(topic) as InternalTopicSettings
      expect(needed).toMatchObject({
        'cleanup.policy': 'compact,delete',
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'message.timestamp.type': 'CreateTime',
        'message.timestamp.after.max.ms': '9223372036854775807',
      })
    }
  })

  const counting = (topicConfig: { readonly [key: string]: string }) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(minutes(1)))
      .count(Materialized.as<string, number>('counts').withLoggingEnabled(topicConfig))
    builder
      .stream('other', Consumed.with(string, string))
      .groupByKey()
      .count(Materialized.as<string, number>('totals').withLoggingEnabled(topicConfig))
    return builder.build()
  }

  it('have what their stores are told, over what the engine would set', async () => {
    const settings = await settingsOf(
      counting({ 'retention.ms': '5', 'segment.bytes': '100', 'min.insync.replicas': '2' }),
    )
    const { needed, initial } = settings.get('app-counts-changelog') as InternalTopicSettings
    expect(needed).toMatchObject({ 'cleanup.policy': 'compact,delete', 'retention.ms': '5' })
    expect(initial).toEqual({ 'retention.ms': '5', 'segment.bytes': '100', 'min.insync.replicas': '2' })
    const totals = settings.get('app-totals-changelog') as InternalTopicSettings
    expect(totals.needed['cleanup.policy']).toBe('compact')
    expect(totals.initial).toMatchObject({ 'min.insync.replicas': '2' })
  })

  it('are not deleted from where a store says compact alone', async () => {
    const settings = await settingsOf(counting({ 'cleanup.policy': 'compact' }))
    expect(policyOf(settings, 'app-counts-changelog')).toBe('compact')
  })

  it('[F6] are refused settings with which the log would not take every time', async () => {
    const start = settingsOf(counting({ 'message.timestamp.type': 'LogAppendTime' }))
    await expect(start).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringMatching(/store "counts".*message.timestamp.type=LogAppendTime.*sets CreateTime/),
    })
    await settingsOf(counting({ 'message.timestamp.type': 'CreateTime' }))
  })
})
