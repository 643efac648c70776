import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  EmbeddedLog,
  type EngineApi,
  type EngineOptions,
  Headers,
  long,
  ManualClock,
  MemoryLogStorage,
  MemoryStateBackend,
  Produced,
  parseConfig,
  type Record,
  SeededRandom,
  Stores,
  StreamsBuilder,
  SystemClock,
  string,
  type Topology,
} from '../src/index.js'
import { ScriptedLog } from './ScriptedLog.js'

type Row = readonly [key: string | null, value: string | null]

const clock = new SystemClock()
const consumed = Consumed.with(string, string)
const produced = Produced.with(string, string)

async function openLog(): Promise<EmbeddedLog> {
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  for (const [topic, partitions] of Object.entries({ g: 2, in: 2, out: 1 })) await log.createTopic(topic, partitions)
  return log
}

const bytesOf = (text: string | null) => (text === null ? null : string.serialize('', Headers.empty, text))

const append = (log: EmbeddedLog, topic: string, rows: readonly Row[]) =>
  log.append(
    rows.map(([key, value], index) => ({
      topic,
      partition: -1,
      key: bytesOf(key),
      value: bytesOf(value),
      timestamp: 100 + index,
      headers: [],
    })),
  )

function engineOn(
  log: EmbeddedLog,
  topology: Topology,
  options: Pick<EngineOptions, 'offsetReset' | 'state'> = {},
): EngineApi {
  const config = parseConfig({
    'application.id': 'test',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'commit.interval.ms': 5,
    'lanes.count': 4,
  })
  const random = new SeededRandom(1)
  return createEngine({ topology: topology.compile(config), config, log, clock, random, ...options })
}

/** What came out, once there is so much of it. */
async function output(log: EmbeddedLog, wanted: number): Promise<string[]> {
  for (;;) {
    const { records } = await log.read('out', 0, 0, 1000)
    if (records.length >= wanted) {
      const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
      return records.map(({ key, value }) => `${text(key)}=${text(value)}`)
    }
    await clock.yield()
  }
}

function joining(): Topology {
  const builder = new StreamsBuilder()
  const table = builder.globalTable('g', consumed)
  builder
    .stream('in', consumed)
    .leftJoin(
      table,
      (_key, value) => value as string,
      (value, row) => `${value}/${row}`,
    )
    .to('out', produced as any)
  return builder.build()
}

const many = Array.from({ length: 3000 }, (_, index): Row => [`v${index % 500}`, `row${index}`])

describe('a global table', () => {
  it('[P2] is there as a whole before the first record is joined, whatever its times and lanes', async () => {
    const log = await openLog()
    await append(log, 'g', many)
    await append(
      log,
      'in',
      [0, 7, 499, 500].map((index) => ['k', `v${index}`]),
    )
    const engine = engineOn(log, joining())
    await engine.start()
    expect(await output(log, 4)).toEqual(['k=v0/row2500', 'k=v7/row2507', 'k=v499/row2999', 'k=v500/null'])
    await engine.stop()
  })

  it('[P2] is read from its beginning also where the application begins at the end, and joins what comes then', async () => {
    const log = await openLog()
    await append(log, 'g', many)
    await append(log, 'in', [['k', 'v1']])
    const engine = engineOn(log, joining(), { offsetReset: 'latest' })
    await engine.start()
    await append(log, 'in', [['k', 'v2']])
    expect(await output(log, 1)).toEqual(['k=v2/row2502'])
    await engine.stop()
  })

  it('[P2] is read anew at each start, its positions are not committed, and those of streams are', async () => {
    const log = await openLog()
    await append(log, 'g', many)
    await append(log, 'in', [['k', 'v3']])
    for (const expected of [1, 2]) {
      const engine = engineOn(log, joining())
      await engine.start()
      expect((await output(log, expected)).at(-1)).toBe(expected === 1 ? 'k=v3/row2503' : 'k=v4/new')
      await engine.stop()
      await append(log, 'g', [['v4', 'new']])
      if (expected === 1) await append(log, 'in', [['k', 'v4']])
    }
    const session = await log.open('test', ['g', 'in'], 'earliest')
    const offsets = session.assignment.map(({ topic, offset }) => [topic, offset] as const)
    expect(offsets.filter(([topic]) => topic === 'g')).toEqual([
      ['g', 0],
      ['g', 0],
    ])
    expect(offsets.filter(([topic]) => topic === 'in').reduce((sum, [, offset]) => sum + offset, 0)).toBe(2)
    await session.close()
  })

  it('is empty without holding anything up', async () => {
    const log = await openLog()
    await append(log, 'in', [['k', 'v1']])
    const engine = engineOn(log, joining())
    await engine.start()
    expect(await output(log, 1)).toEqual(['k=v1/null'])
    await engine.stop()
  })
})

describe('a global store with a processor of its own', () => {
  const counts = Stores.inMemoryKeyValue<string, number>('counts', string, long)

  function counting(): Topology {
    const builder = new StreamsBuilder()
    builder.addGlobalStore(counts, 'g', consumed, () => ({
      process: ({ key }: Record<string | null, string | null>, ctx: CallbackContext<any, any, any>) => {
        ctx.store(counts).compute(key as string, (count) => (count ?? 0) + 1)
      },
    }))
    builder
      .stream('in', consumed)
      .process<string, string>(() => ({
        process: (record, ctx) =>
          void ctx.forward({ key: record.key as string, value: String(ctx.store(counts).get(record.value as string)) }),
      }))
      .to('out', produced)
    return builder.build()
  }

  it('[P2] counts each record of its topic once, also where an earlier start has left its counts', async () => {
    const log = await openLog()
    const state = new MemoryStateBackend()
    await append(log, 'g', many)
    for (const wanted of [1, 2]) {
      await append(log, 'in', [['k', 'v1']])
      const engine = engineOn(log, counting(), { state })
      await engine.start()
      expect((await output(log, wanted)).at(-1)).toBe('k=6')
      await engine.stop()
    }
  })
})

it('[P2] refuses to fill a store from anywhere but the beginning', () => {
  const latest = consumed.withOffsetResetPolicy('latest')
  const build = (write: (builder: StreamsBuilder) => void) => {
    const builder = new StreamsBuilder()
    write(builder)
    return () => builder.build()
  }
  expect(build((builder) => builder.globalTable('g', latest))).toThrow(/read from the beginning/)
  expect(build((builder) => builder.globalTable('g', consumed.withOffsetResetPolicy('earliest')))).not.toThrow()
  expect(build((builder) => builder.stream('in', latest))).not.toThrow()
  expect(() => consumed.withOffsetResetPolicy('newest' as any)).toThrow(/earliest or latest/)
})

it('[P2] holds back the first record of a stream until the very last row that was there is in', async () => {
  const builder = new StreamsBuilder()
  const rows = builder.globalTable('g', consumed as Consumed<string, string>)
  builder
    .stream('in', consumed as Consumed<string, string>)
    .join(
      rows,
      (key) => key,
      (value, row) => `${value} ${row}`,
    )
    .to('out', produced)
  const config = parseConfig({ 'application.id': 'test', 'lanes.count': 1, 'commit.interval.ms': 1_000_000 })
  const log = new ScriptedLog({ g: 1, in: 1, out: 1 })
  const engine = createEngine({
    topology: builder.build().compile(config),
    config,
    log,
    clock: new ManualClock(1000),
    random: new SeededRandom(1),
  })
  const rest = async () => {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  await engine.start()
  log.give('in', 0, 0, [['b', 'x', 1]])
  log.give('g', 0, 0, [['a', 'A', 1]], { lastStableOffset: 2 })
  await rest()
  expect(engine.snapshot().clocks.partitions.find(({ topic }) => topic === 'in')?.position).toBe(0)
  log.give('g', 0, 1, [['b', 'B', 1]])
  await rest()
  await engine.stop()
  const values = log.commits.flatMap(({ outputs }) =>
    outputs.map(({ value }) => new TextDecoder().decode(value ?? undefined)),
  )
  expect(values).toEqual(['x B'])
})
