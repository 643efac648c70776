import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CallbackContext,
  Consumed,
  JoinWindows,
  type LogRecord,
  minutes,
  Produced,
  type ReadOnlyWindowStore,
  type Record,
  Stores,
  StreamJoined,
  StreamsBuilder,
  SystemClock,
  string,
  Topology,
} from '@lanescope/core'
import type { Admin } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../src/index.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { KafkaScene, type Names } from './kafkaScene.js'

const reason = whyNoBroker()
const clock = new SystemClock()
const MINUTE = 60_000
const LIMIT = '3600000'
const text = (bytes: Uint8Array | null | undefined) => (bytes ? new TextDecoder().decode(bytes) : null)

/** Keeps each value for two minutes, and sends it on. */
function keeping({ from, to }: Names): Topology {
  const windows = Stores.window('windows', { retentionMs: 2 * MINUTE, windowSizeMs: 10 }, string, string)
  return new Topology()
    .addSource('in', Consumed.with(string, string), from)
    .addProcessor(
      'keep',
      {
        sameKey: true,
        stores: [windows.withLoggingEnabled({ 'min.cleanable.dirty.ratio': '0.1' })],
        get: () => ({
          process: (record: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
            if (record.value === 'bad') throw new Error('bad')
            ctx.store(windows).put(record.key, record.value, record.timestamp)
            void ctx.forward(record)
          },
        }),
      },
      'in',
    )
    .addSink('out', to, Produced.with(string, string), 'keep')
}

describe.skipIf(reason !== undefined)(
  `What stays on a real broker, and at which times${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let broker: KafkaBroker
    let scene: KafkaScene
    let admin: Admin
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'lanescope-state-'))
      broker = await startKafkaBroker()
      scene = await KafkaScene.open(broker.bootstrap)
      admin = scene.foreign().admin()
      await admin.connect()
    }, 300_000)
    afterAll(async () => {
      await scene?.close()
      await admin?.disconnect()
      await broker?.stop()
      await rm(folder, { recursive: true, force: true })
    }, 300_000)

    const sendAt = (topic: string, ...records: readonly (readonly [key: string, value: string, timestamp: number])[]) =>
      scene.admin.append(
        records.map(([key, value, timestamp]) => ({
          topic,
          partition: -1,
          key: new TextEncoder().encode(key),
          value: new TextEncoder().encode(value),
          timestamp,
          headers: [],
        })),
      )
    const records = async (topic: string, count: number): Promise<readonly LogRecord[]> => {
      for (;;) {
        const seen: LogRecord[] = []
        for (const { partition } of await admin.fetchTopicOffsets(topic)) {
          seen.push(...(await scene.admin.read(topic, partition, 0, 10_000)).records)
        }
        if (seen.length >= count) return seen
      }
    }
    const starts = async (topic: string) =>
      (await admin.fetchTopicOffsets(topic))
        .sort((a, b) => a.partition - b.partition)
        .map(({ low, high }) => [Number(low), Number(high)] as const)
    const settingsOf = async (topic: string) => {
      const { ConfigResourceTypes } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs')
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }]
      const described = await admin.describeConfigs({ includeSynonyms: false, resources })
      return Object.fromEntries(
        (described.resources[0]?.configEntries ?? []).map(({ configName, configValue }) => [configName, configValue]),
      )
    }
    const contents = (app: App) => (app.store('windows') as ReadOnlyWindowStore<string, string>).all().toArray()

    it('[E12] deletes what no window needs from changelogs, and rebuilds the same without it', async () => {
      const names = await scene.topics()
      const changelog = `${names.id}-windows-changelog`
      const config = { 'state.dir': folder }
      const first = await scene.start(names, config, keeping(names))
      const from = clock.now() - 3_000_000
      const at = (i: number) => Math.floor(from / MINUTE) * MINUTE + i * MINUTE
      for (let i = 0; i < 12; i++) {
        await sendAt(names.from, ...['a', 'b', 'c', 'd'].map((key) => [key, `${i}`, at(i)] as const))
        await records(names.to, 4 * (i + 1))
      }
      // Each epoch has a marker behind its records, which the engine does not count: it hears of them when it deletes.
      for (;;) {
        const found = await starts(changelog)
        if (found.every(([low, high]) => low > high / 2)) break
        await clock.yield()
      }
      await expect
        .poll(() => settingsOf(changelog), { timeout: 60_000 })
        .toMatchObject({
          'cleanup.policy': 'compact,delete',
          'retention.ms': '-1',
          'min.cleanable.dirty.ratio': '0.1',
        })
      const before = await contents(first.app)
      expect(before.map(([{ window }]) => window.start)).toEqual(expect.arrayContaining([at(10), at(11)]))
      await first.app.stop()
      await rm(join(folder, names.id), { recursive: true })
      const second = await scene.start(names, config, keeping(names))
      expect(await contents(second.app)).toEqual(before)
      await sendAt(names.from, ['a', 'more', at(12)])
      await records(names.to, 49)
      await second.app.stop()
      expect(second.said.filter((line) => line.includes('could not be deleted'))).toEqual([])
      // And by the state on disk, with the same end.
      const third = await scene.start(names, config, keeping(names))
      expect((await contents(third.app)).filter(([{ window }]) => window.start === at(12))).toHaveLength(1)
      expect(third.said.filter((line) => line.includes('from the beginning'))).toEqual([])
      await third.app.stop()
    }, 300_000)

    it('[E9] [E12] deletes epoch records that others have followed', async () => {
      const names = await scene.topics()
      const epochs = `${names.id}-lanescope-epoch-changelog`
      const { app } = await scene.start(names)
      for (let i = 0; i < 6; i++) {
        await scene.send(names.from, ['a'])
        await records(names.to, i + 1)
      }
      while (((await starts(epochs))[0]?.[0] ?? 0) === 0) {
        await scene.send(names.from, ['a'])
        await clock.yield()
      }
      await expect
        .poll(() => settingsOf(epochs), { timeout: 60_000 })
        .toMatchObject({ 'cleanup.policy': 'compact,delete', 'retention.ms': '-1' })
      await app.stop()
      const again = await scene.start(names)
      expect(again.said.filter((line) => !line.startsWith('Rebuilt'))).toEqual([])
      await again.app.stop()
    }, 300_000)

    it('[E12] [G-40] makes the changelogs of join buffers `delete` alone', async () => {
      const names = await scene.topics()
      const builder = new StreamsBuilder()
      builder
        .stream(names.from, Consumed.with(string, string))
        .join(
          builder.stream('others', Consumed.with(string, string)),
          (left, right) => left + right,
          JoinWindows.ofTimeDifferenceWithNoGrace(minutes(1)),
          StreamJoined.with(string, string, string).withStoreName('pairs'),
        )
        .to(names.to, Produced.with(string, string))
      await scene.admin.createTopic('others', 2)
      const { app } = await scene.start(names, {}, builder.build())
      const made = (await admin.listTopics()).filter((topic) => topic.startsWith(`${names.id}-pairs`))
      expect(made).toHaveLength(2)
      for (const topic of made) {
        await expect
          .poll(() => settingsOf(topic), { timeout: 60_000 })
          .toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '-1' })
      }
      await app.stop()
    }, 300_000)

    describe('[F6] a record of the far future, where nobody looks', () => {
      const FAR = clock.now() + 10 * 365 * 24 * 60 * MINUTE
      const takesAny = [{ name: 'message.timestamp.after.max.ms', value: '9223372036854775807' }]
      const scenery = async () => {
        const names = await scene.topics()
        const [from, dead] = [`any-${names.id}`, `dead-${names.id}`]
        await scene.makeTopics(
          { topic: from, numPartitions: 1, configEntries: takesAny },
          {
            topic: dead,
            numPartitions: 1,
            configEntries: [{ name: 'message.timestamp.after.max.ms', value: LIMIT }],
          },
        )
        return { names: { ...names, from }, dead }
      }

      it('is refused alone by an output that would not take it, and its state commits with the rest', async () => {
        const { names, dead } = await scenery()
        const { app, said } = await scene.start(
          names,
          { 'errors.dead.letter.queue.topic.name': dead, 'production.exception.handler': 'continue' },
          keeping(names),
        )
        const now = clock.now()
        await sendAt(names.from, ['a', 'before', now], ['b', 'far', FAR], ['c', 'behind', FAR + 1], ['d', 'now', now])
        const sent = await records(names.to, 2)
        expect(sent.map(({ value }) => text(value)).sort()).toEqual(['before', 'now'])
        const letters = await records(dead, 2)
        expect(letters.map(({ value }) => text(value)).sort()).toEqual(['behind', 'far'])
        for (const { timestamp, headers, value } of letters) {
          expect(Math.abs(timestamp - now)).toBeLessThan(10 * MINUTE)
          const own = headers.find(({ key }) => key === '__lanescope.errors.timestamp')?.value
          expect(text(own)).toBe(String(text(value) === 'far' ? FAR : FAR + 1))
        }
        expect((await contents(app)).map(([{ key }, value]) => [key, value])).toEqual([
          ['b', 'far'],
          ['c', 'behind'],
        ])
        expect(said.filter((line) => line.startsWith('aborted'))).toEqual([])
        await app.stop()
      }, 300_000)

      it('has a dead letter that its topic takes, when a processor refuses it', async () => {
        const { names, dead } = await scenery()
        const { app, said } = await scene.start(
          names,
          { 'errors.dead.letter.queue.topic.name': dead, 'processing.exception.handler': 'continue' },
          keeping(names),
        )
        const now = clock.now()
        await sendAt(names.from, ['a', 'bad', now], ['b', 'bad', FAR])
        const [near, far] = (await records(dead, 2)).toSorted((a, b) => a.offset - b.offset)
        expect([near?.timestamp, near?.headers.some(({ key }) => key.startsWith('__lanescope'))]).toEqual([now, false])
        expect(Math.abs((far?.timestamp ?? 0) - now)).toBeLessThan(10 * MINUTE)
        expect(text(far?.headers.find(({ key }) => key === '__lanescope.errors.timestamp')?.value)).toBe(String(FAR))
        expect(said.filter((line) => line.startsWith('aborted'))).toEqual([])
        await app.stop()
      }, 300_000)
    })

    it('[E12] says why the broker does not delete', async () => {
      const names = await scene.topics()
      await scene.makeTopics(
        { topic: 'kept', numPartitions: 1, configEntries: [{ name: 'cleanup.policy', value: 'compact' }] },
        { topic: 'cut', numPartitions: 2, configEntries: [{ name: 'cleanup.policy', value: 'compact,delete' }] },
      )
      const log = await scene.log(names.id)
      await sendAt('kept', ['a', '1', 1], ['a', '2', 2])
      await expect(log.internal?.deleteBelow('kept', [1])).rejects.toThrow(/policy/i)
      await sendAt('cut', ['a', '1', 1], ['a', '2', 2], ['a', '3', 3])
      const [first = 0, second = 0] = (await starts('cut')).map(([, end]) => end)
      const [at, end] = first > 0 ? [0, first] : [1, second]
      const offsets = (offset: number) => (at === 0 ? [offset, 0] : [0, offset])
      await log.internal?.deleteBelow('cut', offsets(2))
      await log.internal?.deleteBelow('cut', offsets(1))
      expect((await starts('cut'))[at]).toEqual([2, end])
      // Past the end is up to the end.
      await log.internal?.deleteBelow('cut', offsets(100))
      expect((await starts('cut'))[at]).toEqual([end, end])
    }, 300_000)

    it('[E12] sets the changelog of an earlier version right that was compacted alone', async () => {
      const names = await scene.topics()
      const topic = `${names.id}-windows-changelog`
      const configEntries = [
        { name: 'cleanup.policy', value: 'compact' },
        { name: 'segment.bytes', value: '1048576' },
        { name: 'message.timestamp.type', value: 'LogAppendTime' },
      ]
      await scene.makeTopics({ topic, numPartitions: 2, configEntries })
      const { app } = await scene.start(names, {}, keeping(names))
      await expect
        .poll(() => settingsOf(topic), { timeout: 60_000 })
        .toMatchObject({
          'cleanup.policy': 'compact,delete',
          'retention.ms': '-1',
          'message.timestamp.type': 'CreateTime',
          'message.timestamp.after.max.ms': '9223372036854775807',
          'segment.bytes': '1048576',
        })
      await app.stop()
    }, 300_000)
  },
)
