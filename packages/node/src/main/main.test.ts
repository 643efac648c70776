import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Consumed, epochTopicOf, json, Produced, SystemClock, string, Topology } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchRecords } from '../../../core/test/recordLogContract.js'
import { openLog } from '../openLog.js'
import type { TrafficGenerator } from '../traffic/TrafficGenerator.js'
import type { MainHost } from './MainHost.js'
import { runMain } from './runMain.js'
import { sendMain } from './sendMain.js'
import { trafficMain } from './trafficMain.js'

const clock = new SystemClock()
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-main-'))
})
afterEach(() => rm(dir, { recursive: true }))

/** A process that remembers what was printed, and how it ended. */
class FakeHost implements MainHost {
  readonly clock = clock
  readonly env: Record<string, string> = {}
  readonly out: string[] = []
  readonly err: string[] = []
  readonly codes: number[] = []
  readonly #signalled: ((signal: string) => void)[] = []
  readonly #awaited: { readonly text: string; readonly resolve: () => void }[] = []

  constructor(readonly args: readonly string[] = []) {}

  print(line: string): void {
    this.out.push(line)
    for (const { text, resolve } of this.#awaited) if (line.includes(text)) resolve()
  }
  printError(line: string): void {
    this.err.push(line)
  }
  onSignal(listener: (signal: string) => void): void {
    this.#signalled.push(listener)
  }
  exit(code: number): void {
    this.codes.push(code)
  }
  signal(name: string): void {
    for (const listener of this.#signalled) listener(name)
  }
  saying(text: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.push({ text, resolve }))
  }
}

const build = () =>
  new Topology()
    .addSource('events', Consumed.with(string, string).withMaxAhead(60_000), 'events')
    .addSink('copies', 'copies', Produced.with(string, string), 'events')
const topics = [
  { topic: 'events', partitions: 2 },
  { topic: 'copies', partitions: 2 },
]
const config = () => ({
  'application.id': 'copy',
  'embedded.log.dir': dir,
  'state.dir': join(dir, 'state'),
  'commit.interval.ms': 20,
})
const generators: TrafficGenerator[] = [
  {
    topic: 'events',
    partitions: 2,
    key: string,
    value: json<unknown>(),
    phases: [{ forMs: 100, ratePerSecond: 200, keys: ['a', 'b'] }],
    template: { n: '{n}' },
  },
]

describe('npm start of an exported project', () => {
  it('makes the missing topics, runs, and stops at a signal with exit code 0', async () => {
    const host = new FakeHost()
    const running = host.saying('Running on')
    const ended = runMain(build, config(), { topics }, host)
    await running
    host.signal('SIGTERM')
    await ended
    expect([host.codes, host.err]).toEqual([[0], []])
    expect(host.out.join('\n')).toMatch(/Running on the embedded log in .*\n.*SIGTERM: stopping.*\n.*Stopped/)
    const log = await openLog(config(), { clock })
    const epochs = { topic: epochTopicOf(config()['application.id']), partitions: 1 }
    const expected = [...topics, epochs].toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
    expect(await log.listTopics()).toEqual(expected)
    await log.close()
  })

  it('takes traffic of another process while it runs, and what was sent before it started', async () => {
    const before = new FakeHost()
    await trafficMain(generators, config(), before)
    expect([before.codes, before.err.join('')]).toEqual([[0], expect.stringContaining('waits until it starts')])
    const host = new FakeHost()
    const running = host.saying('Running on')
    const ended = runMain(build, config(), { topics }, host)
    await running
    const traffic = new FakeHost()
    await trafficMain(generators, config(), traffic)
    expect([traffic.codes, traffic.err]).toEqual([[0], []])
    expect(traffic.out.at(-1)).toContain('20 records sent')
    host.signal('SIGINT')
    await ended
    // Whatever lay in the inbox at the end is taken by the next writer.
    const log = await openLog(config(), { clock })
    const session = await log.open('counter', ['events'], 'earliest')
    await fetchRecords(session, 40)
    const ends = await Promise.all([0, 1].map((partition) => log.read('events', partition, 0, 1000)))
    expect(ends.reduce((sum, { records }) => sum + records.length, 0)).toBe(40)
    await log.close()
  })

  it('ends with 1 and one line when it cannot start', async () => {
    const host = new FakeHost()
    await runMain(build, config(), { topics: [] }, host)
    expect(host.codes).toEqual([1])
    expect(host.err).toHaveLength(1)
    expect(host.err[0]).toMatch(/ERROR .*events.*copies/)
  })

  it('ends with 1 when no broker answers, and says what to do', async () => {
    const host = new FakeHost(['--bootstrap-servers', '127.0.0.1:1'])
    await runMain(build, { ...config(), 'processing.guarantee': 'at-least-once' }, { topics }, host)
    expect(host.codes).toEqual([1])
    expect(host.err.join('\n')).toMatch(/^\S+ ERROR No Kafka broker answers at 127\.0\.0\.1:1 .*bootstrap\.servers.*$/)
  })

  it('explains its flags with --help, and refuses others with 2', async () => {
    const help = new FakeHost(['--help'])
    await runMain(build, config(), { topics }, help)
    expect(help.codes).toEqual([0])
    expect(help.out.join('\n')).toMatch(
      /npm start -- \[flags\][\s\S]*--bootstrap-servers HOST:PORT[\s\S]*--create-topics/,
    )
    for (const args of [['--bootstrap'], ['file'], ['--bootstrap-servers']]) {
      const wrong = new FakeHost(args)
      await runMain(build, config(), { topics }, wrong)
      expect([wrong.codes, wrong.out]).toEqual([[2], []])
      expect(wrong.err.join('\n')).toContain('--bootstrap-servers HOST:PORT')
    }
  })

  it('ends with 1 and shows where user code threw', async () => {
    const host = new FakeHost()
    await runMain(
      () => {
        throw new Error('no such file: model.ts')
      },
      config(),
      { topics },
      host,
    )
    expect(host.codes).toEqual([1])
    expect(host.err.join('\n')).toMatch(/no such file: model\.ts[\s\S]*main\.test\.ts/)
  })
})

describe('settings over those of the project', () => {
  it('reach both main functions, from the environment and from flags', async () => {
    const first = new FakeHost(['--set', 'bootstrap.servers=127.0.0.1:1', '--log-format', 'json'])
    first.env.LANESCOPE_SECURITY_PROTOCOL = 'SASL_SSL'
    const second = new FakeHost(first.args)
    second.env.LANESCOPE_SECURITY_PROTOCOL = 'SASL_SSL'
    await runMain(build, config(), { topics }, first)
    await trafficMain(generators, config(), second)
    for (const { codes, err } of [first, second]) {
      expect(codes).toEqual([1])
      expect(err.map((line) => JSON.parse(line))).toMatchObject([
        { level: 'error', code: 'CONFIG_INVALID', message: expect.stringContaining('"sasl.mechanism" is missing') },
      ])
    }
  })
})

describe('npm run traffic of an exported project', () => {
  it('explains its flags, and refuses others with 2', async () => {
    const help = new FakeHost(['--help'])
    await trafficMain(generators, config(), help)
    expect([help.codes, help.out.join('\n')]).toEqual([[0], expect.stringContaining('npm run traffic -- [flags]')])
    const wrong = new FakeHost(['--create-topics'])
    await trafficMain(generators, config(), wrong)
    expect(wrong.codes).toEqual([2])
  })

  it('goes on in event time where it stopped, also while the application runs', async () => {
    const day = 86_400_000
    const past = generators.map((generator) => ({ ...generator, time: { startOffsetMs: -90 * day, speed: day } }))
    await trafficMain(past, config(), new FakeHost())
    const host = new FakeHost()
    const running = host.saying('Running on')
    const ended = runMain(build, config(), { topics }, host)
    await running
    await trafficMain(past, config(), new FakeHost())
    host.signal('SIGINT')
    await ended
    const log = await openLog(config(), { clock })
    for (const partition of [0, 1]) {
      const times = (await log.read('events', partition, 0, 1000)).records.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
    await log.close()
  })

  it('stops at a signal', async () => {
    const host = new FakeHost()
    const sending = host.saying('Sending to')
    const endless = generators.map((generator) => ({
      ...generator,
      phases: [{ forMs: 0, ratePerSecond: 10, keys: ['a'] }],
    }))
    const ended = trafficMain(endless, config(), host)
    await sending
    host.signal('SIGINT')
    await ended
    expect(host.codes).toEqual([0])
  })

  it('ends with 1 when no broker answers', async () => {
    const host = new FakeHost(['--bootstrap-servers', '127.0.0.1:1'])
    await trafficMain(generators, config(), host)
    expect([host.codes, host.err.join('')]).toEqual([[1], expect.stringContaining('No Kafka broker answers')])
  })
})

describe('npm run send of an exported project', () => {
  const sends = [{ topic: 'events', partitions: 2, key: string, value: json<unknown>() }]
  const sent = async (...args: string[]) => {
    const host = new FakeHost(args)
    await sendMain(sends, config(), host)
    return host
  }

  it('leaves a record for the application, its text as the serdes of the topic write it', async () => {
    const before = clock.now()
    expect((await sent('events', 'k', '{"n": 1}', '--at', '2026-01-31T12:00:00Z')).codes).toEqual([0])
    expect((await sent('events', 'k', 'words', '--at', '5')).codes).toEqual([0])
    expect((await sent('events', 'k')).codes).toEqual([0])
    const log = await openLog(config(), { clock })
    const read = await Promise.all([0, 1].map((partition) => log.read('events', partition, 0, 10)))
    const records = read.flatMap((one) => one.records)
    const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
    expect(records.map(({ key, value }) => [text(key), text(value)])).toEqual([
      ['k', '{"n":1}'],
      ['k', '"words"'],
      ['k', null],
    ])
    expect(records.map(({ timestamp }) => timestamp).slice(0, 2)).toEqual([Date.UTC(2026, 0, 31, 12), 5])
    expect(records[2]?.timestamp).toBeGreaterThanOrEqual(before)
    await log.close()
  })

  it.each([
    [[], 'A topic and a key are needed'],
    [['events'], 'A topic and a key are needed'],
    [['copies', 'k', 'v'], 'reads no topic "copies", but "events"'],
    [['events', 'k', 'two', 'words'], '"words" is one word too many'],
    [['events', 'k', 'v', '--at', 'noon'], '"noon" is no time'],
    [['--nothing'], '--nothing'],
  ])('refuses %j with 2, and says why', async (args, why) => {
    const host = await sent(...args)
    expect([host.codes, host.err.join('')]).toEqual([[2], expect.stringContaining(why)])
  })

  it('explains itself', async () => {
    const host = await sent('--help')
    expect([host.codes, host.out.join('\n')]).toEqual([
      [0],
      expect.stringContaining('send -- TOPIC KEY [VALUE] [flags]'),
    ])
  })
})
