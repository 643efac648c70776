import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Consumed, Produced, type StreamError, SystemClock, string, Topology } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { counting } from './counting.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { KafkaScene } from './kafkaScene.js'

const reason = whyNoBroker()
const clock = new SystemClock()
/** Kafka's number for a topic's settings. */
const TOPIC = 2

describe.skipIf(reason !== undefined)(
  `One instance, and its topics${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let broker: KafkaBroker
    let scene: KafkaScene
    beforeAll(async () => {
      broker = await startKafkaBroker('--set', 'group.initial.rebalance.delay.ms=500')
      scene = await KafkaScene.open(broker.bootstrap)
    }, 300_000)
    afterAll(async () => {
      await scene?.close()
      await broker?.stop()
    }, 300_000)

    it('[E5] gives everything to the first of two that start at once, and tells the other who has it', async () => {
      const [one, two] = [await scene.log('one'), await scene.log('two')]
      await one.createTopic('both', 3)
      const opened = await Promise.allSettled([one, two].map((log) => log.open('both-app', ['both'], 'earliest')))
      const won = opened.filter((result) => result.status === 'fulfilled')
      const lost = opened.filter((result) => result.status === 'rejected')
      expect([won.length, lost.length]).toEqual([1, 1])
      const holder = opened[0]?.status === 'fulfilled' ? 'one' : 'two'
      expect(lost[0]?.reason).toMatchObject({ code: 'LOG_LOCKED', retriable: false })
      expect(String(lost[0]?.reason)).toContain(`client "${holder}" on `)
      // Whoever is refused has left, and is no company for the other.
      const admin = scene.foreign().admin()
      await admin.connect()
      expect((await admin.describeGroups(['both-app'])).groups[0]?.members).toHaveLength(1)
      await admin.disconnect()
      // It was not fenced, and keeps its partitions.
      const session = won[0]?.value
      await session?.commit({
        epoch: 1,
        outputs: [],
        positions: [{ topic: 'both', partition: 0, offset: 0, done: [] }],
      })
      await session?.fetch({ maxRecords: 1, maxWaitMs: 2000, paused: [] })
      await session?.close()
    })

    it('[E5] [E6] ends one that was frozen and replaced, which fences nobody and writes nothing more', async () => {
      const { from, to, id } = await scene.topics()
      const dir = await mkdtemp(join(tmpdir(), 'lanescope-frozen-'))
      const start = (state: string) => {
        const file = fileURLToPath(new URL('frozenApp.mjs', import.meta.url))
        const child = spawn(process.execPath, [file, broker.bootstrap, id, from, to, join(dir, state)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
      }
      const [first, second] = [start('first'), undefined as ReturnType<typeof start> | undefined]
      let next = second
      try {
        expect((await first.lines.next()).value).toBe('running')
        await scene.send(from, ['a', 'b', 'c'])
        expect(await scene.outputs(to, 3)).toHaveLength(3)
        first.child.kill('SIGSTOP')
        await scene.send(from, ['d', 'e'])
        next = start('second')
        expect((await next.lines.next()).value).toBe('running')
        expect(await scene.outputs(to, 5)).toHaveLength(5)
        const admin = scene.foreign().admin()
        await admin.connect()
        const members = async () =>
          (await admin.describeGroups([id])).groups[0]?.members.map(({ memberId }) => memberId)
        const holder = await members()
        first.child.kill('SIGCONT')
        await scene.send(from, ['f', 'g', 'h'])
        const end = JSON.parse((await first.lines.next()).value ?? 'null')
        expect(end).toMatchObject({ code: 'LOG_LOCKED' })
        expect(end.message).toMatch(new RegExp(`client "${id}-[0-9a-f-]+" on `))
        await scene.send(from, ['i'])
        expect(await scene.outputs(to, 9)).toEqual([...'abcdefghi'].map((key) => `${key} x`))
        expect(next.child.exitCode).toBeNull()
        // The one that woke has not been beside it in the group: for that it would have begun anew, and left its place.
        expect(holder).toHaveLength(1)
        expect(await members()).toEqual(holder)
        await admin.disconnect()
      } finally {
        for (const { child } of [first, ...(next === undefined ? [] : [next])]) {
          if (child.exitCode !== null || child.signalCode !== null) continue
          child.kill('SIGKILL')
          await once(child, 'exit')
        }
        await rm(dir, { recursive: true, force: true })
      }
    }, 300_000)

    it('[E10] joins again when the group has lost it, and goes on where it was', async () => {
      const names = await scene.topics()
      const { app } = await scene.start(names)
      await scene.send(names.from, ['a', 'b'])
      await scene.outputs(names.to, 2)
      // Somebody may have been the application meanwhile, as far as it can know.
      const anew = new Promise<void>((resolve) =>
        app.events.on(
          ['log'],
          (event) =>
            event.type === 'log' && /formed anew after it had lost its member/.test(event.message) && resolve(),
        ),
      )
      const kafka = scene.foreign()
      const admin = kafka.admin()
      await admin.connect()
      const memberIn = async () => (await admin.describeGroups([names.id])).groups[0]?.members[0]?.memberId
      const before = await memberIn()
      const { leaveGroup } = await import('../src/kafka/leaveGroup.js')
      const { KafkaClient } = await import('../src/kafka/KafkaClient.js')
      const options = { servers: [broker.bootstrap], clientId: 'x', codec: 'none', exactlyOnce: true } as const
      const own = await KafkaClient.connect({ ...options, transactionTimeoutMs: 10_000 }, clock, () => undefined)
      await leaveGroup(own.client.kafka, names.id, before ?? '')
      await scene.send(names.from, ['a', 'c'])
      for (let now = before; now === before || now === undefined; ) now = await memberIn()
      await anew
      await scene.send(names.from, ['a'])
      expect(await scene.outputs(names.to, 5)).toEqual([
        'a count 1',
        'a count 2',
        'a count 3',
        'b count 1',
        'c count 1',
      ])
      await app.stop()
      expect(await app.finished).toBeUndefined()
      await own.admin.disconnect()
      await admin.disconnect()
    })

    it('[E13] refuses to go on where records were deleted unread, or a topic was made anew, unless that is accepted', async () => {
      const names = await scene.topics()
      const copy = new Topology()
        .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), names.from)
        .addSink('out', names.to, Produced.with(string, string), 'in')
      const first = await scene.start(names, {}, copy)
      await scene.send(names.from, ['a', 'a'], 0)
      await scene.outputs(names.to, 2)
      await first.app.stop()
      await scene.send(names.from, ['lost', 'lost', 'kept'], 0)
      const admin = scene.foreign().admin()
      await admin.connect()
      // It knows only topics that it was asked for before.
      await admin.fetchTopicOffsets(names.from)
      await admin.deleteTopicRecords({ topic: names.from, partitions: [{ partition: 0, offset: '4' }] })
      await expect(scene.start(names, {}, copy)).rejects.toMatchObject({ code: 'STATE_MISMATCH', retriable: false })
      await expect(scene.start(names, {}, copy)).rejects.toThrow(
        `${names.from}-0 was read to 2 and begins at 4: 2 records in between are deleted`,
      )
      const accepting = await scene.start(names, { 'source.offset-gap': 'accept' }, copy)
      expect(await scene.outputs(names.to, 3)).toEqual(['a x', 'a x', 'kept x'])
      // While it runs: nothing is committed beside the epochs, and the restart goes on at the beginning.
      await scene.makeAnew(names.from, ['anew'])
      expect(await scene.outputs(names.to, 4)).toContain('anew x')
      await accepting.app.stop()
      await admin.disconnect()
    })

    it('[E13] ends when what it has to read next is deleted, and commits no other position on its own', async () => {
      const log = await scene.log('cut')
      await log.createTopic('cut', 1)
      const session = await log.open('cut-app', ['cut'], 'earliest')
      const kafka = scene.foreign()
      const [admin, holder] = [kafka.admin(), kafka.producer({ transactionalId: 'cut-holder', idempotent: true })]
      await Promise.all([admin.connect(), holder.connect()])
      // An open transaction keeps the reader before its first record.
      const transaction = await holder.transaction()
      await transaction.send({ topic: 'cut', messages: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] })
      await admin.fetchTopicOffsets('cut')
      await admin.deleteTopicRecords({ topic: 'cut', partitions: [{ partition: 0, offset: '2' }] })
      const failure = await untilError(session)
      expect(failure).toMatchObject({ code: 'STATE_MISMATCH', retriable: false })
      expect(failure.message).toContain('does not hold "cut" partition 0 at 0')
      const [committed] = await admin.fetchOffsets({ groupId: 'cut-app', topics: ['cut'] })
      expect(committed?.partitions.map(({ offset }) => offset)).toEqual(['-1'])
      await transaction.abort()
      await session.close()
      await Promise.all([admin.disconnect(), holder.disconnect()])
    })

    it('[E13] ends with a clear error when one of its topics is deleted, and does not spin', async () => {
      const names = await scene.topics()
      const log = await scene.log('deleted')
      const session = await log.open('deleted-app', [names.from, names.to], 'earliest')
      await scene.deleteTopic(names.to)
      const failure = await untilError(session)
      expect(failure).toMatchObject({ code: 'TOPIC_MISSING' })
      expect(String(failure)).toContain(`"${names.to}"`)
      await session.close()
    })

    it('[E13] reads a partition that a topic gets later from its beginning, also after a start at the latest', async () => {
      const names = await scene.topics()
      const config = { 'auto.offset.reset': 'latest' }
      await scene.send(names.from, ['before'], 0)
      const first = await scene.start(names, config)
      await scene.send(names.from, ['a'], 0)
      expect(await scene.outputs(names.to, 1)).toEqual(['a count 1'])
      await first.app.stop()
      await scene.addPartitions(names.from, 3)
      await scene.send(names.from, ['b'], 2)
      const second = await scene.start(names, config)
      expect(await scene.outputs(names.to, 2)).toEqual(['a count 1', 'b count 1'])
      await second.app.stop()
    })

    it('[F6] sets what an internal topic has to have, and leaves the rest of its settings', async () => {
      const names = await scene.topics()
      const topic = `${names.id}-counts-changelog`
      const admin = scene.foreign().admin()
      await admin.connect()
      const configEntries = [
        { name: 'message.timestamp.type', value: 'LogAppendTime' },
        { name: 'segment.ms', value: '12345678' },
      ]
      await scene.makeTopics({ topic, numPartitions: 2, configEntries })
      const { app } = await scene.start(names)
      await app.stop()
      const { resources } = await admin.describeConfigs({
        resources: [{ type: TOPIC, name: topic }],
        includeSynonyms: false,
      })
      const valueOf = (name: string) =>
        resources[0]?.configEntries.find(({ configName }) => configName === name)?.configValue
      expect(
        ['message.timestamp.type', 'message.timestamp.after.max.ms', 'cleanup.policy', 'segment.ms'].map(valueOf),
      ).toEqual(['CreateTime', '9223372036854775807', 'compact', '12345678'])
      await admin.disconnect()
    })

    it('[P3] [E13] reads topics that are made later, and new partitions, from their beginning while it runs', async () => {
      const names = await scene.topics()
      const topology = counting(new RegExp(`^${names.from}(-|$)`), names.to)
      const config = { 'auto.offset.reset': 'latest', 'metadata.max.age.ms': 500 }
      const { app } = await scene.start(names, config, topology)
      await scene.send(names.from, ['a'])
      await scene.outputs(names.to, 1)
      await scene.admin.createTopic(`${names.from}-more`, 2)
      await scene.send(`${names.from}-more`, ['a', 'b'])
      expect(await scene.outputs(names.to, 3)).toEqual(['a count 1', 'a count 2', 'b count 1'])
      await scene.addPartitions(names.from, 3)
      await scene.send(names.from, ['c'], 2)
      expect(await scene.outputs(names.to, 4)).toContain('c count 1')
      await app.stop()
      expect(await app.finished).toBeUndefined()
    })
  },
  300_000,
)

async function untilError(session: { fetch(request: object): Promise<unknown> }): Promise<StreamError> {
  for (;;) {
    try {
      await session.fetch({ maxRecords: 10, maxWaitMs: 1000, paused: [] })
    } catch (error) {
      return error as StreamError
    }
  }
}
