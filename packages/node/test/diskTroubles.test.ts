import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Cancellable,
  Consumed,
  EmbeddedLog,
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
import { type App, run } from '../src/run.js'
import { SmallDisk, whyNoSmallDisk } from './smallDisk.js'

const reason = whyNoSmallDisk()
const KEYS = 400
/** Of a key: its store is about 400 times as large. */
const KEY_BYTES = 1000
const text = (value: string) => new TextEncoder().encode(value)

/** The pauses between restarts, which nobody here wants to wait for (E4). */
const PAUSES = new Set([100, 400, 1600, 6400, 25_600])

class Hurried extends SystemClock {
  /** While it is set, pauses last until it is fulfilled. */
  held: Promise<void> | undefined

  override after(ms: number, callback: () => void): Cancellable {
    if (!PAUSES.has(ms)) return super.after(ms, callback)
    if (this.held === undefined) return super.after(1, callback)
    let isCancelled = false
    void this.held.then(() => isCancelled || callback())
    return {
      cancel: () => {
        isCancelled = true
      },
    }
  }
}

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

const clock = new Hurried()
let log: EmbeddedLog
let app: App | undefined
let messages: string[]
/** How often each key has been sent. */
let rounds: number

beforeEach(async () => {
  clock.held = undefined
  log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  messages = []
  rounds = 0
})

afterEach(async () => {
  await app?.stop()
  app = undefined
  await log.close()
})

async function start(dir: string, more: object = {}): Promise<App> {
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

/** One more of each key. */
async function send(): Promise<void> {
  rounds++
  const timestamp = clock.now()
  await log.append(
    Array.from({ length: KEYS }, (_, i) => ({
      topic: 'in',
      partition: 0,
      key: text(`${i}-`.padEnd(KEY_BYTES, 'x')),
      value: text('x'),
      timestamp,
      headers: [],
    })),
  )
}

/** What came out, once all that was sent is counted: how often each count. Undefined if something else comes first. */
async function outputs(isOver = () => false): Promise<ReadonlyMap<number, number> | undefined> {
  while (!isOver()) {
    const { records } = await log.read('out', 0, 0, 1_000_000)
    if (records.length >= KEYS * rounds) {
      const seen = new Map<number, number>()
      for (const { value } of records) {
        const count = Number(new DataView((value as Uint8Array).slice().buffer).getBigInt64(0))
        seen.set(count, (seen.get(count) ?? 0) + 1)
      }
      return seen
    }
    await new Promise((resolve) => clock.after(20, () => resolve(undefined)))
  }
  return undefined
}

/** Sends to a disk that is kept full until something comes of it: state that was merged away has made room meanwhile. */
async function sendUntil(disk: SmallDisk, outcome: Promise<unknown>): Promise<void> {
  let isOver = false
  void outcome.then(() => {
    isOver = true
  })
  while (!isOver) {
    await disk.fill(64 << 10)
    await send()
    await outputs(() => isOver)
  }
}

const exactly = (): ReadonlyMap<number, number> =>
  new Map(Array.from({ length: rounds }, (_, i) => [i + 1, KEYS] as const))

describe.skipIf(reason !== undefined)(`State on a disk that fails${reason === undefined ? '' : ` (${reason})`}`, () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = SmallDisk.mount(24 << 20)
  })
  afterEach(async () => {
    await app?.stop()
    disk.unmount()
  })

  it.each([
    ['its log', 64 << 20],
    ['its runs', 100_000],
  ])('[E6] goes on in place once a full disk has room again for %s, and counts exactly', async (_, buffer) => {
    await start(disk.dir, { 'state.buffer.max.bytes': buffer })
    await send()
    await outputs()
    let goOn = () => {}
    const failed = new Promise<void>((resolve) =>
      app?.events.on(['epoch-aborted'], () => {
        clock.held ??= new Promise((free) => {
          goOn = free
        })
        resolve()
      }),
    )
    await sendUntil(disk, failed)
    await disk.free()
    goOn()
    await send()
    expect(await outputs()).toEqual(exactly())
    expect(app?.engine.state).toBe('running')
    const [told] = messages
    // Whether the write tells of it first, or a read that came after it.
    expect(told).toMatch(
      /^(Writing \d+ bytes of "counts"( and \d+ other stores?)? to the state in \/.*\/counting failed|The state in \/.*\/counting is not read before a restart opens it again, because a write has failed): .*No space left on device\./,
    )
    const [, bytes] = /^Writing (\d+) bytes/.exec(told ?? '') ?? []
    if (bytes !== undefined) expect(Number(bytes)).toBeGreaterThan(KEY_BYTES)
    expect(told).toMatch(/Make room on that disk, or give state\.dir a folder on a larger one\./)
  })

  it.each([
    ['its log', 64 << 20],
    ['its runs', 100_000],
  ])(
    '[E4] [E6] ends with the cause while the disk stays full for %s, and the next start is exact',
    async (_, buffer) => {
      await start(disk.dir, { 'state.buffer.max.bytes': buffer })
      await send()
      await outputs()
      await sendUntil(disk, (app as App).finished)
      const failure = await app?.finished
      expect(failure).toMatchObject({ code: 'STATE_UNAVAILABLE', kind: 'operational' })
      expect(failure?.message).toMatch(/No space left on device/)
      await disk.free()
      await start(disk.dir)
      await send()
      expect(await outputs()).toEqual(exactly())
    },
  )

  it('[E6] refuses to start where the disk is full, and says what to do', async () => {
    await disk.fill(0)
    await expect(start(disk.dir)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringMatching(/Opening the state in .*No space left on device.*Make room on that disk/),
    })
    await disk.free()
    await start(disk.dir)
    await send()
    expect(await outputs()).toEqual(exactly())
  })

  it('[E6] says so of a folder that cannot be written, at a start', async () => {
    disk.makeReadOnly()
    await expect(start(disk.dir)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringMatching(/Opening the state in .*[Rr]ead-only file system.*Let this process write there/),
    })
  })
})

describe('State whose folder is deleted', () => {
  it('[E6] while it runs, is whole again at the next start, and nothing is counted twice', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lanescope-deleted-'))
    try {
      await start(dir)
      await send()
      await outputs()
      await rm(join(dir, 'counting'), { recursive: true })
      await send()
      await send()
      expect(await outputs()).toEqual(exactly())
      await app?.stop()
      // Whatever became of the last writes, without a folder to go to.
      await start(dir)
      await send()
      expect(await outputs()).toEqual(exactly())
    } finally {
      await app?.stop()
      await rm(dir, { recursive: true, force: true })
    }
  })
})
