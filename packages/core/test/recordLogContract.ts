import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FetchedBatch,
  type FetchRequest,
  fromHex,
  type LogAdmin,
  type LogRecord,
  type LogSession,
  type OutputRecord,
  partitionOf,
  type RecordLog,
} from '../src/index.js'

export interface LogUnderTest {
  readonly log: RecordLog & LogAdmin
  /** Closes the log and opens it again, as a restart of the process does. */
  reopen(): Promise<RecordLog & LogAdmin>
  end(): Promise<void>
}

const NOTHING_PAUSED: FetchRequest = { maxRecords: 1000, maxWaitMs: 5_000, paused: [] }
const text = (value: string) => new TextEncoder().encode(value)
const read = (value: Uint8Array | null) => (value === null ? null : new TextDecoder().decode(value))
const values = (records: readonly LogRecord[]) => records.map(({ value }) => read(value))

function output(topic: string, partition: number, value: string, timestamp = 1000): OutputRecord {
  return { topic, partition, key: text('k'), value: text(value), timestamp, headers: [] }
}

/** What a session fetches until `count` records have come. */
export async function fetchRecords(session: LogSession, count: number): Promise<FetchedBatch[]> {
  const batches: FetchedBatch[] = []
  for (let got = 0; got < count; ) {
    const more = await session.fetch(NOTHING_PAUSED)
    if (more.length === 0) throw new Error(`Only ${got} of ${count} records came`)
    batches.push(...more)
    got += more.reduce((sum, { records }) => sum + records.length, 0)
  }
  return batches
}

const recordsOf = (batches: readonly FetchedBatch[]) => batches.flatMap(({ records }) => records)

/** Every log passes this: memory, disk, Kafka. */
export function recordLogContract(name: string, start: () => Promise<LogUnderTest>): void {
  describe(`${name} keeps the contract of a record log`, () => {
    let subject: LogUnderTest
    let log: RecordLog & LogAdmin
    let number = 0
    /** Names of their own for each test, since a broker is shared. */
    const fresh = (what: string) => `${what}-${++number}`
    const topicOf = async (partitions = 1) => {
      const topic = fresh('topic')
      await log.createTopic(topic, partitions)
      return topic
    }
    beforeAll(async () => {
      subject = await start()
      log = subject.log
    })
    afterAll(() => subject.end())

    it('lists the topics that were made, with their partitions', async () => {
      const [one, three] = [await topicOf(1), await topicOf(3)]
      const missing = fresh('missing')
      const found = await log.topics([one, three, missing])
      expect(found.map(({ topic, partitions }) => [topic, partitions])).toEqual([
        [one, 1],
        [three, 3],
      ])
      expect((await log.listTopics()).map(({ topic }) => topic)).toEqual(expect.arrayContaining([one, three]))
    })

    it('[P3] finds topics by a pattern, also by one that remembers where it matched', async () => {
      const topic = await topicOf()
      const pattern = new RegExp(`^${topic}$`, 'g')
      expect((await log.topicsMatching(pattern)).map((found) => found.topic)).toEqual([topic])
      expect((await log.topicsMatching(pattern)).map((found) => found.topic)).toEqual([topic])
      expect(await log.topicsMatching(/^no-such-topic$/)).toEqual([])
    })

    it('makes a topic once, and refuses it with another partition count', async () => {
      const topic = await topicOf(2)
      await log.createTopic(topic, 2)
      await expect(log.createTopic(topic, 3)).rejects.toMatchObject({ code: 'TOPIC_INVALID' })
      expect(await log.topics([topic])).toMatchObject([{ partitions: 2 }])
    })

    it.each([
      ['an empty name', '', 1],
      ['a dot', '.', 1],
      ['two dots', '..', 1],
      ['a blank', 'a b', 1],
      ['a slash', 'a/b', 1],
      ['250 characters', 'x'.repeat(250), 1],
      ['no partition', 'none', 0],
      ['half a partition', 'half', 1.5],
    ])('refuses a topic with %s', async (_, topic, partitions) => {
      await expect(log.createTopic(topic, partitions)).rejects.toMatchObject({ code: 'TOPIC_INVALID', kind: 'user' })
    })

    it('gives back keys, values, headers and times as they were written', async () => {
      const topic = await topicOf()
      const written = [
        { topic, partition: 0, key: null, value: text('a'), timestamp: 0, headers: [] },
        { topic, partition: 0, key: new Uint8Array(0), value: null, timestamp: 1_700_000_000_000, headers: [] },
        {
          topic,
          partition: 0,
          key: fromHex('00ff80'),
          value: new Uint8Array(0),
          timestamp: 1_700_000_000_001,
          headers: [
            { key: 'trace', value: text('1') },
            { key: 'trace', value: text('2') },
            { key: 'empty', value: new Uint8Array(0) },
          ],
        },
      ]
      await log.append(written)
      const { records, nextOffset, lastStableOffset } = await log.read(topic, 0, 0, 10)
      expect(records.map(({ key, value }) => [key && [...key], value && [...value]])).toEqual([
        [null, [...text('a')]],
        [[], null],
        [[0, 0xff, 0x80], []],
      ])
      expect(records.map(({ timestamp, offset }) => [timestamp, offset])).toEqual([
        [0, 0],
        [1_700_000_000_000, 1],
        [1_700_000_000_001, 2],
      ])
      expect(records[2]?.headers.map(({ key, value }) => [key, read(value)])).toEqual([
        ['trace', '1'],
        ['trace', '2'],
        ['empty', ''],
      ])
      expect([nextOffset, lastStableOffset]).toEqual([3, 3])
    })

    it('tells where each appended record went, in order', async () => {
      const topic = await topicOf(2)
      expect(await log.append([output(topic, 1, 'a'), output(topic, 0, 'b'), output(topic, 1, 'c')])).toEqual([
        { partition: 1, offset: 0 },
        { partition: 0, offset: 0 },
        { partition: 1, offset: 1 },
      ])
      expect(await log.append([output(topic, 1, 'd')])).toEqual([{ partition: 1, offset: 2 }])
    })

    it('picks the partition by murmur2 of the key, and spreads null keys', async () => {
      const topic = await topicOf(3)
      const keys = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'].map(text)
      const unplaced = (key: Uint8Array | null) => ({
        topic,
        partition: -1,
        key,
        value: null,
        timestamp: 1,
        headers: [],
      })
      const placed = await log.append(keys.map(unplaced))
      expect(placed.map(({ partition }) => partition)).toEqual(keys.map((key) => partitionOf(key, 3)))
      const spread = await log.append([unplaced(null), unplaced(null), unplaced(null)])
      expect(spread.map(({ partition }) => partition).sort()).toEqual([0, 1, 2])
    })

    it('reads a part of a partition', async () => {
      const topic = await topicOf()
      await log.append(['a', 'b', 'c', 'd'].map((value) => output(topic, 0, value)))
      const part = await log.read(topic, 0, 1, 2)
      expect([values(part.records), part.nextOffset, part.lastStableOffset]).toEqual([['b', 'c'], 3, 4])
      const end = await log.read(topic, 0, 4, 10)
      expect([end.records, end.nextOffset]).toEqual([[], 4])
    })

    it('refuses to open topics that do not exist, and names all of them', async () => {
      const topic = await topicOf()
      const [a, b] = [fresh('missing'), fresh('missing')]
      const opening = log.open(fresh('app'), [a, topic, b], 'earliest')
      await expect(opening).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
      await expect(opening).rejects.toThrow(`"${a}", "${b}"`)
    })

    it('reads every partition from the beginning, each in order, then what is appended', async () => {
      const topic = await topicOf(2)
      await log.append([output(topic, 0, 'a'), output(topic, 1, 'b'), output(topic, 0, 'c')])
      const session = await log.open(fresh('app'), [topic], 'earliest')
      expect(session.assignment).toMatchObject([
        { topic, partition: 0, offset: 0, done: [] },
        { topic, partition: 1, offset: 0, done: [] },
      ])
      const first = await fetchRecords(session, 3)
      const of = (partition: number) => values(recordsOf(first.filter((batch) => batch.partition === partition)))
      expect([of(0), of(1)]).toEqual([['a', 'c'], ['b']])
      await log.append([output(topic, 1, 'd')])
      const [batch] = (await fetchRecords(session, 1)).filter(({ records }) => records.length > 0)
      expect(batch).toMatchObject({ partition: 1, nextOffset: 2, lastStableOffset: 2 })
      await session.close()
    })

    it('starts behind what is there when asked for the latest', async () => {
      const topic = await topicOf()
      await log.append([output(topic, 0, 'old')])
      const session = await log.open(fresh('app'), [topic], 'latest')
      expect(session.assignment).toMatchObject([{ topic, partition: 0, offset: 1, done: [] }])
      await log.append([output(topic, 0, 'new')])
      expect(values(recordsOf(await fetchRecords(session, 1)))).toEqual(['new'])
      await session.close()
    })

    it('tells the position of a partition that is empty from the start', async () => {
      const topic = await topicOf()
      const session = await log.open(fresh('app'), [topic], 'earliest')
      expect(await session.fetch(NOTHING_PAUSED)).toEqual([
        { topic, partition: 0, records: [], nextOffset: 0, lastStableOffset: 0 },
      ])
      expect(await session.fetch({ ...NOTHING_PAUSED, maxWaitMs: 50 })).toEqual([])
      await session.close()
    })

    it('[E1] commits outputs and positions; the next session goes on there', async () => {
      const [topic, out] = [await topicOf(), await topicOf(2)]
      const app = fresh('app')
      await log.append(['a', 'b', 'c'].map((value) => output(topic, 0, value)))
      const session = await log.open(app, [topic], 'earliest')
      await fetchRecords(session, 3)
      const outputs = [output(out, 1, 'A', 5), output(out, 0, 'B', 6), output(out, 1, 'C', 7)]
      await session.commit({ epoch: 1, outputs, positions: [{ topic, partition: 0, offset: 2, done: [] }] })
      await session.close()
      // A broker shows what is committed a moment later.
      const shown = (partition: number) =>
        expect.poll(async () => values((await log.read(out, partition, 0, 10)).records))
      await shown(0).toEqual(['B'])
      await shown(1).toEqual(['A', 'C'])
      const next = await log.open(app, [topic], 'latest')
      expect(next.assignment).toMatchObject([{ topic, partition: 0, offset: 2, done: [] }])
      expect(values(recordsOf(await fetchRecords(next, 1)))).toEqual(['c'])
      await next.close()
    })

    it('reads again what was not committed', async () => {
      const topic = await topicOf()
      const app = fresh('app')
      await log.append([output(topic, 0, 'a')])
      const session = await log.open(app, [topic], 'earliest')
      await fetchRecords(session, 1)
      await session.close()
      const again = await log.open(app, [topic], 'earliest')
      expect(values(recordsOf(await fetchRecords(again, 1)))).toEqual(['a'])
      await again.close()
    })

    it('keeps applications apart', async () => {
      const topic = await topicOf()
      await log.append([output(topic, 0, 'a')])
      const one = await log.open(fresh('app'), [topic], 'earliest')
      await one.commit({ epoch: 1, outputs: [], positions: [{ topic, partition: 0, offset: 1, done: [] }] })
      await one.close()
      const other = await log.open(fresh('app'), [topic], 'earliest')
      expect(other.assignment[0]?.offset).toBe(0)
      await other.close()
    })

    it('[E6] rewinds an application to the first records of the topics named, for good', async () => {
      const [topic, kept] = [await topicOf(2), await topicOf()]
      const [app, bystander] = [fresh('app'), fresh('app')]
      await log.append([output(topic, 0, 'a'), output(topic, 1, 'b'), output(topic, 1, 'c'), output(kept, 0, 'd')])
      const positions = [
        { topic, partition: 0, offset: 1, done: [] },
        { topic, partition: 1, offset: 1, done: [] },
        { topic: kept, partition: 0, offset: 1, done: [] },
      ]
      for (const name of [app, bystander]) {
        const session = await log.open(name, [topic, kept], 'earliest')
        await session.commit({ epoch: 7, outputs: [], positions })
        await session.close()
      }
      await log.rewind(app, [topic, topic])
      log = await subject.reopen()
      const again = await log.open(app, [topic, kept], 'latest')
      expect(again.assignment.map(({ offset }) => offset)).toEqual([0, 0, 1])
      expect(values(recordsOf(await fetchRecords(again, 3))).sort()).toEqual(['a', 'b', 'c'])
      await again.close()
      const other = await log.open(bystander, [topic, kept], 'latest')
      expect(other.assignment.map(({ offset }) => offset)).toEqual([1, 1, 1])
      await other.close()
    })

    it('[E6] rewinds also where nothing was committed, whatever the reset says', async () => {
      const topic = await topicOf()
      const app = fresh('app')
      await log.append([output(topic, 0, 'a')])
      await log.rewind(app, [topic])
      const session = await log.open(app, [topic], 'latest')
      expect(session.assignment.map(({ offset }) => offset)).toEqual([0])
      await session.close()
    })

    it('sets an application to the end of a topic that it goes through, for it writes all of it anew', async () => {
      const [topic, through] = [await topicOf(), await topicOf()]
      const app = fresh('app')
      await log.append([output(topic, 0, 'a'), output(through, 0, 'b'), output(through, 0, 'c')])
      const session = await log.open(app, [topic, through], 'earliest')
      const positions = [
        { topic, partition: 0, offset: 1, done: [] },
        { topic: through, partition: 0, offset: 1, done: [] },
      ]
      await session.commit({ epoch: 1, outputs: [], positions })
      await session.close()
      await log.rewind(app, [topic], [through])
      log = await subject.reopen()
      const again = await log.open(app, [topic, through], 'earliest')
      expect(again.assignment.map(({ offset }) => offset)).toEqual([0, 2])
      await again.close()
    })

    it('rewinds nothing when one of the topics is missing', async () => {
      const topic = await topicOf()
      const app = fresh('app')
      await log.append([output(topic, 0, 'a')])
      const session = await log.open(app, [topic], 'earliest')
      await session.commit({ epoch: 1, outputs: [], positions: [{ topic, partition: 0, offset: 1, done: [] }] })
      await session.close()
      await expect(log.rewind(app, [topic, fresh('missing')])).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
      const again = await log.open(app, [topic], 'earliest')
      expect(again.assignment.map(({ offset }) => offset)).toEqual([1])
      await again.close()
    })

    it('takes an epoch of several megabytes', async () => {
      const [topic, out] = [await topicOf(), await topicOf()]
      const session = await log.open(fresh('app'), [topic], 'earliest')
      const big = 'x'.repeat(100_000)
      const outputs = Array.from({ length: 30 }, (_, i) => output(out, 0, `${i}${big}`))
      await session.commit({ epoch: 1, outputs, positions: [] })
      await session.close()
      const { records } = await log.read(out, 0, 0, 100)
      expect(values(records)).toEqual(outputs.map(({ value }) => read(value)))
    })

    it('lets a waiting fetch return when records come, and when woken', async () => {
      const topic = await topicOf()
      const session = await log.open(fresh('app'), [topic], 'earliest')
      await session.fetch(NOTHING_PAUSED)
      const waiting = session.fetch({ ...NOTHING_PAUSED, maxWaitMs: 60_000 })
      await log.append([output(topic, 0, 'a')])
      expect(values(recordsOf(await waiting))).toEqual(['a'])
      const woken = session.fetch({ ...NOTHING_PAUSED, maxWaitMs: 60_000 })
      session.wakeUp()
      expect(await woken).toEqual([])
      await session.close()
    })

    it('refuses a second fetch while one is pending, and any after close', async () => {
      const topic = await topicOf()
      const session = await log.open(fresh('app'), [topic], 'earliest')
      await session.fetch(NOTHING_PAUSED)
      const pending = session.fetch({ ...NOTHING_PAUSED, maxWaitMs: 60_000 })
      await expect(session.fetch(NOTHING_PAUSED)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' })
      await session.close()
      expect(await pending).toEqual([])
      await expect(session.fetch(NOTHING_PAUSED)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' })
      await session.close()
    })

    it('[L7] leaves paused partitions alone, and gives their records later', async () => {
      const topic = await topicOf(2)
      await log.append([output(topic, 0, 'a'), output(topic, 1, 'b')])
      const session = await log.open(fresh('app'), [topic], 'earliest')
      const got: FetchedBatch[] = []
      while (recordsOf(got).length === 0) {
        got.push(...(await session.fetch({ ...NOTHING_PAUSED, paused: [{ topic, partition: 0 }] })))
      }
      expect([values(recordsOf(got)), got.some(({ partition }) => partition === 0)]).toEqual([['b'], false])
      expect(values(recordsOf(await fetchRecords(session, 1)))).toEqual(['a'])
      await session.close()
    })

    it('[L7] gives at most about as many records as asked for, and none twice', async () => {
      const topic = await topicOf(2)
      const written = Array.from({ length: 40 }, (_, i) => `${i}`)
      await log.append(written.map((value, i) => output(topic, i % 2, value)))
      const session = await log.open(fresh('app'), [topic], 'earliest')
      const got: string[] = []
      while (got.length < written.length) {
        const batches = await session.fetch({ ...NOTHING_PAUSED, maxRecords: 6 })
        expect(recordsOf(batches).length).toBeLessThanOrEqual(6)
        got.push(...values(recordsOf(batches)).map(String))
      }
      expect(got.sort()).toEqual(written.sort())
      await session.close()
    })

    it('has everything after it was closed and opened again', async () => {
      const topic = await topicOf(2)
      const app = fresh('app')
      await log.append([output(topic, 1, 'a'), output(topic, 1, 'b')])
      const session = await log.open(app, [topic], 'earliest')
      await session.commit({ epoch: 1, outputs: [], positions: [{ topic, partition: 1, offset: 1, done: [] }] })
      await session.close()
      log = await subject.reopen()
      expect(values((await log.read(topic, 1, 0, 10)).records)).toEqual(['a', 'b'])
      const next = await log.open(app, [topic], 'earliest')
      expect(next.assignment.map(({ offset }) => offset)).toEqual([0, 1])
      await next.close()
    })
  })
}
