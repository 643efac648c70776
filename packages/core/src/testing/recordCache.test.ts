import { describe, expect, it } from 'vitest'
import {
  Consumed,
  EmitStrategy,
  Grouped,
  type KStream,
  Materialized,
  type ProcessorContext,
  SessionWindows,
  SlidingWindows,
  Stores,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
  type WindowStore,
} from '../index.js'
import { TopologyTestDriver } from './index.js'

/** A window store of retention 60000 under Kafka's record cache, which a driver emulates. */
async function cached(
  bytes: number,
  config: object = { compat: 'kafka-streams' },
  caching = true,
  make: typeof Stores.window = Stores.window,
) {
  const plain = make<string, string>('s', { retentionMs: 60_000, windowSizeMs: 1000 }, string, string)
  const builder = caching ? plain.withCachingEnabled() : plain
  const topology = new Topology()
    .addSource('source', Consumed.with(string, string), 'in')
    .addProcessor('processor', { get: () => ({ process: () => undefined }) }, 'source')
    .addStateStore(builder, 'processor')
  const driver = new TopologyTestDriver(topology, { 'statestore.cache.max.bytes': bytes, ...config })
  await driver.started()
  const store = driver.getStateStore('s') as WindowStore<string, string>
  const rows = async (from = 0, to = Number.MAX_SAFE_INTEGER) => {
    const all = await store.fetchAll(from, to).toArray()
    return all.map(([{ key, window }, value]) => `${key}@${window.start}=${value}`)
  }
  return { driver, store, rows }
}

const roomy = 1_000_000

describe("Kafka's record cache above a window store", () => {
  it('[D1] is read whatever its age, in the order of the store', async () => {
    const { store, rows } = await cached(roomy)
    for (const [key, start] of [
      ['b', 0],
      ['a', 59_999],
      ['b', 60_000],
      ['a', 60_000],
    ] as const) {
      store.put(key, 'v', start)
    }
    store.put('c', 'far', 10_000_000)
    // By segment, then key, then start.
    expect(await rows()).toEqual(['a@59999=v', 'b@0=v', 'a@60000=v', 'b@60000=v', 'c@10000000=far'])
    expect(await rows(1, 60_000)).toEqual(['a@59999=v', 'a@60000=v', 'b@60000=v'])
    expect((await store.backwardFetchRange('b', 0, 60_000).toArray()).map(([start]) => start)).toEqual([60_000, 0])
    expect((await store.fetchKeys('b', 'c', 0, 60_000).toArray()).map(([{ key }]) => key)).toEqual(['b', 'b'])
    expect((await store.fetchKeys('a', 'a', 0, 60_000).toArray()).map(([{ key }]) => key)).toEqual(['a', 'a'])
    expect([store.fetch('b', 0), store.fetch('b', 1)]).toEqual(['v', undefined])
  })

  it('[D1] is read by time in memory, as the store is', async () => {
    const { store, rows } = await cached(roomy, { compat: 'kafka-streams' }, true, Stores.inMemoryWindow)
    for (const [key, start] of [
      ['b', 0],
      ['a', 100_000],
      ['a', 1],
      ['a', 0],
    ] as const)
      store.put(key, 'v', start)
    expect(await rows()).toEqual(['a@0=v', 'b@0=v', 'a@1=v', 'a@100000=v'])
  })

  it('[D1] has even what the store refuses, which is counted all the same', async () => {
    const { driver, store } = await cached(roomy)
    store.put('a', 'far', 10_000_000)
    store.put('a', 'late', 0)
    expect(store.fetch('a', 0)).toBe('late')
    expect(driver.counters['dropped_records_total{reason="expired_segment"}']).toBe(1)
  })

  it('[D1] hides what was deleted or put anew', async () => {
    const { store, rows } = await cached(roomy)
    store.put('a', '1', 0)
    store.put('a', '2', 0)
    store.put('b', '1', 0)
    store.put('b', undefined, 0)
    expect(await rows()).toEqual(['a@0=2'])
    expect(store.fetch('b', 0)).toBeUndefined()
  })

  it('[D1] passes a deletion of what is not there on to the store, with its time', async () => {
    const { store, rows } = await cached(1)
    store.put('a', '1', 0)
    store.put('b', undefined, 10_000_000)
    expect(await rows()).toEqual([])
  })

  it('[D1] lets go of what was used longest ago when it is full', async () => {
    // Each entry takes 67 bytes: key 13, value 1, and 53 more; these come from no topic.
    const { store, rows } = await cached(2 * 67)
    store.put('a', '1', 0)
    store.put('b', '1', 0)
    store.fetch('a', 0)
    store.put('c', '1', 10_000_000)
    expect(await rows()).toEqual(['a@0=1', 'c@10000000=1'])
    store.put('d', '1', 20_000_000)
    expect(await rows()).toEqual(['c@10000000=1', 'd@20000000=1'])
  })

  it('[D1] holds nothing that is larger than itself', async () => {
    const { store, rows } = await cached(66)
    store.put('a', '1', 0)
    store.put('c', '1', 10_000_000)
    expect(await rows()).toEqual(['c@10000000=1'])
  })

  it.each([
    ['of no bytes', 0, { compat: 'kafka-streams' }, true],
    ['that is not asked for', roomy, { compat: 'kafka-streams' }, false],
    ['that is not emulated', roomy, {}, true],
  ])('[S1] is none: one %s', async (_title, bytes, config, caching) => {
    const { store, rows } = await cached(bytes, config, caching)
    store.put('a', '1', 0)
    store.put('c', '1', 10_000_000)
    expect(await rows()).toEqual(['c@10000000=1'])
  })
})

describe('a table under that cache', () => {
  const KAFKA = { compat: 'kafka-streams', 'default.key.serde': 'string', 'default.value.serde': 'string' }
  const text = Consumed.with(string, string)

  /** Pipes rows of topic, key, value and time, and reads after each what has come out. */
  async function drive(build: (builder: StreamsBuilder) => void, rows: readonly Row[], config: object = {}) {
    const builder = new StreamsBuilder()
    build(builder)
    const driver = new TopologyTestDriver(builder.build(), {
      ...KAFKA,
      'statestore.cache.max.bytes': roomy,
      ...config,
    })
    const output = driver.createOutputTopic('out', string, string)
    const results: string[][] = []
    for (const [topic, key, value, at] of rows) {
      await driver.createInputTopic(topic, string, string).pipeInput(key, value as string, at)
      results.push(output.readRecordsToList().map((record) => `${record.key}=${record.value}@${record.timestamp}`))
    }
    return results
  }
  type Row = readonly [topic: string, key: string, value: string | null, at: number]

  const copied = (builder: StreamsBuilder) =>
    builder.table('in', text, Materialized.as<string, string>('t')).toStream().to('out')
  const deletions: Row[] = [
    ['in', 'a', null, 1],
    ['in', 'a', '1', 2],
    ['in', 'a', null, 3],
    ['in', 'a', null, 4],
  ]

  it.each([roomy, 1])('[D1] sends no deletion of a row that it has never sent: %d bytes (C.8)', async (bytes) => {
    const config = { 'statestore.cache.max.bytes': bytes }
    expect(await drive(copied, deletions, config)).toEqual([[], ['a=1@2'], ['a=null@3'], []])
  })

  it.each([
    ['is not emulated', { compat: 'repair' }],
    ['has no bytes', { 'statestore.cache.max.bytes': 0 }],
  ])('sends every deletion where the cache %s', async (_what, config) => {
    expect(await drive(copied, deletions, config)).toEqual([['a=null@1'], ['a=1@2'], ['a=null@3'], ['a=null@4']])
  })

  it('[D1] sends every deletion where its Materialized turns the cache off', async () => {
    const uncached = (builder: StreamsBuilder) =>
      builder.table('in', text, Materialized.as<string, string>('t').withCachingDisabled()).toStream().to('out')
    expect(await drive(uncached, deletions.slice(0, 1))).toEqual([['a=null@1']])
  })

  it('[D1] goes on once the record is done, so that a join sees both sides new (C.8)', async () => {
    const joined = (builder: StreamsBuilder) => {
      const stream = builder.stream('in', text)
      const rows = stream.toTable()
      const sums = stream.groupByKey().reduce((a, b) => a + b)
      rows
        .leftJoin(sums, (own, other) => `${own}/${other}`)
        .toStream()
        .to('out')
    }
    const rows: Row[] = [['in', 'a', 'x', 1]]
    expect(await drive(joined, rows)).toEqual([['a=x/x@1', 'a=x/x@1']])
    expect(await drive(joined, rows, { 'statestore.cache.max.bytes': 0 })).toEqual([['a=x/null@1', 'a=x/x@1']])
  })

  it('[D1] sends of a key the last change of a record alone, with what was there before it', async () => {
    const counted = (builder: StreamsBuilder) => {
      const table = builder.table('in', text)
      table
        .join(table, (own, other) => `${own}${other}`, Materialized.as<string, string>('joined'))
        .groupBy((_key, value) => ['all', value], Grouped.with(string, string))
        .reduce(
          (all, row) => `${all}+${row}`,
          (all, row) => `${all}-${row}`,
        )
        .toStream()
        .to('out')
    }
    const rows: Row[] = [
      ['in', 'a', '1', 1],
      ['in', 'a', '2', 2],
    ]
    expect(await drive(counted, rows)).toEqual([['all=11@1'], ['all=11-11+22@2']])
  })

  it('[D1] goes on behind what a record makes due (C.8)', async () => {
    const seen: string[] = []
    const watched = (builder: StreamsBuilder) => {
      const stream = builder.stream('in', text)
      stream
        .toTable(Materialized.as<string, string>('t'))
        .toStream()
        .foreach((_key, value) => void seen.push(String(value)))
      stream.process({
        get: () => ({
          init: (context: ProcessorContext) => {
            context.schedule(10, 'stream-time', (at) => void seen.push(`at ${at}`))
          },
          process: () => undefined,
        }),
      })
    }
    await drive(watched, [['in', 'a', 'x', 1]])
    expect(seen).toEqual(['at 1', 'x'])
  })

  it('[D1] a session is found whatever its age, and its end is sent on with the headers of its record', async () => {
    const sessions = (builder: StreamsBuilder) =>
      builder
        .stream('in', text)
        .groupByKey()
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5))
        .reduce((a, b) => a + b)
        .toStream((key) => `${key.key}${key.window.start}-${key.window.end}`)
        .to('out')
    // Without the cache the store hides what ended at 110 (A.7), and a second session begins.
    const rows: Row[] = [
      ['in', 'k', 'a', 100],
      ['in', 'k', 'b', 110],
      ['in', 'z', 'z', 125],
      ['in', 'k', 'c', 110],
    ]
    expect((await drive(sessions, rows))[3]).toEqual(['k100-110=abc@110'])
    expect((await drive(sessions, rows, { 'statestore.cache.max.bytes': 0 }))[3]).toEqual(['k110-110=c@110'])
  })
})

describe('the store of a windowed aggregation under that cache', () => {
  /** How many windows are still read after a far-future record. */
  async function kept(windows: any, onClose: boolean, materialized = Materialized.as<any, number>('w')) {
    const builder = new StreamsBuilder()
    const stream: KStream<any, any> = builder.stream('in', Consumed.with(string, string))
    const windowed: any = stream.groupByKey().windowedBy(windows)
    const emitting = onClose ? windowed.emitStrategy(EmitStrategy.onWindowClose()) : windowed
    emitting.count(materialized)
    const driver = new TopologyTestDriver(builder.build(), {
      compat: 'kafka-streams',
      'statestore.cache.max.bytes': roomy,
      'default.key.serde': 'string',
      'default.value.serde': 'string',
    })
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k', 'a', 14)
    await input.pipeInput('k', 'b', 1_000_000)
    return (await driver.getTimestampedWindowStore('w').all().toArray()).length
  }

  const tumbling = TimeWindows.ofSizeAndGrace(10, 5)
  const sliding = SlidingWindows.ofTimeDifferenceAndGrace(10, 5)

  it('[D1] is cached unless it is told not to be', async () => {
    expect(await kept(tumbling, false)).toBe(2)
    expect(await kept(tumbling, true)).toBe(2)
    expect(await kept(tumbling, true, Materialized.as<any, number>('w').withCachingDisabled())).toBe(1)
  })

  it('[D1] does not hear of a deletion of what is not there, nor of its time', async () => {
    const builder = new StreamsBuilder()
    const stream: KStream<any, any> = builder.stream('in', Consumed.with(string, string))
    const sums: any = stream.groupByKey().windowedBy(tumbling)
    const store = Materialized.as<any, string>('w').withValueSerde(string)
    sums.aggregate(
      () => '',
      (_key: string, value: string, all: string) => (value === 'x' ? null : all + value),
      store,
    )
    const driver = new TopologyTestDriver(builder.build(), {
      compat: 'kafka-streams',
      'statestore.cache.max.bytes': 1,
      'default.key.serde': 'string',
      'default.value.serde': 'string',
    })
    const input = driver.createInputTopic('in', string, string)
    const kept = async () => (await driver.getTimestampedWindowStore('w').all().toArray()).length
    await input.pipeInput('k', 'a', 14)
    await input.pipeInput('k', 'x', 1_000_000)
    expect(await kept()).toBe(1)
    await input.pipeInput('k', 'b', 1_000_001)
    await input.pipeInput('k', 'x', 1_000_002)
    expect(await kept()).toBe(0)
  })

  it('[D1] is not cached where windows with an inclusive end are sent on when they close (H-2)', async () => {
    expect(await kept(sliding, false)).toBe(2)
    expect(await kept(sliding, true)).toBe(1)
  })
})
