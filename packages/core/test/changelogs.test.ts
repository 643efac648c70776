import { describe, expect, it } from 'vitest'
import {
  BufferConfig,
  type CallbackContext,
  Consumed,
  createEngine,
  EmbeddedLog,
  type EngineApi,
  Headers,
  long,
  MemoryLogStorage,
  MemoryStateBackend,
  Produced,
  parseConfig,
  type ReadOnlyKeyValueStore,
  type ReadOnlySessionStore,
  type ReadOnlyVersionedStore,
  type ReadOnlyWindowStore,
  type Record,
  SeededRandom,
  type StateBackend,
  type StoreBuilder,
  Stores,
  StreamsBuilder,
  Suppressed,
  SystemClock,
  string,
  TimeWindows,
  Topology,
  toHex,
} from '../src/index.js'

type Put = (ctx: CallbackContext<string, string, string>, record: Record<string, string>) => void

function keeping(store: StoreBuilder<any, any>, put: Put): Topology {
  const supplier = {
    stores: [store],
    get: () => ({
      process: (record: Record<string, string>, ctx: CallbackContext<string, string, string>) => put(ctx, record),
    }),
  }
  return new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor('keep', supplier, 'in')
}

/** A process: it reads what is there, keeps it in memory, and ends. Only the log outlives it. */
async function life(
  storage: MemoryLogStorage,
  topology: Topology,
  records: readonly (readonly [key: string, value: string, timestamp: number])[],
  look: (engine: EngineApi, log: EmbeddedLog) => Promise<void> = async () => undefined,
  config: { readonly [key: string]: unknown } = {},
  state?: StateBackend,
  warned: string[] = [],
): Promise<void> {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage, clock })
  await log.createTopic('in', 3)
  await log.createTopic('wide', 5)
  const parsed = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 5,
    'time.mode': 'stream-time',
    'future-timestamp.guard': 'off',
    ...config,
  })
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log,
    clock,
    random: new SeededRandom(1),
    ...(state && { state }),
  })
  engine.events.on(['log'], (event) => event.type === 'log' && event.level === 'warn' && warned.push(event.message))
  const text = (value: string) => string.serialize('', Headers.empty, value)
  const before = await ends(log)
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
  const done = new Promise<void>((resolve) => {
    const look = () => {
      const { clocks, epoch } = engine.snapshot()
      const position = clocks.partitions.reduce((sum, partition) => sum + partition.position, 0)
      if (position === before + records.length && epoch.committed === epoch.number - 1) resolve()
    }
    engine.events.on(['epoch-committed', 'epoch-started'], look)
    if (records.length === 0) resolve()
  })
  await engine.start()
  await done
  await look(engine, log)
  await engine.stop()
  expect(await engine.finished).toBeUndefined()
  await log.close()
}

async function ends(log: EmbeddedLog): Promise<number> {
  let sum = 0
  for (const partition of [0, 1, 2]) sum += (await log.read('in', partition, 0, 0)).lastStableOffset
  return sum
}

/** Key and value bytes of a changelog, partition after partition. */
async function logged(log: EmbeddedLog, topic: string): Promise<string[]> {
  const [info] = await log.topics([topic])
  const all: string[] = []
  for (let partition = 0; partition < (info?.partitions ?? 0); partition++) {
    const { records } = await log.read(topic, partition, 0, 1000)
    for (const { key, value } of records)
      all.push(`${toHex(key as Uint8Array)} ${value === null ? null : toHex(value)}`)
  }
  return all
}

describe('changelogs', () => {
  const seen = Stores.keyValue('seen', string, string)
  const put: Put = (ctx, { key, value }) => {
    if (value === 'gone') ctx.store(seen).delete(key)
    else ctx.store(seen).put(key, value)
  }

  it('[E6] rebuild a key-value store: last values, and no key that was deleted', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, keeping(seen, put), [
      ['a', 'x', 1],
      ['b', 'y', 2],
      ['c', 'z', 3],
    ])
    await life(storage, keeping(seen, put), [
      ['a', 'x2', 4],
      ['b', 'gone', 5],
      ['never', 'gone', 6],
    ])
    await life(storage, keeping(seen, put), [], async (engine) => {
      const store = engine.store('seen') as ReadOnlyKeyValueStore<string, string>
      expect(await store.all().toArray()).toEqual([
        ['a', 'x2'],
        ['c', 'z'],
      ])
      expect(store.count()).toBe(2)
    })
  })

  it('[E11] have the name and partitions that Kafka Streams gives them, and each key in its partition', async () => {
    const storage = new MemoryLogStorage()
    await life(
      storage,
      keeping(seen, put),
      ['a', 'b', 'c', 'd', 'e'].map((key, i) => [key, key, i] as const),
      async (_, log) => {
        const [info] = await log.topics(['app-seen-changelog'])
        expect(info?.partitions).toBe(3)
        const inputs: (string | undefined)[] = []
        const changes: (string | undefined)[] = []
        for (const partition of [0, 1, 2]) {
          const keys = async (topic: string) =>
            (await log.read(topic, partition, 0, 100)).records.map(({ key }) => key && toHex(key)).sort()
          inputs.push((await keys('in')).join())
          changes.push((await keys('app-seen-changelog')).join())
        }
        expect(changes).toEqual(inputs)
        expect(inputs.filter((keys) => keys !== '').length).toBeGreaterThan(1)
      },
    )
  })

  it('[E8] get one record a key and epoch, with its final value', async () => {
    const twice: Put = (ctx, { key, value }) => {
      ctx.store(seen).put(key, 'passing')
      ctx.store(seen).put(key, value)
    }
    await life(new MemoryLogStorage(), keeping(seen, twice), [['a', 'x', 1]], async (_, log) => {
      expect(await logged(log, 'app-seen-changelog')).toEqual(['61 78'])
    })
  })

  it('[E12] of a versioned store lose the versions whose history is over, and bring back all others', async () => {
    const versions = Stores.versionedKeyValue(
      'versions',
      { historyRetentionMs: 100, segmentIntervalMs: 10 },
      string,
      string,
    )
    const putVersion: Put = (ctx, { key, value, timestamp }) => {
      ctx.store(versions).put(key, value === 'gone' ? null : value, timestamp)
    }
    const storage = new MemoryLogStorage()
    const topology = keeping(versions, putVersion)
    /** Keys of the rows that a compacted changelog would hold, each with its part of the store. */
    const held = async (log: EmbeddedLog) => {
      const rows = (await logged(log, 'app-versions-changelog')).map((row) => row.split(' '))
      const last = new Map(rows.map(([key = '', value]) => [key, value]))
      return [...last].flatMap(([key, value]) => (value === 'null' ? [] : [Buffer.from(key, 'hex').toString('latin1')]))
    }
    const ended = (rows: readonly string[]) =>
      rows.filter((row) => row.startsWith('/')).map((row) => Number(row.slice(1, row.indexOf('\0'))))
    await life(
      storage,
      topology,
      [
        ['a', 'v1', 10],
        ['a', 'v2', 25],
        ['b', 'w1', 10],
        ['a', 'v3', 60],
      ],
      async (_, log) => expect(ended(await held(log)).sort((x, y) => x - y)).toEqual([20, 60]),
    )
    // The least time that may be read is 51: what ended at 25 goes, what ended at 60 stays.
    await life(
      storage,
      topology,
      [
        ['c', 'x', 150],
        ['d', 'y', 151],
      ],
      async (_, log) => expect(ended(await held(log))).toEqual([60]),
    )
    await life(storage, topology, [], async (engine) => {
      const store = engine.store('versions') as ReadOnlyVersionedStore<string, string>
      expect([51, 59, 60].map((at) => store.getAsOf('a', at)?.value)).toEqual(['v2', 'v2', 'v3'])
      expect([store.get('b')?.value, store.get('c')?.value]).toEqual(['w1', 'x'])
      expect(store.getAsOf('a', 50)).toBeUndefined()
    })
  })

  it('[E13] [G-25] are not read into another format: the start names the store and both, and nothing is lost', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, keeping(seen, put), [['a', 'x', 1]])
    const other = keeping(Stores.keyValue('seen', string, long), () => undefined)
    await expect(life(storage, other, [])).rejects.toMatchObject({
      code: 'STATE_MISMATCH',
      message: expect.stringMatching(
        /"seen".*written as key-value string string, and this topology reads key-value string long/,
      ),
    })
    await life(storage, keeping(seen, put), [], async (engine) => {
      expect((engine.store('seen') as ReadOnlyKeyValueStore<string, string>).get('a')).toBe('x')
    })
  })

  it('[E13] let a store of another format begin empty when told to, and keep the others', async () => {
    const storage = new MemoryLogStorage()
    const other = Stores.keyValue('other', string, string)
    const two = (second: StoreBuilder<any, any>, value: (text: string) => unknown) =>
      keeping(seen, put).addProcessor(
        'more',
        {
          stores: [second],
          get: () => ({
            process: (record: Record<string, string>, ctx: CallbackContext<string, string, string>) =>
              ctx.store(second).put(record.key, value(record.value)),
          }),
        },
        'in',
      )
    await life(
      storage,
      two(other, (text) => text),
      [['a', 'x', 1]],
    )
    const numbers = Stores.keyValue('other', string, long)
    const reset = { 'state.format-change': 'reset' }
    await life(
      storage,
      two(numbers, () => 7),
      [['b', 'y', 2]],
      async () => undefined,
      reset,
    )
    await life(
      storage,
      two(numbers, () => 7),
      [],
      async (engine) => {
        const keys = async (name: string) =>
          (await (engine.store(name) as ReadOnlyKeyValueStore<string, unknown>).all().toArray()).map(([key]) => key)
        expect(await keys('seen')).toEqual(['a', 'b'])
        expect(await keys('other')).toEqual(['b'])
      },
      reset,
    )
  })

  it('[E11] keep the partitions they were made with when the topics that are read get more', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, keeping(seen, put), [['a', 'x', 1]])
    const joined = () =>
      new Topology()
        .addSource('in', Consumed.with(string, string), 'in')
        .addSource('wide', Consumed.with(string, string), 'wide')
        .addProcessor(
          'keep',
          {
            stores: [seen],
            get: () => ({
              process: (record: Record<string, string>, ctx: CallbackContext<string, string, string>) =>
                put(ctx, record),
            }),
          },
          'in',
          'wide',
        )
    await life(storage, joined(), [['b', 'y', 2]], async (_, log) => {
      expect((await log.topics(['app-seen-changelog'])).map(({ partitions }) => partitions)).toEqual([3])
    })
    await life(storage, joined(), [], async (engine) => {
      expect((engine.store('seen') as ReadOnlyKeyValueStore<string, string>).get('a')).toBe('x')
    })
  })

  it.each(['memory', 'a backend'])('[E6] keep what a store had while its name was away, in %s', async (where) => {
    const storage = new MemoryLogStorage()
    const state = where === 'memory' ? undefined : new MemoryStateBackend()
    const other = Stores.keyValue('renamed', string, string)
    const renamed = () => keeping(other, (ctx, { key, value }) => ctx.store(other).put(key, value))
    await life(storage, keeping(seen, put), [['a', 'x', 1]], undefined, {}, state)
    const warned: string[] = []
    await life(storage, renamed(), [['b', 'y', 2]], undefined, {}, state, warned)
    expect(warned.join()).toMatch(/kept state in "app-seen-changelog", and no store or timer of this topology/)
    const again: string[] = []
    await life(storage, renamed(), [['b', 'y', 2]], undefined, {}, state, again)
    expect(again).toEqual([])
    await life(storage, keeping(seen, put), [['c', 'z', 3]], undefined, {}, state)
    // And when the local state is lost as well.
    for (const local of [state, undefined]) {
      await life(
        storage,
        keeping(seen, put),
        [],
        async (engine) => {
          const store = engine.store('seen') as ReadOnlyKeyValueStore<string, string>
          expect((await store.all().toArray()).map(([key]) => key)).toEqual(['a', 'c'])
        },
        {},
        local,
      )
    }
  })

  it('[E6] let a store that a later version adds begin empty, and keep the others', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, keeping(seen, put), [['a', 'x', 1]])
    const added = Stores.keyValue('added', string, string)
    const both = () =>
      keeping(seen, put).addProcessor(
        'more',
        {
          stores: [added],
          get: () => ({
            process: ({ key, value }: Record<string, string>, ctx: CallbackContext<string, string, string>) =>
              ctx.store(added).put(key, value),
          }),
        },
        'in',
      )
    await life(storage, both(), [['b', 'y', 2]])
    await life(storage, both(), [], async (engine) => {
      const keys = async (name: string) =>
        (await (engine.store(name) as ReadOnlyKeyValueStore<string, string>).all().toArray()).map(([key]) => key)
      expect(await keys('seen')).toEqual(['a', 'b'])
      expect(await keys('added')).toEqual(['b'])
    })
  })

  describe.each(['window', 'inMemoryWindow'] as const)('of a store of kind %s', (kind) => {
    const windows = Stores[kind]('windows', { retentionMs: 120_000, windowSizeMs: 10 }, string, string)
    const putWindow: Put = (ctx, { key, value, timestamp }) => ctx.store(windows).put(key, value, timestamp)

    it('[E6] hold Kafka Streams’ bytes: key, start, sequence; and rebuild each segment', async () => {
      const storage = new MemoryLogStorage()
      await life(
        storage,
        keeping(windows, putWindow),
        [
          ['k', 'v', 1000],
          ['k', 'w', 70_000],
        ],
        async (_, log) => {
          expect((await logged(log, 'app-windows-changelog')).sort()).toEqual([
            '6b00000000000003e800000000 76',
            '6b000000000001117000000000 77',
          ])
        },
      )
      await life(storage, keeping(windows, putWindow), [], async (engine) => {
        const store = engine.store('windows') as ReadOnlyWindowStore<string, string>
        expect(await store.fetchRange('k', 0, 100_000).toArray()).toEqual([
          [1000, 'v'],
          [70_000, 'w'],
        ])
        expect((await store.fetchAll(0, 69_999).toArray()).map(([, value]) => value)).toEqual(['v'])
        const [inspected] = engine.snapshot().stores
        expect(inspected?.windowed?.segments.map(({ segment, entries }) => [segment, entries])).toEqual([
          [0, 1],
          [1, 1],
        ])
      })
    })

    it('[S8] do not bring back what had expired', async () => {
      const storage = new MemoryLogStorage()
      await life(storage, keeping(windows, putWindow), [
        ['k', 'old', 1000],
        ['k', 'new', 300_000],
      ])
      await life(storage, keeping(windows, putWindow), [], async (engine) => {
        const store = engine.store('windows') as ReadOnlyWindowStore<string, string>
        expect((await store.all().toArray()).map(([, value]) => value)).toEqual(['new'])
        const [inspected] = engine.snapshot().stores
        expect(inspected?.entries).toBe(1)
        expect(inspected?.windowed?.observed).toBe(300_000)
      })
    })
  })

  it.each(['session', 'inMemorySession'] as const)(
    '[E6] of a store of kind %s hold key, end, start, and rebuild it',
    async (kind) => {
      const sessions = Stores[kind]('sessions', { retentionMs: 120_000 }, string, string)
      const putSession: Put = (ctx, { key, value, timestamp }) =>
        ctx.store(sessions).put({ key, window: { start: timestamp - 1000, end: timestamp } }, value)
      const storage = new MemoryLogStorage()
      await life(storage, keeping(sessions, putSession), [['k', 'v', 2000]], async (_, log) => {
        expect(await logged(log, 'app-sessions-changelog')).toEqual(['6b00000000000007d000000000000003e8 76'])
      })
      await life(storage, keeping(sessions, putSession), [], async (engine) => {
        const store = engine.store('sessions') as ReadOnlySessionStore<string, string>
        expect((await store.fetch('k').toArray()).map(([{ window }, value]) => [window, value])).toEqual([
          [{ start: 1000, end: 2000 }, 'v'],
        ])
      })
    },
  )

  it('[T8] of timers: a pending one fires in a later process, once', async () => {
    const fired: string[] = []
    const timing = () =>
      new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
        'arm',
        {
          timers: ['event-time'],
          get: () => ({
            process: ({ key, value }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
              if (value === 'arm') ctx.timers.register({ key, at: 1000, domain: 'event-time', name: 'tell' })
            },
            onTimer: ({ key }: { key: string }) => void fired.push(key),
          }),
        },
        'in',
      )
    const storage = new MemoryLogStorage()
    await life(storage, timing(), [['a', 'arm', 1]])
    await life(storage, timing(), [['b', 'arm', 2]])
    expect(fired).toEqual([])
    await life(storage, timing(), [['z', 'go', 1000]])
    await life(storage, timing(), [['z', 'go', 1001]])
    expect(fired.sort()).toEqual(['a', 'b'])
  })
})

describe('[E14] a stop while state is rebuilt', () => {
  it('leaves the rebuilding off, opens nothing on half a state, and loses nothing', async () => {
    const seen = Stores.keyValue('seen', string, string)
    const storage = new MemoryLogStorage()
    const topology = keeping(seen, (ctx, { key, value }) => ctx.store(seen).put(key, value))
    await life(storage, topology, [
      ['a', 'x', 1],
      ['b', 'y', 2],
    ])

    const clock = new SystemClock()
    const log = await EmbeddedLog.open({ storage, clock })
    const { internal } = log
    let began: () => void = () => undefined
    let goOn: () => void = () => undefined
    const rebuilding = new Promise<void>((resolve) => {
      began = resolve
    })
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let commits = 0
    const replay = internal.replay.bind(internal)
    Object.assign(internal, {
      replay: async (topic: string, ...of: [Parameters<typeof replay>[1], Parameters<typeof replay>[2]]) => {
        if (topic !== 'app-seen-changelog') return replay(topic, ...of)
        began()
        await mayGoOn
        return replay(topic, ...of)
      },
    })
    const open = log.open.bind(log)
    Object.assign(log, {
      open: async (...of: Parameters<typeof open>) => {
        const session = await open(...of)
        const commit = session.commit.bind(session)
        return Object.assign(session, {
          commit: (epoch: Parameters<typeof commit>[0]) => {
            commits++
            return commit(epoch)
          },
        })
      },
    })
    let made = 0
    const supplier = { stores: [seen], get: () => ({ init: () => void made++, process: () => undefined }) }
    const config = parseConfig({ 'application.id': 'app' })
    const compiled = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('keep', supplier, 'in')
      .compile(config)
    const engine = createEngine({ topology: compiled, config, log, clock, random: new SeededRandom(1) })
    const rebuilt: string[] = []
    engine.events.on(['log'], (event) => event.type === 'log' && rebuilt.push(event.message))
    const starting = engine.start()
    await rebuilding
    const stopping = engine.stop()
    goOn()
    await Promise.all([starting, stopping])
    expect([engine.state, await engine.finished, made, commits]).toEqual(['stopped', undefined, 0, 0])
    expect(rebuilt.filter((line) => line.startsWith('Rebuilt'))).toEqual([])
    await log.close()

    await life(storage, topology, [], async (again) => {
      const store = again.store('seen') as ReadOnlyKeyValueStore<string, string>
      expect([store.get('a'), store.get('b')]).toEqual(['x', 'y'])
    })
  })
})

describe('tables of the DSL over a restart', () => {
  const text = Consumed.with(string, string)
  const written = Produced.with(string, string)
  const decode = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
  /** What has come out so far, as key=value@time. */
  const outputs = async (log: EmbeddedLog) => {
    const all: string[] = []
    for (const partition of [0, 1, 2, 3, 4]) {
      const { records } = await log.read('wide', partition, 0, 1000)
      for (const { key, value, timestamp } of records) all.push(`${decode(key)}=${decode(value)}@${timestamp}`)
    }
    return all.sort()
  }
  const until = (count: number) => (engine: EngineApi, log: EmbeddedLog) =>
    new Promise<void>((resolve) => {
      const look = async () => {
        if ((await outputs(log)).length >= count) resolve()
      }
      engine.events.on(['epoch-committed', 'epoch-started'], () => void look())
      void look()
    })

  it('[G-24] what suppress holds back comes out once in a later process, with its own time', async () => {
    const held = () => {
      const builder = new StreamsBuilder()
      builder
        .stream('in', text)
        .groupByKey()
        .count()
        .suppress(Suppressed.untilTimeLimit(10, BufferConfig.unbounded()))
        .mapValues(String)
        .toStream()
        .to('wide', written)
      return builder.build()
    }
    const storage = new MemoryLogStorage()
    await life(storage, held(), [['k', 'v', 1]], async (_, log) => expect(await outputs(log)).toEqual([]))
    await life(storage, held(), [['y', 'v', 20]], until(1))
    await life(storage, held(), [['z', 'v', 40]], async (engine, log) => {
      await until(2)(engine, log)
      expect(await outputs(log)).toEqual(['k=1@1', 'y=1@20'])
    })
  })

  const counted = () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
      .count()
      .mapValues(String)
      .toStream(({ key, window }) => `${key}[${window.start}`)
      .to('wide', written)
    return builder.build()
  }

  it('[W6] [G-13] what was late before a restart is late after it', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, counted(), [['a', 'v', 1000]], until(1))
    await life(storage, counted(), [['b', 'v', 10]])
    await life(storage, counted(), [['b', 'v', 1001]], async (engine, log) => {
      await until(2)(engine, log)
      expect(await outputs(log)).toEqual(['a[1000=1@1000', 'b[1000=1@1001'])
    })
  })

  it.each([{ 'compat.clock-restart': 'kafka-streams' }, { compat: 'kafka-streams' }])(
    '[W6] [S6] is taken after it where Kafka Streams is emulated: %j',
    async (config) => {
      const storage = new MemoryLogStorage()
      await life(storage, counted(), [['a', 'v', 1000]], until(1), config)
      await life(
        storage,
        counted(),
        [['b', 'v', 10]],
        async (engine, log) => {
          await until(2)(engine, log)
          expect(await outputs(log)).toEqual(['a[1000=1@1000', 'b[10=1@10'])
        },
        config,
      )
    },
  )
})
