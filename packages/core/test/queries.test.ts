import { describe, expect, it } from 'vitest'
import {
  Consumed,
  createEngine,
  EmbeddedLog,
  type EngineApi,
  Headers,
  Materialized,
  MemoryLogStorage,
  MemoryStateBackend,
  parseConfig,
  type ReadOnlyKeyValueStore,
  type ReadOnlyVersionedStore,
  type ReadOnlyWindowStore,
  SeededRandom,
  Stores,
  StreamsBuilder,
  SystemClock,
  string,
  TimeWindows,
  type ValueAndTimestamp,
} from '../src/index.js'

const clock = new SystemClock()
const consumed = Consumed.with(string, string)
type Rows<V> = ReadOnlyKeyValueStore<string, ValueAndTimestamp<V>>

function topology() {
  const builder = new StreamsBuilder()
  const stream = builder.stream('in', consumed)
  const grouped = stream.groupByKey()
  grouped.count(Materialized.as('counts'))
  grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(60_000)).count(Materialized.as('windows'))
  stream.toTable(Materialized.as<string, string>(Stores.versionedKeyValue('versions', { historyRetentionMs: 500_000 })))
  return builder.build()
}

/** Runs until each record that was appended is done; commits come when the interval says. */
async function started(log: EmbeddedLog, state: MemoryStateBackend, intervalMs: number): Promise<EngineApi> {
  const config = parseConfig({
    'application.id': 'test',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'commit.interval.ms': intervalMs,
    'lanes.count': 4,
    'time.mode': 'stream-time',
  })
  const random = new SeededRandom(1)
  const engine = createEngine({ topology: topology().compile(config), config, log, clock, random, state })
  await engine.start()
  return engine
}

async function feed(log: EmbeddedLog, value: string, timestamp: number): Promise<void> {
  const bytes = (text: string) => string.serialize('', Headers.empty, text)
  await log.append([{ topic: 'in', partition: 0, key: bytes('k'), value: bytes(value), timestamp, headers: [] }])
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await clock.yield()
}

describe('queries of a running application', () => {
  it('[P4] read what the open epoch has written, or as asked what is committed alone, of every kind of store', async () => {
    const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
    await log.createTopic('in', 1)
    const state = new MemoryStateBackend()
    const first = await started(log, state, 5)
    await feed(log, 'a', 1_000)
    await until(() => (first.store('counts', { as: 'committed' }) as Rows<number>).get('k') !== undefined)
    await first.stop()

    const engine = await started(log, state, 3_600_000)
    await feed(log, 'b', 200_000)
    await until(() => (engine.store('counts') as Rows<number>).get('k')?.value === 2)
    const counts = engine.store('counts', { as: 'committed' }) as Rows<number>
    expect(counts.get('k')).toEqual({ value: 1, timestamp: 1_000 })
    expect(await counts.all().toArray()).toEqual([['k', { value: 1, timestamp: 1_000 }]])
    const versions = (as: 'open' | 'committed') =>
      (engine.store('versions', { as }) as ReadOnlyVersionedStore<string, string>).get('k')?.value
    expect([versions('open'), versions('committed')]).toEqual(['b', 'a'])
    const windows = async (as: 'open' | 'committed') => {
      const store = engine.store('windows', { as }) as ReadOnlyWindowStore<string, ValueAndTimestamp<number>>
      return (await store.all().toArray()).map(([{ window }, { value }]) => [window.start, value])
    }
    // The clock has passed the first window: it is hidden, and its segment will go with the next commit.
    expect(await windows('open')).toEqual([[180_000, 1]])
    expect(await windows('committed')).toEqual([])
    await engine.stop()

    const last = await started(log, state, 3_600_000)
    expect((last.store('counts', { as: 'committed' }) as Rows<number>).get('k')?.value).toBe(2)
    expect(() => last.store('nothing', { as: 'committed' })).toThrow(/nothing/)
    await last.stop()
  })

  it('[P4] cannot write what is committed, whatever the handle is asked', async () => {
    const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
    await log.createTopic('in', 1)
    const engine = await started(log, new MemoryStateBackend(), 5)
    const counts = engine.store('counts', { as: 'committed' }) as object
    expect('put' in counts || 'delete' in counts).toBe(false)
    await engine.stop()
  })
})
