import { describe, expect, it } from 'vitest'
import {
  Consumed,
  createEngine,
  EmbeddedLog,
  MemoryLogStorage,
  Produced,
  parseConfig,
  type RecordLog,
  SeededRandom,
  StreamError,
  SystemClock,
  string,
  Topology,
} from '../src/index.js'
import { faulty } from './faultyLog.js'

const bytes = (text: string) => new TextEncoder().encode(text)

async function scene(source: string | RegExp, config: object = {}) {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('out', 1)
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), source)
    .addSink('out', 'out', Produced.with(string, string), 'in')
  const parsed = parseConfig({
    'application.id': 'test',
    'commit.interval.ms': 5,
    'metadata.max.age.ms': 10,
    ...config,
  })
  const engine = (seen = log as Parameters<typeof createEngine>[0]['log']) =>
    createEngine({
      topology: topology.compile(parsed),
      config: parsed,
      log: seen,
      clock,
      random: new SeededRandom(7),
      offsetReset: 'latest',
    })
  const send = (topic: string, value: string) =>
    log.append([{ topic, partition: 0, key: bytes('k'), value: bytes(value), timestamp: clock.now(), headers: [] }])
  const outputs = async (count: number) => {
    for (;;) {
      const { records } = await log.read('out', 0, 0, 100)
      if (records.length >= count) return records.map(({ value }) => new TextDecoder().decode(value ?? undefined))
      await new Promise<void>((resolve) => clock.after(5, resolve))
    }
  }
  return { log, engine, send, outputs }
}

describe('Topics that change while a run goes on', () => {
  it('[P3] [E13] reads a topic that a pattern finds later from its beginning, and the others from where they were', async () => {
    const { log, engine, send, outputs } = await scene(/^in-/)
    await log.createTopic('in-1', 1)
    await send('in-1', 'before')
    const run = engine()
    await run.start()
    await send('in-1', 'a')
    await outputs(1)
    await log.createTopic('in-2', 1)
    await log.createTopic('other', 1)
    await send('in-2', 'b')
    expect(await outputs(2)).toEqual(['a', 'b'])
    await send('in-1', 'c')
    expect(await outputs(3)).toEqual(['a', 'b', 'c'])
    await run.stop()
    expect(await run.finished).toBeUndefined()
  })

  it('[P3] [E13] reads a topic that was made while nothing ran from its beginning', async () => {
    const { log, engine, send, outputs } = await scene(/^in-/)
    await log.createTopic('in-1', 1)
    const first = engine()
    await first.start()
    await first.stop()
    await log.createTopic('in-2', 1)
    await send('in-2', 'b')
    const second = engine()
    await second.start()
    expect(await outputs(1)).toEqual(['b'])
    await second.stop()
  })

  it('[E13] goes on where it began at the end of a topic, when its first epoch did not count', async () => {
    const { log, engine, send, outputs } = await scene('in-1')
    await log.createTopic('in-1', 1)
    await send('in-1', 'before')
    // The first commit holds the start.
    const run = engine(faulty(log, new Map([[2, 'before']])))
    await run.start()
    await send('in-1', 'a')
    expect(await outputs(1)).toEqual(['a'])
    await run.stop()
  })

  it('[E13] starts again when a topic that it needs is missing, and looks on where the log does not answer', async () => {
    const { log, engine } = await scene('in-1')
    await log.createTopic('in-1', 1)
    const seen = faulty(log, new Map())
    let looks = 0
    const run = engine({
      ...seen,
      kind: 'kafka',
      topics: async (names) => {
        looks++
        if (looks === 2)
          throw new StreamError('gone', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
        return looks === 3 ? [] : seen.topics(names)
      },
    })
    const warned: string[] = []
    const restarted = new Promise<void>((resolve) =>
      run.events.on(['log'], (event) => {
        if (event.type === 'log' && event.level === 'warn') warned.push(event.message)
        if (warned.length === 2) resolve()
      }),
    )
    await run.start()
    await restarted
    expect(warned).toEqual([
      'Whether there is more to read is not known: gone',
      expect.stringMatching(/^Topics "in-1", "out" were deleted while the application ran/),
    ])
    await run.stop()
  })

  /** The log as Kafka is: it tells topics of one name apart. */
  function withIds(log: EmbeddedLog, ids: { [topic: string]: string }, more: Partial<RecordLog> = {}): RecordLog {
    const seen = faulty(log, new Map())
    return {
      ...seen,
      kind: 'kafka',
      traits: async (names) => new Map(names.map((name) => [name, { id: ids[name] ?? 'c/other' }])),
      open: async (...args) => {
        const session = await seen.open(...args)
        const assignment = session.assignment.map((start) => ({ ...start, topicId: ids[start.topic] ?? '' }))
        return { ...session, assignment }
      },
      ...more,
    }
  }

  it('[E13] ends when a topic that is read is another one by now, naming it, and goes on while it is the same', async () => {
    const { log, engine, send, outputs } = await scene(/^in-/)
    await log.createTopic('in-1', 1)
    await log.createTopic('in-2', 1)
    const ids = { 'in-1': 'c/one', 'in-2': 'c/two' }
    let looks = 0
    const traits: RecordLog['traits'] = async (names) => {
      // Also asked at the start, for the changelogs.
      if (names.includes('in-1')) looks++
      return new Map(
        names.map((name) => [name, { id: looks > 3 && name === 'in-2' ? 'c/later' : (ids as never)[name] }]),
      )
    }
    const run = engine(withIds(log, ids, { traits }))
    await run.start()
    await send('in-1', 'a')
    expect(await outputs(1)).toEqual(['a'])
    const failure = await run.finished
    expect(looks).toBe(4)
    expect(failure).toMatchObject({ code: 'STATE_MISMATCH', retriable: false, context: { topic: 'in-2' } })
    expect(failure?.message).toMatch(/^"in-2" was made anew while being read/)
  })

  it('[E13] begins anew in place with a topic that is another one, where gaps are accepted', async () => {
    const { log, engine } = await scene('in-1', { 'source.offset-gap': 'accept' })
    await log.createTopic('in-1', 1)
    const ids = { 'in-1': 'c/one' }
    let opened = 0
    const seen = withIds(log, ids)
    const run = engine({
      ...seen,
      open: (...args) => {
        if (++opened === 2) ids['in-1'] = 'c/later'
        return seen.open(...args)
      },
      traits: async (names) => new Map(names.map((name) => [name, { id: name === 'in-1' ? 'c/later' : 'c/x' }])),
    })
    const restarted = new Promise<void>((resolve) => {
      let started = 0
      run.events.on(['epoch-started'], () => {
        if (++started === 2) resolve()
      })
    })
    await run.start()
    await restarted
    await run.stop()
    expect(await run.finished).toBeUndefined()
  })

  it('[E13] tells the log at a start what the last epoch read, and of which topics', async () => {
    const { log, engine, send, outputs } = await scene(/^in-/)
    await log.createTopic('in-1', 2)
    await log.createTopic('in-2', 1)
    const ids = { 'in-1': 'c/one', 'in-2': 'c/two' }
    const told: unknown[] = []
    const seen = withIds(log, ids)
    const asking: RecordLog = {
      ...seen,
      open: async (id, topics, reset, resets, found, lastRead) => {
        told.push(await lastRead?.())
        return seen.open(id, topics, reset, resets, found)
      },
    }
    const first = engine(asking)
    await first.start()
    await send('in-1', 'a')
    await send('in-1', 'b')
    await send('in-2', 'c')
    await outputs(3)
    await first.stop()
    const second = engine(asking)
    await second.start()
    await second.stop()
    expect(told).toEqual([
      new Map(),
      new Map([
        ['in-1', { topicId: 'c/one', offsets: [2, 0] }],
        ['in-2', { topicId: 'c/two', offsets: [1] }],
      ]),
    ])
  })

  it('[E10] counts the records that the log has left out because they came again', async () => {
    const { log, engine, send, outputs } = await scene('in-1')
    await log.createTopic('in-1', 1)
    const seen = faulty(log, new Map())
    const run = engine({
      ...seen,
      open: async (...args) => {
        const session = await seen.open(...args)
        const fetch: typeof session.fetch = async (request) =>
          (await session.fetch(request)).map((batch) => (batch.records.length > 0 ? { ...batch, reread: 3 } : batch))
        return { ...session, fetch }
      },
    })
    await run.start()
    await send('in-1', 'a')
    await outputs(1)
    expect(run.snapshot().counters.reread_records_total).toBe(3)
    await run.stop()
  })
})
