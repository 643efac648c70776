import { readFile, writeFile } from 'node:fs/promises'
import { StreamError, SystemClock } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withRetries } from '../src/kafka/withRetries.js'
import { api, type Fate, KafkaProxy } from './KafkaProxy.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { KafkaScene } from './kafkaScene.js'

const reason = whyNoBroker()
const clock = new SystemClock()
const NOT_COORDINATOR = 16
const GROUP = 'fence-app'

/* Each of these is a way in which kafkajs breaks exactly-once; each test fails without what is done about it. */
describe.skipIf(reason !== undefined)(
  `A network that breaks${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let broker: KafkaBroker
    let proxy: KafkaProxy
    let scene: KafkaScene
    beforeAll(async () => {
      proxy = await KafkaProxy.open()
      broker = await startKafkaBroker('--set', `advertised.listeners=PLAINTEXT://${proxy.bootstrap}`)
      proxy.connectTo(broker.bootstrap)
      scene = await KafkaScene.open(proxy.bootstrap)
    }, 300_000)
    afterAll(async () => {
      await scene?.close()
      proxy?.close()
      await broker?.stop()
    }, 300_000)

    const aCommit = async (fate: Fate, lostTwice: (id: string) => Promise<void>, request: number = api.endTxn) => {
      const names = await scene.topics()
      const { said } = await scene.start(names)
      await scene.send(names.from, ['a'])
      await scene.outputs(names.to, 1)
      // Not the first epoch, so that there is the record of another one to be told from its own.
      const broken = proxy.once(request, fate).then(() => lostTwice(names.id))
      await scene.send(names.from, ['b', 'a'])
      await broken
      await scene.send(names.from, ['a'])
      expect(await scene.outputs(names.to, 4)).toEqual(['a count 1', 'a count 2', 'a count 3', 'b count 1'])
      return said.filter((line) => line.startsWith('aborted'))
    }

    it.each(['lose-answer', 'lose-request'] as const)(
      '[E9] asks again for a commit whose answer is lost: %s',
      async (fate) => {
        expect(await aCommit(fate, async () => undefined)).toEqual([])
      },
    )

    it.each(['produce', 'addPartitionsToTxn', 'addOffsetsToTxn', 'txnOffsetCommit'] as const)(
      '[E1] [E9] neither loses nor doubles an epoch when the answer of %s is lost',
      async (request) => {
        expect(await aCommit('lose-answer', async () => undefined, api[request])).toEqual([])
      },
    )

    it.each([
      ['counts, where the answer was lost', 'lose-answer'],
      ['does not count, where the request was lost', 'lose-request'],
    ] as const)('[E9] finds out that a commit of a producer that was replaced %s', async (_, fate) => {
      const replaced = (transactionalId: string) =>
        proxy.once(api.endTxn, 'pass', async () => {
          const other = scene.foreign().producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 })
          await other.connect()
          await other.transaction()
          await other.disconnect()
        })
      expect(await aCommit(fate, replaced)).toHaveLength(1)
    })

    it('[E13] reads nothing of a topic that was deleted and made anew between two fetches', async () => {
      const names = await scene.topics()
      const { app } = await scene.start(names)
      await scene.send(names.from, ['a', 'a'], 0)
      await scene.outputs(names.to, 2)
      let goOn: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      proxy.fate = async (key): Promise<Fate> => {
        if (key === api.fetch) await held
        return 'pass'
      }
      // It holds what was to be read next.
      await scene.makeAnew(names.from, ['x', 'x', 'x', 'x'])
      proxy.fate = () => 'pass'
      goOn()
      // A start in place says it in other words, where somebody has noticed before the next fetch that the topic is gone.
      const anew = [
        `^Topic "${names.from}" on .* was made anew while it was read`,
        `${names.from}-\\d was .* and was made anew`,
      ]
      const words = new RegExp(anew.join('|'))
      expect(await app.finished).toMatchObject({ code: 'STATE_MISMATCH', message: expect.stringMatching(words) })
      expect(await scene.outputs(names.to, 2)).toEqual(['a count 1', 'a count 2'])
    })

    it('does not take a topic for missing because another one that was sent to before is gone', async () => {
      const log = await scene.log('writer')
      const record = { partition: 0, key: null, value: null, timestamp: clock.now(), headers: [] }
      await log.createTopic('here', 1)
      await log.createTopic('gone', 1)
      await log.append([{ topic: 'gone', ...record }])
      await scene.deleteTopic('gone')
      expect(await log.append([{ topic: 'here', ...record }])).toEqual([{ partition: 0, offset: 0 }])
      await expect(log.append([{ topic: 'gone', ...record }])).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
    })

    it('[E4] knows when a broker that is gone answers again, and asks no more once it is closed', async () => {
      const [log, closed] = [await scene.log('reached'), await scene.log('closed')]
      await log.reached?.()
      const told: string[] = []
      let reached: Promise<unknown> = Promise.resolve()
      await broker.restart(async () => {
        reached = Promise.all([
          log.reached?.().then(() => told.push('reached')),
          closed.reached?.().then(() => told.push('closed')),
        ])
        // More than a try of each.
        await new Promise<void>((resolve) => clock.after(3_000, resolve))
        expect(told).toEqual([])
        await closed.close()
        while (told.length === 0) await new Promise<void>((resolve) => clock.after(50, resolve))
        expect(told).toEqual(['closed'])
      })
      await reached
      expect(told).toEqual(['closed', 'reached'])
    })

    it('names a topic that was deleted while it was read, and says so', async () => {
      const names = await scene.topics()
      const { app, said } = await scene.start(names)
      await scene.send(names.from, ['a'], 0)
      await scene.outputs(names.to, 1)
      const admin = scene.foreign().admin()
      await admin.connect()
      await admin.deleteTopics({ topics: [names.from] })
      const failure = await app.finished
      expect(failure).toMatchObject({ code: 'TOPIC_MISSING', context: { topic: names.from } })
      for (const told of [failure?.message, ...said.filter((line) => line.startsWith('aborted'))]) {
        expect(told).toMatch(new RegExp(`Topic "${names.from}" was deleted`))
        expect(told).not.toMatch(/before the run|create it first/)
      }
      await admin.disconnect()
    })

    it('[E1] reads the positions only once an open transaction can move them no more', async () => {
      const log = await scene.log('fence')
      await log.createTopic('fence', 1)
      await scene.send(
        'fence',
        Array.from({ length: 30 }, () => 'k'),
      )
      const before = scene.foreign().producer({ transactionalId: GROUP, idempotent: true, maxInFlightRequests: 1 })
      await before.connect()
      const commitTo = async (offset: string) => {
        const transaction = await before.transaction()
        const topics = [{ topic: 'fence', partitions: [{ partition: 0, offset }] }]
        // The broker wants to be asked again until the last transaction's markers are written.
        await withRetries(clock, () => transaction.sendOffsets({ consumerGroupId: GROUP, topics }))
        return transaction
      }
      await (await commitTo('10')).commit()
      const open = await commitTo('20')
      // It still gets its commit in, at the last moment before the fence.
      void proxy.once(api.initProducerId, 'pass', () => open.commit())
      const session = await log.open(GROUP, ['fence'], 'earliest')
      expect(session.assignment).toMatchObject([{ topic: 'fence', partition: 0, offset: 20, done: [] }])
      await session.close()
      await before.disconnect()
    })

    it('[E5] takes nothing from an instance that was replaced, and shows nothing of it', async () => {
      const [old, next] = [await scene.log('old'), await scene.log('next')]
      await old.createTopic('replaced', 1)
      await scene.send('replaced', ['k', 'k'])
      const output = (value: string) => ({
        topic: 'replaced',
        partition: 0,
        key: null,
        value: new TextEncoder().encode(value),
        timestamp: clock.now(),
        headers: [],
      })
      const at = (offset: number) => [{ topic: 'replaced', partition: 0, offset, done: [] }]
      const first = await old.open('replaced-app', ['replaced'], 'earliest')
      await first.commit({ epoch: 1, outputs: [output('one')], positions: at(1) })
      // The one that takes over does not come through the group, which would tell the first one.
      const foreign = scene.foreign().producer({ transactionalId: 'replaced-app', idempotent: true })
      await foreign.connect()
      const transaction = await foreign.transaction()
      const late = first.commit({ epoch: 2, outputs: [output('late')], positions: at(2) })
      await expect(late).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: true })
      await expect(late).rejects.toThrow(/another instance has taken over/)
      // For good, and not until it tries again.
      await expect(first.commit({ epoch: 2, outputs: [output('late')], positions: at(2) })).rejects.toThrow(StreamError)
      await transaction.abort()
      await foreign.disconnect()
      await first.close()
      const { records } = await next.read('replaced', 0, 2, 10)
      expect(records.map(({ value }) => new TextDecoder().decode(value ?? undefined))).toEqual(['one'])
      const second = await next.open('replaced-app', ['replaced'], 'earliest')
      expect(second.assignment).toMatchObject([{ offset: 1 }])
      await second.close()
    })

    it('[E1] sends the positions again when the coordinator is another one by then', async () => {
      const names = await scene.topics()
      const { said } = await scene.start(names)
      let refusals = 0
      proxy.fate = (apiKey) => {
        if (apiKey !== api.txnOffsetCommit || refusals === 3) return 'pass'
        refusals++
        return (answer) => refuseAll(answer, names.from)
      }
      await scene.send(names.from, ['a', 'b'])
      expect(await scene.outputs(names.to, 2)).toEqual(['a count 1', 'b count 1'])
      proxy.fate = () => 'pass'
      expect(refusals).toBe(3)
      expect(said.filter((line) => line.startsWith('aborted'))).toEqual([])
    })

    it('neither loses nor doubles what is sent at once while an answer is lost, also without key', async () => {
      const log = await scene.log('sender')
      await log.createTopic('sent', 2)
      const values = Array.from({ length: 9 }, (_, i) => `value ${i}`)
      const [first, ...others] = values.map((value) => ({
        topic: 'sent',
        partition: -1,
        key: null,
        value: new TextEncoder().encode(value),
        timestamp: clock.now(),
        headers: [],
      }))
      // All then go through the producer that this one makes.
      await log.append(first === undefined ? [] : [first])
      const lost = proxy.once(api.produce, 'lose-answer')
      await Promise.all(others.map((record) => log.append([record])))
      await lost
      const seen = [...(await log.read('sent', 0, 0, 100)).records, ...(await log.read('sent', 1, 0, 100)).records]
      expect(seen.map(({ value }) => new TextDecoder().decode(value ?? undefined)).sort()).toEqual(values)
    })

    it('[G4] sends an epoch that is larger than a batch may be in several', async () => {
      const log = await scene.log('large')
      await log.createTopic('big', 1)
      const session = await log.open('big-app', ['big'], 'earliest')
      const outputs = Array.from({ length: 20 }, (_, i) => ({
        topic: 'big',
        partition: 0,
        key: null,
        value: new Uint8Array(100_000).fill(i),
        timestamp: clock.now(),
        headers: [],
      }))
      await session.commit({ epoch: 1, outputs, positions: [] })
      const { records } = await log.read('big', 0, 0, 100)
      expect(records.map(({ value }) => value?.[0])).toEqual(outputs.map((_, i) => i))
      await session.close()
    })

    // Last: it damages what the others have written.
    it('[E11] names topic, partition and offset of a batch that was damaged on disk', async () => {
      const log = await scene.log('reader')
      await log.createTopic('damaged', 1)
      for (const key of ['one', 'two', 'three']) await scene.send('damaged', [key])
      await broker.restart(async () => {
        const file = `${broker.dir}/data/damaged-0/00000000000000000000.log`
        const bytes = await readFile(file)
        const index = bytes.indexOf('two')
        bytes[index] = (bytes[index] as number) ^ 1
        await writeFile(file, bytes)
      })
      const session = await log.open('damaged-app', ['damaged'], 'earliest')
      const keys: string[] = []
      const reading = async () => {
        for (;;) {
          const batches = await session.fetch({ maxRecords: 10, maxWaitMs: 1000, paused: [] })
          for (const { key } of batches.flatMap(({ records }) => records)) keys.push(Buffer.from(key ?? []).toString())
        }
      }
      await expect(reading()).rejects.toMatchObject({
        code: 'LOG_CORRUPT',
        retriable: false,
        context: { topic: 'damaged', partition: 0, offset: 1 },
      })
      expect(keys).toEqual(['one'])
      await session.close()
    })
  },
  300_000,
)

/** Puts an error in place of every answer of a TxnOffsetCommit that names one topic. */
function refuseAll(answer: Buffer, topic: string): void {
  const partitions = answer.indexOf(topic) + topic.length
  const count = answer.readInt32BE(partitions)
  for (let i = 0; i < count; i++) answer.writeInt16BE(NOT_COORDINATOR, partitions + 4 + i * 6 + 4)
}
