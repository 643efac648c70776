import { describe, expect, it } from 'vitest'
import { recordLogContract } from '../../../test/recordLogContract.js'
import { ManualClock } from '../../time/ManualClock.js'
import { SystemClock } from '../../time/SystemClock.js'
import type { OutputRecord } from '../RecordLog.js'
import { EmbeddedLog } from './EmbeddedLog.js'
import { MemoryLogStorage } from './MemoryLogStorage.js'

recordLogContract('The embedded log in memory', async () => {
  const storage = new MemoryLogStorage()
  const clock = new SystemClock()
  let log = await EmbeddedLog.open({ storage, clock })
  return {
    log,
    reopen: async () => {
      await log.close()
      log = await EmbeddedLog.open({ storage, clock })
      return log
    },
    end: () => log.close(),
  }
})

const bytes = (value: string) => new TextEncoder().encode(value)
const record = (topic: string, value: string, timestamp = 0): OutputRecord => ({
  topic,
  partition: 0,
  key: null,
  value: bytes(value),
  timestamp,
  headers: [],
})

async function setUp(segmentBytes?: number) {
  const storage = new MemoryLogStorage()
  const clock = new ManualClock()
  const options = { storage, clock, ...(segmentBytes === undefined ? {} : { segmentBytes }) }
  const log = await EmbeddedLog.open(options)
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  return { storage, clock, log, reopen: () => EmbeddedLog.open(options) }
}

describe('The embedded log', () => {
  it('says that its commits are atomic', async () => {
    const { log } = await setUp()
    expect([log.kind, log.exactlyOnce]).toEqual(['embedded', true])
    expect(await log.topics(['in'])).toEqual([{ topic: 'in', partitions: 1 }])
  })

  it.each([-1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 4_102_444_800_000])(
    '[F6] accepts timestamp %d, also over a restart',
    async (timestamp) => {
      const { log, reopen } = await setUp()
      await log.append([record('in', 'a', timestamp)])
      expect((await log.read('in', 0, 0, 1)).records[0]?.timestamp).toBe(timestamp)
      expect((await (await reopen()).read('in', 0, 0, 1)).records[0]?.timestamp).toBe(timestamp)
    },
  )

  it('[E8] keeps the done set of a position', async () => {
    const { log, reopen } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    const position = { topic: 'in', partition: 0, offset: 2, done: [4, 7] }
    await session.commit({ epoch: 9, outputs: [], positions: [position] })
    expect((await (await reopen()).open('app', ['in'], 'earliest')).assignment).toEqual([position])
  })

  it('[E1] commits nothing of an epoch with an output that has no place', async () => {
    const { log } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    const positions = [{ topic: 'in', partition: 0, offset: 5, done: [] }]
    const commit = (last: OutputRecord) => session.commit({ epoch: 1, outputs: [record('out', 'a'), last], positions })
    await expect(commit(record('missing', 'b'))).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
    await expect(commit({ ...record('out', 'b'), partition: 1 })).rejects.toMatchObject({ code: 'TOPIC_INVALID' })
    await expect(commit({ ...record('out', 'b'), partition: -1 })).rejects.toMatchObject({ code: 'TOPIC_INVALID' })
    expect((await log.read('out', 0, 0, 10)).records).toEqual([])
    expect((await log.open('app', ['in'], 'earliest')).assignment[0]?.offset).toBe(0)
  })

  it('writes nothing for an epoch without outputs and positions', async () => {
    const { log, storage } = await setUp()
    const before = await storage.size('journal-00000001.log')
    const session = await log.open('app', ['in'], 'earliest')
    await session.commit({ epoch: 1, outputs: [], positions: [] })
    await log.append([])
    expect(await storage.size('journal-00000001.log')).toBe(before)
  })

  it('[E7] [G-91] fences the older session of an application: it neither commits nor reads', async () => {
    const { log } = await setUp()
    const older = await log.open('app', ['in'], 'earliest')
    await older.fetch({ maxRecords: 1, maxWaitMs: 0, paused: [] })
    const waiting = older.fetch({ maxRecords: 1, maxWaitMs: 1000, paused: [] })
    const newer = await log.open('app', ['in'], 'earliest')
    const epoch = { epoch: 1, outputs: [record('out', 'a')], positions: [] }
    await expect(waiting).rejects.toMatchObject({ code: 'STALE_INCARNATION' })
    await expect(older.commit(epoch)).rejects.toMatchObject({ code: 'STALE_INCARNATION' })
    await newer.commit(epoch)
    expect((await log.read('out', 0, 0, 10)).records).toHaveLength(1)
  })

  it('[E7] [E8] rewinds with the done set, and fences who reads meanwhile', async () => {
    const { log, reopen } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    const done = { epoch: 1, outputs: [], positions: [{ topic: 'in', partition: 0, offset: 2, done: [4, 7] }] }
    await session.commit(done)
    await log.rewind('app', ['in'])
    await expect(session.commit(done)).rejects.toMatchObject({ code: 'STALE_INCARNATION' })
    const start = [{ topic: 'in', partition: 0, offset: 0, done: [] }]
    expect((await log.open('app', ['in'], 'earliest')).assignment).toEqual(start)
    expect((await (await reopen()).open('app', ['in'], 'latest')).assignment).toEqual(start)
  })

  it('a commit under way when another session opens counts for its positions', async () => {
    const { log } = await setUp()
    const older = await log.open('app', ['in'], 'earliest')
    const commit = older.commit({
      epoch: 1,
      outputs: [],
      positions: [{ topic: 'in', partition: 0, offset: 3, done: [] }],
    })
    const newer = await log.open('app', ['in'], 'earliest')
    const committed = await commit.then(
      () => true,
      () => false,
    )
    expect(newer.assignment[0]?.offset).toBe(committed ? 3 : 0)
  })

  it('waits by its clock: not a millisecond less than asked', async () => {
    const { log, clock } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    await session.fetch({ maxRecords: 1, maxWaitMs: 0, paused: [] })
    let batches: unknown
    const waiting = session.fetch({ maxRecords: 1, maxWaitMs: 100, paused: [] }).then((got) => {
      batches = got
    })
    await settle()
    clock.advance(99)
    await settle()
    expect(batches).toBeUndefined()
    clock.advance(1)
    await waiting
    expect(batches).toEqual([])
  })

  it('goes on waiting when what came is paused', async () => {
    const { log, clock } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    await session.fetch({ maxRecords: 1, maxWaitMs: 0, paused: [] })
    const waiting = session.fetch({ maxRecords: 1, maxWaitMs: 100, paused: [{ topic: 'in', partition: 0 }] })
    await log.append([record('in', 'a')])
    await settle()
    clock.advance(100)
    expect(await waiting).toEqual([])
  })

  it('shares the records asked for among the partitions, and takes turns', async () => {
    const { log } = await setUp()
    await log.createTopic('two', 2)
    const many = Array.from({ length: 10 }, (_, i) => ({ ...record('two', `${i}`), partition: i % 2 }))
    await log.append(many)
    const session = await log.open('app', ['two'], 'earliest')
    const sizes = async (maxRecords: number) =>
      (await session.fetch({ maxRecords, maxWaitMs: 0, paused: [] })).map((b) => [b.partition, b.records.length])
    expect(await sizes(4)).toEqual([
      [0, 2],
      [1, 2],
    ])
    expect(await sizes(5)).toEqual([
      [1, 2],
      [0, 2],
    ])
  })

  it('reads over the edges of chunks and of files', async () => {
    const { log, storage, reopen } = await setUp(2000)
    const total = 1203
    for (let at = 0; at < total; at += 401) {
      await log.append(Array.from({ length: 401 }, (_, i) => record('in', `${at + i}`)))
    }
    await log.append(Array.from({ length: 1001 }, (_, i) => record('out', `${i}`)))
    expect((await storage.list()).length).toBeGreaterThan(2)
    for (const open of [log, await reopen()]) {
      const all = await open.read('in', 0, 0, 5000)
      expect(all.records.map(({ offset }) => offset)).toEqual(Array.from({ length: total }, (_, i) => i))
      const part = await open.read('out', 0, 499, 3)
      expect(part.records.map(({ value }) => new TextDecoder().decode(value as Uint8Array))).toEqual([
        '499',
        '500',
        '501',
      ])
    }
  })

  it('clamps a read to what is there', async () => {
    const { log } = await setUp()
    await log.append([record('in', 'a')])
    expect(await log.read('in', 0, 99, 10)).toMatchObject({ records: [], nextOffset: 1, lastStableOffset: 1 })
    expect((await log.read('in', 0, -5, 10)).nextOffset).toBe(1)
    await expect(log.read('in', 1, 0, 1)).rejects.toMatchObject({ code: 'TOPIC_INVALID' })
    await expect(log.read('missing', 0, 0, 1)).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
  })

  it('appends all records or none, and goes on after a mistake', async () => {
    const { log } = await setUp()
    await expect(log.append([record('in', 'a'), record('missing', 'b')])).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
    })
    expect(await log.append([record('in', 'c')])).toEqual([{ partition: 0, offset: 0 }])
  })

  it('refuses everything once it is closed, and closes twice', async () => {
    const { log } = await setUp()
    await log.close()
    await log.close()
    await expect(log.append([record('in', 'a')])).rejects.toMatchObject({ code: 'ILLEGAL_STATE' })
    await expect(log.open('app', ['in'], 'earliest')).rejects.toMatchObject({ code: 'ILLEGAL_STATE' })
  })
})

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}
