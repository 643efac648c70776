import { describe, expect, it } from 'vitest'
import {
  Consumed,
  createEngine,
  EmbeddedLog,
  MemoryLogStorage,
  Produced,
  parseConfig,
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
      expect.stringMatching(/^Topics "in-1", "out" do not exist/),
    ])
    await run.stop()
  })
})
