import { cp, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Consumed,
  EmbeddedLog,
  type LogSession,
  long,
  Materialized,
  MemoryLogStorage,
  Produced,
  StreamsBuilder,
  SystemClock,
  string,
  type Topology,
} from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, run } from '../run.js'

const clock = new SystemClock()
const KEYS = 300
const text = (value: string) => new TextEncoder().encode(value)

function counting(): Topology {
  const builder = new StreamsBuilder()
  builder
    .stream('in', Consumed.with(string, string).withMaxAhead(60_000))
    .groupByKey()
    .count(Materialized.as('counts'))
    .toStream()
    .to('out', Produced.with(string, long))
  return builder.build()
}

let dir: string
let log: EmbeddedLog
let app: App | undefined
let reader: LogSession
let messages: string[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-run-state-'))
  log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  reader = await log.open('reader', ['out'], 'earliest')
  messages = []
})

afterEach(async () => {
  await app?.stop()
  await reader.close()
  await log.close()
  await rm(dir, { recursive: true, force: true })
})

const folder = () => join(dir, 'counting')

async function start(more: Readonly<Record<string, unknown>> = {}): Promise<App> {
  const config = {
    'application.id': 'counting',
    'commit.interval.ms': 20,
    'state.dir': dir,
    'state.cache.max.bytes': 0,
    ...more,
  }
  app = await run(counting(), config, {
    clock,
    log,
    report: () => {},
    onEngine: ({ events }) => events.on(['log'], (event) => event.type === 'log' && messages.push(event.message)),
  })
  return app
}

async function stop(): Promise<void> {
  await app?.stop()
  app = undefined
}

/** One more of each key. @returns the counts that came out, once all are there */
function round(): Promise<number[]> {
  return countAll(Array.from({ length: KEYS }, (_, i) => `key-${i}`))
}

async function countAll(keys: readonly string[]): Promise<number[]> {
  const timestamp = clock.now()
  await log.append(
    keys.map((key) => ({
      topic: 'in',
      partition: 0,
      key: text(key),
      value: text('x'),
      timestamp,
      headers: [],
    })),
  )
  const counts: number[] = []
  while (counts.length < keys.length) {
    for (const { records } of await reader.fetch({ maxRecords: KEYS, maxWaitMs: 200, paused: [] })) {
      for (const { value } of records)
        counts.push(Number(new DataView((value as Uint8Array).slice().buffer).getBigInt64(0)))
    }
  }
  return counts
}

/** Turns a byte of the first page of each run around. */
async function spoil(): Promise<void> {
  for (const name of await readdir(folder())) {
    if (!name.endsWith('.run')) continue
    const file = await open(join(folder(), name), 'r+')
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 20)
    await file.write(Uint8Array.of((buffer[0] as number) ^ 1), 0, 1, 20)
    await file.close()
  }
}

const all = (count: number) => Array.from({ length: KEYS }, () => count)
const rebuilt = () => messages.filter((message) => message.startsWith('Rebuilt "counts"'))

describe('an application with state on disk', () => {
  it('[E6] goes on from where it stopped, without reading its changelogs', async () => {
    await start()
    expect(await round()).toEqual(all(1))
    await stop()
    await start()
    expect(rebuilt()).toEqual([])
    expect(await round()).toEqual(all(2))
  })

  it('[E6] loses the folder and nothing else', async () => {
    await start()
    await round()
    await stop()
    await rm(folder(), { recursive: true })
    await start()
    expect(rebuilt()).toEqual([expect.stringMatching(new RegExp(`: ${KEYS} records`))])
    expect(await round()).toEqual(all(2))
  })

  it('[E6] [E11] gets by delta what a process that died had not written', async () => {
    await start()
    await round()
    await stop()
    await cp(folder(), `${folder()}-before`, { recursive: true })
    await start()
    await round()
    await stop()
    await rm(folder(), { recursive: true })
    await cp(`${folder()}-before`, folder(), { recursive: true })
    await start()
    expect(rebuilt()).toEqual([expect.stringMatching(new RegExp(`: ${KEYS} records`))])
    expect(await round()).toEqual(all(3))
  })

  it('[E11] meets a damaged page at work, restarts in place, and counts on', async () => {
    await start({ 'state.buffer.max.bytes': 1 })
    await round()
    // The third commit waits until what the first has brought is in a run.
    for (const key of ['one', 'two', 'three']) await countAll([key])
    await stop()
    await spoil()
    await start()
    expect(await round()).toEqual(all(2))
    expect(rebuilt()).toHaveLength(1)
    expect(messages.join('\n')).toMatch(/the checksum of a page is wrong in "counts"/)
  })

  it('[E5] refuses a second instance on the same folder, before it asks the log', async () => {
    await start()
    const second = run(counting(), {
      'application.id': 'counting',
      'state.dir': dir,
      'embedded.log.dir': join(dir, 'no'),
    })
    await expect(second).rejects.toMatchObject({
      code: 'STATE_LOCKED',
      message: expect.stringContaining(`It is process ${process.pid} on `),
    })
  })
})
