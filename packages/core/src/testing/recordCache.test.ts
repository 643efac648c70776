import { describe, expect, it } from 'vitest'
import {
  Consumed,
  EmitStrategy,
  type KStream,
  Materialized,
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

  it('[D1] lets go of what was used longest ago when it is full', async () => {
    // Each entry takes 74 bytes: key 13, value 1, and 60 more.
    const { store, rows } = await cached(2 * 74)
    store.put('a', '1', 0)
    store.put('b', '1', 0)
    store.fetch('a', 0)
    store.put('c', '1', 10_000_000)
    expect(await rows()).toEqual(['a@0=1', 'c@10000000=1'])
    store.put('d', '1', 20_000_000)
    expect(await rows()).toEqual(['c@10000000=1', 'd@20000000=1'])
  })

  it('[D1] holds nothing that is larger than itself', async () => {
    const { store, rows } = await cached(73)
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

  it('[D1] is not cached where windows with an inclusive end are sent on when they close (H-2)', async () => {
    expect(await kept(sliding, false)).toBe(2)
    expect(await kept(sliding, true)).toBe(1)
  })
})
