import { createRequire } from 'node:module'
import {
  Consumed,
  type FetchedBatch,
  type LogAdmin,
  type OutputRecord,
  Produced,
  type RecordLog,
  SystemClock,
  string,
  Topology,
} from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchRecords, recordLogContract } from '../../core/test/recordLogContract.js'
import { openLog, run } from '../src/index.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'

const reason = whyNoBroker()
const clock = new SystemClock()
const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
const record = (topic: string, value: string, more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic,
  partition: 0,
  key: null,
  value: new TextEncoder().encode(value),
  timestamp: clock.now(),
  headers: [],
  ...more,
})
const valuesOf = (batches: readonly FetchedBatch[]) =>
  batches.flatMap(({ records }) => records.map(({ value }) => text(value)))

describe.skipIf(reason !== undefined)(`On a real broker${reason === undefined ? '' : ` (${reason})`}`, () => {
  let broker: KafkaBroker
  const opened: (RecordLog & LogAdmin)[] = []
  const open = async (more: object = {}) => {
    const log = await openLog({ 'bootstrap.servers': broker.bootstrap, ...more }, { clock })
    opened.push(log)
    return log
  }
  beforeAll(async () => {
    broker = await startKafkaBroker()
  }, 300_000)
  afterAll(async () => {
    for (const log of opened) await log.close()
    await broker?.stop()
  }, 300_000)

  recordLogContract('Kafka', async () => {
    let log = await open()
    return {
      log,
      reopen: async () => {
        await log.close()
        log = await open()
        return log
      },
      end: () => log.close(),
    }
  })

  it('[F6] [G4] tells the limits of a topic', async () => {
    const log = await open()
    await log.createTopic('limits', 1)
    expect(await log.topics(['limits'])).toEqual([
      { topic: 'limits', partitions: 1, maxMessageBytes: 1_048_588, maxTimestampAheadMs: 3_600_000 },
    ])
    const late = record('limits', 'x', { timestamp: clock.now() + 2 * 3_600_000 })
    await expect(log.append([late])).rejects.toMatchObject({ code: 'PRODUCTION_FAILED' })
    expect(await log.append([record('limits', 'y')])).toEqual([{ partition: 0, offset: 0 }])
  })

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('writes %s that the broker takes, and reads it back', async (codec) => {
    const log = await open({ 'producer.compression.type': codec })
    const topic = `codec-${codec}`
    await log.createTopic(topic, 1)
    const values = Array.from({ length: 50 }, (_, i) => `${i} `.repeat(100))
    await log.append(values.map((value) => record(topic, value)))
    expect(valuesOf([await log.read(topic, 0, 0, 100)])).toEqual(values)
  })

  it('[E1] shows no record of an aborted transaction, and comes to the end behind it', async () => {
    const log = await open()
    const topic = 'aborted'
    await log.createTopic(topic, 1)
    const [first, second] = [await transactions('one'), await transactions('two')]
    // Two producers at once: the one that began second aborts first. And a key that looks like a marker's.
    const a = await first.transaction()
    await a.send({ topic, messages: [{ partition: 0, key: Buffer.alloc(4), value: 'aborted' }] })
    const b = await second.transaction()
    await b.send({ topic, messages: [{ partition: 0, value: 'aborted' }] })
    await b.abort()
    await a.send({ topic, messages: [{ partition: 0, value: 'aborted' }] })
    await a.abort()
    const c = await first.transaction()
    await c.send({ topic, messages: [{ partition: 0, value: 'committed' }] })
    const session = await log.open('aborted-reader', [topic], 'earliest')
    await log.append([record(topic, 'behind')])
    const held = await untilCaughtUp(await session.fetch({ maxRecords: 100, maxWaitMs: 5000, paused: [] }), session)
    // A transaction that is open holds readers off: they are at the last stable offset, before its first record.
    expect(valuesOf(held)).toEqual([])
    await c.commit()
    const all = await fetchRecords(session, 2)
    expect(valuesOf(all)).toEqual(['committed', 'behind'])
    const d = await second.transaction()
    await d.send({ topic, messages: [{ partition: 0, value: 'aborted' }] })
    await d.abort()
    // Nothing to show, but the position goes on behind the marker.
    const end = await untilCaughtUp(await session.fetch({ maxRecords: 100, maxWaitMs: 5000, paused: [] }), session)
    expect(valuesOf(end)).toEqual([])
    expect(end.at(-1)?.nextOffset).toBeGreaterThan(all.at(-1)?.nextOffset ?? 0)
    await session.close()
    await first.disconnect()
    await second.disconnect()
  })

  it('[E5] refuses a second instance of an application, which does not disturb the first', async () => {
    const [log, other] = [await open(), await open()]
    await log.createTopic('single', 2)
    const session = await log.open('single-app', ['single'], 'earliest')
    await expect(other.open('single-app', ['single'], 'earliest')).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    await log.append([record('single', 'a')])
    expect(valuesOf(await fetchRecords(session, 1))).toEqual(['a'])
    await session.commit({ epoch: 1, outputs: [], positions: [{ topic: 'single', partition: 0, offset: 1, done: [] }] })
    await session.close()
  }, 300_000)

  it('[E5] lets no consumer of another kind into its group', async () => {
    const log = await open()
    await log.createTopic('shared', 2)
    const session = await log.open('shared-app', ['shared'], 'earliest')
    const intruder = kafkaClient().consumer({ groupId: 'shared-app', retry: { retries: 0 } })
    const refused = new Promise((resolve) =>
      intruder.on(intruder.events.CRASH, ({ payload }) => resolve(payload.error)),
    )
    await intruder.connect()
    await intruder.subscribe({ topics: ['shared'] })
    await intruder.run({ eachBatch: async () => undefined })
    await expect(refused).resolves.toMatchObject({ type: 'INCONSISTENT_GROUP_PROTOCOL' })
    await log.append([record('shared', 'a')])
    expect(valuesOf(await fetchRecords(session, 1))).toEqual(['a'])
    await session.close()
    await intruder.disconnect()
  })

  it('[L7] reads a topic that is larger than its buffers, in order, while nothing is taken for a while', async () => {
    const log = await open()
    await log.createTopic('large', 1)
    const count = 12_000
    await log.append(Array.from({ length: count }, (_, i) => record('large', `${i} `.padEnd(200, 'x'))))
    const session = await log.open('large-app', ['large'], 'earliest')
    const batches = await fetchRecords(session, count)
    const offsets = batches.flatMap(({ records }) => records.map(({ offset }) => offset))
    expect(offsets).toEqual(Array.from({ length: count }, (_, i) => i))
    await session.close()
  })

  it('runs a topology at-least-once, over a stop and a start', async () => {
    const log = await open()
    for (const topic of ['in', 'out']) await log.createTopic(topic, 2)
    const config = {
      'application.id': 'copy',
      'bootstrap.servers': broker.bootstrap,
      'processing.guarantee': 'at-least-once',
      'state.dir': ':memory:',
    }
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), 'in')
      .addSink('out', 'out', Produced.with(string, string), 'in')
    const reader = await log.open('copy-reader', ['out'], 'earliest')
    for (const value of ['a', 'b']) {
      const app = await run(topology, config)
      await log.append([record('in', value, { key: new TextEncoder().encode('k'), partition: -1 })])
      expect(valuesOf(await fetchRecords(reader, 1))).toEqual([value])
      await app.stop()
      expect(await app.finished).toBeUndefined()
    }
    await reader.close()
  })

  // Last: it freezes the broker.
  it('says after 5 s that a broker which hangs does not answer', async () => {
    process.kill(broker.pid, 'SIGSTOP')
    try {
      const opening = openLog({ 'bootstrap.servers': broker.bootstrap }, { clock })
      await expect(opening).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: true })
      await expect(opening).rejects.toThrow(`${broker.bootstrap} (no answer within 5 s)`)
    } finally {
      process.kill(broker.pid, 'SIGCONT')
    }
  })

  function kafkaClient() {
    const { Kafka, logLevel } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs')
    return new Kafka({ clientId: 'foreign', brokers: [broker.bootstrap], logLevel: logLevel.NOTHING })
  }

  async function transactions(transactionalId: string) {
    const producer = kafkaClient().producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 })
    await producer.connect()
    return producer
  }
})

type Session = Awaited<ReturnType<RecordLog['open']>>

/** Fetches on until the position has come to the last stable offset. */
async function untilCaughtUp(first: readonly FetchedBatch[], session: Session): Promise<FetchedBatch[]> {
  const batches = [...first]
  for (;;) {
    const last = batches.at(-1)
    if (last !== undefined && last.nextOffset === last.lastStableOffset) return batches
    batches.push(...(await session.fetch({ maxRecords: 100, maxWaitMs: 5000, paused: [] })))
  }
}
