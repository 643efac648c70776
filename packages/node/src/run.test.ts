import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Consumed,
  EmbeddedLog,
  type ForwardedRecord,
  MemoryLogStorage,
  type OutputRecord,
  Produced,
  type Record,
  SystemClock,
  string,
  Topology,
} from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLog } from './openLog.js'
import { run } from './run.js'

const clock = new SystemClock()
const config = { 'application.id': 'shout', 'processing.guarantee': 'exactly-once', 'commit.interval.ms': 20 }
const bytes = (value: string) => new TextEncoder().encode(value)
const record = (value: string): OutputRecord => ({
  topic: 'in',
  partition: 0,
  key: bytes('k'),
  value: bytes(value),
  timestamp: clock.now(),
  headers: [],
})

/** in → upper case → out. */
function shouting(): Topology {
  const shout = {
    sync: true as const,
    get: () => ({
      process: (
        { key, value, timestamp, headers }: Record<string, string>,
        ctx: { forward(record: ForwardedRecord<string, string>): void | Promise<void> },
      ) => {
        void ctx.forward({ key, value: value.toUpperCase(), timestamp, headers })
      },
    }),
  }
  return new Topology()
    .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), 'in')
    .addProcessor('shout', shout, 'in')
    .addSink('out', 'out', Produced.with(string, string), 'shout')
}

async function memoryLog() {
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  return log
}

/** The values of a topic, once there are so many; waits by reading it as an application does. */
async function outputs(log: EmbeddedLog | Awaited<ReturnType<typeof openLog>>, count: number): Promise<string[]> {
  const session = await log.open(`watcher-${count}`, ['out'], 'earliest')
  const got: string[] = []
  while (got.length < count) {
    for (const { records } of await session.fetch({ maxRecords: 100, maxWaitMs: 5000, paused: [] })) {
      got.push(...records.map(({ value }) => new TextDecoder().decode(value ?? new Uint8Array())))
    }
  }
  await session.close()
  return got
}

describe('run', () => {
  it('runs a topology over a log that it is given, and leaves that open', async () => {
    const log = await memoryLog()
    await log.append([record('a'), record('b')])
    const states: string[] = []
    const app = await run(shouting(), config, {
      log,
      clock,
      onEngine: ({ events }) => events.on(['state-changed'], (event) => 'to' in event && states.push(String(event.to))),
    })
    expect(app.state).toBe('running')
    expect(await outputs(log, 2)).toEqual(['A', 'B'])
    expect(app.snapshot().nodes.find(({ node }) => node === 'shout')?.in).toBe(2)
    expect(app.metrics()).toContain('lanescope_node_records_in_total{node="shout"} 2\n')
    expect(app.metrics()).toContain('lanescope_info{application_id="shout"} 1\n')
    await app.stop()
    expect([await app.finished, app.state]).toEqual([undefined, 'stopped'])
    expect(states).toEqual(['starting', 'running', 'stopping', 'stopped'])
    expect((await log.append([record('c')])).length).toBe(1)
  })

  it('[E1] goes on where it was committed', async () => {
    const log = await memoryLog()
    await log.append([record('a')])
    const first = await run(shouting(), config, { log, clock })
    await outputs(log, 1)
    await first.stop()
    await log.append([record('b')])
    const second = await run(shouting(), config, { log, clock })
    expect(await outputs(log, 2)).toEqual(['A', 'B'])
    await second.stop()
  })

  it('names the topics that do not exist', async () => {
    const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
    const running = run(shouting(), config, { log, clock })
    await expect(running).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
  })

  it('refuses a configuration before it opens a log', async () => {
    const running = run(shouting(), { ...config, 'auto.offset.reset': 'newest' })
    await expect(running).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(run(shouting(), { ...config, 'lanes.cuont': 3 })).rejects.toThrow('lanes.count')
  })

  it('refuses a topology with errors and lists all of them', async () => {
    const broken = new Topology()
      .addSource('in', undefined, undefined, 'in')
      .addSink('one', 'out', 'in')
      .addSink('two', 'out', 'in')
    const running = run(broken, config, { log: await memoryLog(), report: () => {} })
    await expect(running).rejects.toMatchObject({ code: 'TOPOLOGY_INVALID' })
    await expect(running).rejects.toThrow(/one[\s\S]*two/)
  })
})

describe('run over the embedded log on disk', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lanescope-run-'))
  })
  afterEach(() => rm(dir, { recursive: true }))

  it('opens the log that the configuration names, and gives it free at the end', async () => {
    const onDisk = { ...config, 'embedded.log.dir': dir }
    const log = await openLog(onDisk, { clock })
    await log.createTopic('in', 1)
    await log.createTopic('out', 1)
    await log.append([record('a')])
    await expect(run(shouting(), onDisk)).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    await log.close()
    const app = await run(shouting(), onDisk)
    await app.stop()
    const again = await openLog(onDisk, { clock })
    await again.close()
  })
})
