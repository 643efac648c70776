import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedLog, ManualClock, MemoryLogStorage, type OutputRecord } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InboxReader, InboxSender, inboxOf } from './Inbox.js'
import { openEmbeddedLog } from './openEmbeddedLog.js'

let dir: string
const clock = new ManualClock(1000)
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-inbox-'))
})
afterEach(() => rm(dir, { recursive: true }))

const record = (value: string, more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 'in',
  partition: 0,
  key: null,
  value: new TextEncoder().encode(value),
  timestamp: 5,
  headers: [],
  ...more,
})

async function setUp() {
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  const problems: string[] = []
  const reader = new InboxReader(dir, log, clock, (message) => problems.push(message))
  const texts = async () =>
    (await log.read('in', 0, 0, 1000)).records.map(({ value }) => new TextDecoder().decode(value ?? new Uint8Array()))
  return { log, reader, problems, texts, sender: new InboxSender(dir, clock) }
}

describe('The inbox of an embedded log', () => {
  it('brings topics and records of another process into the log, in order', async () => {
    const { sender, reader, texts, log } = await setUp()
    await sender.createTopic('in', 1)
    for (let i = 0; i < 12; i++) await sender.append([record(`${i}a`), record(`${i}b`)])
    await reader.drain()
    expect(await texts()).toEqual(Array.from({ length: 12 }, (_, i) => [`${i}a`, `${i}b`]).flat())
    expect(await log.topics(['in'])).toEqual([{ topic: 'in', partitions: 1 }])
    expect(await readdir(inboxOf(dir))).toEqual([])
  })

  it('carries keys, nulls, headers and times as they are', async () => {
    const { sender, reader, log } = await setUp()
    await sender.createTopic('in', 1)
    const headers = [
      { key: 'h', value: Uint8Array.of(0, 255) },
      { key: 'none', value: null },
    ]
    await sender.append([record('', { key: Uint8Array.of(1, 128), value: null, timestamp: -1, headers })])
    const [file = ''] = (await readdir(inboxOf(dir))).sort().reverse()
    expect(JSON.parse(await readFile(join(inboxOf(dir), file), 'utf8'))).toMatchObject({ version: 1, topics: [] })
    await reader.drain()
    expect((await log.read('in', 0, 0, 1)).records).toEqual([
      { offset: 0, key: Uint8Array.of(1, 128), value: null, timestamp: -1, headers },
    ])
  })

  it('reports and throws away what cannot be done, and goes on', async () => {
    const { sender, reader, texts, problems } = await setUp()
    await sender.createTopic('in', 1)
    await sender.append([record('x', { topic: 'missing' })])
    await sender.createTopic('in', 2)
    await sender.append([record('a')])
    await writeFile(join(inboxOf(dir), '000-foreign.json'), 'no json')
    await writeFile(join(inboxOf(dir), '~newer.json'), '{"version":2}')
    await reader.drain()
    expect(await texts()).toEqual(['a'])
    expect(problems.join('\n')).toMatch(
      /no json[\s\S]*"missing" does not exist[\s\S]*with 1 partitions[\s\S]*version 2/,
    )
    expect(await readdir(inboxOf(dir))).toEqual([])
  })

  it('does not look at requests that are half written, and needs no folder', async () => {
    const { reader, problems } = await setUp()
    await reader.drain()
    const { sender } = await setUp()
    await sender.createTopic('in', 1)
    await writeFile(join(inboxOf(dir), '000.draft'), '{')
    await reader.drain()
    expect(problems).toEqual([])
    expect(await readdir(inboxOf(dir))).toEqual(['000.draft'])
  })

  it('makes a sender wait while too much is unread', async () => {
    const { sender, reader, texts } = await setUp()
    await sender.createTopic('in', 1)
    for (let i = 1; i < 500; i++) await sender.append([record(`${i}`)])
    let isThrough = false
    const waiting = sender.append([record('last')]).then(() => {
      isThrough = true
    })
    await readdir(inboxOf(dir))
    expect(isThrough).toBe(false)
    await reader.drain()
    // It looks again when the clock says so, and not all the time.
    for (let i = 0; i < 20; i++) await readdir(inboxOf(dir))
    expect(isThrough).toBe(false)
    while (!isThrough) {
      clock.advance(50)
      await readdir(dir)
    }
    await waiting
    await reader.drain()
    expect((await texts()).at(-1)).toBe('last')
  })

  it('knows the newest time of a topic, in the log and in what waits for it', async () => {
    const log = await openEmbeddedLog(dir, clock, () => {})
    const { sender } = await setUp()
    expect(await sender.newestTime('in', 100)).toBeUndefined()
    await log.createTopic('in', 1)
    await log.append([record('a', { timestamp: 30 })])
    expect(await sender.newestTime('in', 100)).toBe(30)
    await log.close()
    await sender.append([record('b', { timestamp: 40 }), record('c', { topic: 'others', timestamp: 50 })])
    expect(await sender.newestTime('in', 100)).toBe(40)
    expect(await sender.newestTime('in', 39)).toBe(30)
    await writeFile(join(inboxOf(dir), '000-foreign.json'), 'no json')
    await writeFile(join(inboxOf(dir), '~newer.json'), '{"version":2}')
    expect(await sender.newestTime('in', 100)).toBe(40)
  })
})
