import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CallbackContext,
  Consumed,
  Produced,
  type Record,
  Stores,
  SystemClock,
  string,
  Topology,
} from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KafkaClient } from '../src/kafka/KafkaClient.js'
import { oldestTakesAll } from '../src/kafka/oldestTakesAll.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { KafkaScene, type Names } from './kafkaScene.js'

const reason = whyNoBroker()
const clock = new SystemClock()

const first = Stores.keyValue('first', string, string)
const second = Stores.keyValue('second', string, string)

/** Keeps the last value of each key in two stores, and says how many keys the first has seen twice. */
function keeping({ from, to }: Names): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), from)
    .addProcessor(
      'keep',
      {
        stores: [first, second],
        get: () => ({
          process: ({ key, value }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
            const seen = [first, second].map((store) => ctx.store(store).get(key) !== undefined)
            for (const store of [first, second]) ctx.store(store).put(key, value)
            void ctx.forward({ key, value: seen.join() })
          },
        }),
      },
      'in',
    )
    .addSink('out', to, Produced.with(string, string), 'keep')
}

describe.skipIf(reason !== undefined)(
  `Topics that are made anew, and local state${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let broker: KafkaBroker
    let scene: KafkaScene
    let dir: string
    beforeAll(async () => {
      broker = await startKafkaBroker('--set', 'group.initial.rebalance.delay.ms=0')
      scene = await KafkaScene.open(broker.bootstrap)
      dir = await mkdtemp(join(tmpdir(), 'lanescope-topics-'))
    }, 300_000)
    afterAll(async () => {
      await scene?.close()
      await broker?.stop()
      await rm(dir, { recursive: true, force: true })
    }, 300_000)

    /** An application with state on disk that has done these keys and stopped. */
    async function worked(keys: readonly string[], config: object = {}) {
      const names = await scene.topics()
      const state = { 'state.dir': dir, ...config }
      const { app } = await scene.start(names, state, keeping(names))
      await scene.send(names.from, keys, 0)
      await scene.outputs(names.to, keys.length)
      await app.stop()
      const start = (more: object = {}) => scene.start(names, { ...state, ...more }, keeping(names))
      return { names, start }
    }

    it('[E13] knows a topic from another one that has its name', async () => {
      const log = await scene.log('traits')
      await log.createTopic('twice', 2)
      const ask = async () => (await log.traits?.(['twice', 'not-there']))?.get('twice')?.id
      const before = await ask()
      expect(before).toMatch(/^[\w-]{22}\/[\w-]{22}$/)
      expect(await ask()).toBe(before)
      await scene.makeAnew('twice', [])
      expect(await ask()).not.toBe(before)
      expect((await ask())?.split('/')[0]).toBe(before?.split('/')[0])
      expect((await log.traits?.(['not-there']))?.get('not-there')).toEqual({})
    })

    it('[E13] refuses a source topic that was made anew, though it holds more records than were read, and accepts it when told to', async () => {
      const { names, start } = await worked(['a', 'a'])
      await scene.makeAnew(names.from, ['b', 'b', 'b', 'b', 'a'])
      await expect(start()).rejects.toMatchObject({ code: 'STATE_MISMATCH', retriable: false })
      await expect(start()).rejects.toThrow(
        `${names.from}-0 was read to 2 and was made anew: it is another topic of this name, with 5 records from 0 on`,
      )
      const { app } = await start({ 'source.offset-gap': 'accept' })
      expect(await scene.outputs(names.to, 7)).toEqual(
        [
          'a false,false',
          'a true,true',
          'a true,true',
          'b false,false',
          'b true,true',
          'b true,true',
          'b true,true',
        ].sort(),
      )
      await app.stop()
      // From here on it is the topic that the positions are of.
      const again = await start()
      await again.app.stop()
      expect(await again.app.finished).toBeUndefined()
    })

    it('[E13] ends when a topic that it reads is made anew, and reads nothing of what is there now', async () => {
      const { names, start } = await worked(['a'])
      const { app } = await start({ 'metadata.max.age.ms': 500 })
      await scene.makeAnew(names.from, ['x', 'x', 'x', 'x'])
      const failure = await app.finished
      // Whether it is met while it is away or when it is there again.
      expect(['STATE_MISMATCH', 'TOPIC_MISSING']).toContain(failure?.code)
      expect((await scene.outputs(names.to, 1)).filter((output) => output.startsWith('x'))).toEqual([])
    })

    it('[E11] [E13] refuses a changelog that was deleted, because state would be lost without a word', async () => {
      const { names, start } = await worked(['a', 'b'])
      await scene.deleteTopic(`${names.id}-second-changelog`)
      await expect(start()).rejects.toMatchObject({
        code: 'STATE_MISMATCH',
        message: expect.stringMatching(
          /"app-\d+-second-changelog" was made anew since the last epoch.*what was kept in "second" is gone/,
        ),
      })
    })

    it('[E11] ends and names a changelog that is deleted while it runs, and no other topic', async () => {
      const { names, start } = await worked(['a', 'b'])
      const { app, said } = await start()
      await scene.deleteTopic(`${names.id}-second-changelog`)
      await scene.send(names.from, ['a'], 0)
      expect(await app.finished).toMatchObject({
        code: 'STATE_MISMATCH',
        message: expect.stringMatching(/^The changelog "app-\d+-second-changelog" was made anew since the last epoch/),
      })
      expect(said.filter((line) => line.includes('lanescope-epoch'))).toEqual([])
    })

    it('[E11] rebuilds the one store whose local state is older than half of its changelog’s delete.retention.ms', async () => {
      const { names, start } = await worked(['a', 'b'])
      await scene.setTopic(`${names.id}-first-changelog`, 'delete.retention.ms', '1')
      const { app, said } = await start()
      await scene.send(names.from, ['a', 'b'], 0)
      expect(await scene.outputs(names.to, 4)).toEqual(['a false,false', 'a true,true', 'b false,false', 'b true,true'])
      expect(said.filter((line) => line.startsWith('Rebuil'))).toEqual([
        expect.stringMatching(/^Rebuilds "first" from the beginning of its changelog: the local state is \d+ ms old/),
        expect.stringMatching(/^Rebuilt "first" from its changelog: 2 records/),
      ])
      await app.stop()
    })

    it('[E11] leaves local state of another cluster, though its offsets fit', async () => {
      const { names, start } = await worked(['a', 'b'])
      const other = await startKafkaBroker('--set', 'group.initial.rebalance.delay.ms=0')
      const elsewhere = await KafkaScene.open(other.bootstrap)
      try {
        await elsewhere.admin.createTopic(names.from, 2)
        await elsewhere.admin.createTopic(names.to, 2)
        const there = await elsewhere.start(names, { 'state.dir': join(dir, 'elsewhere') }, keeping(names))
        await elsewhere.send(names.from, ['c', 'd'], 0)
        await elsewhere.outputs(names.to, 2)
        await there.app.stop()
        // The folder of the first cluster's application, over the second cluster.
        const { app, said } = await elsewhere.start(names, { 'state.dir': dir }, keeping(names))
        await elsewhere.send(names.from, ['a', 'c'], 0)
        expect(await elsewhere.outputs(names.to, 4)).toEqual(
          ['a false,false', 'c false,false', 'c true,true', 'd false,false'].sort(),
        )
        expect(said.join('\n')).toMatch(
          /"first" from the beginning of its changelog: the local state is of another cluster/,
        )
        await app.stop()
        await expect(start()).resolves.toBeDefined()
      } finally {
        await elsewhere.close()
        await other.stop()
      }
    }, 300_000)

    it('[E10] begins anew in place when another member was in the group, and loses and doubles nothing', async () => {
      const names = await scene.topics()
      const { app, said } = await scene.start(names)
      await scene.send(names.from, ['a', 'b'])
      await scene.outputs(names.to, 2)
      const options = { servers: [broker.bootstrap], clientId: 'guest', codec: 'none', exactlyOnce: true } as const
      const own = await KafkaClient.connect({ ...options, transactionTimeoutMs: 10_000 }, clock, () => undefined)
      const guest = own.client.kafka.consumer({
        groupId: names.id,
        sessionTimeout: 10_000,
        partitionAssigners: [oldestTakesAll(own.client.kafkajs, 'guest')],
      })
      const joined = new Promise<unknown>((resolve) =>
        guest.on(guest.events.GROUP_JOIN, ({ payload }) => resolve(payload.memberAssignment)),
      )
      await guest.connect()
      await guest.subscribe({ topics: [names.from] })
      await guest.run({ eachBatch: async () => undefined })
      expect(await joined).toEqual({})
      const begun = new Promise<void>((resolve) =>
        app.events.on(['log'], (event) => event.type === 'log' && /restart 1 of 5/.test(event.message) && resolve()),
      )
      await scene.send(names.from, ['a'])
      await guest.disconnect()
      await scene.send(names.from, ['b'])
      await begun
      await scene.send(names.from, ['a'])
      expect(await scene.outputs(names.to, 5)).toEqual([
        'a count 1',
        'a count 2',
        'a count 3',
        'b count 1',
        'b count 2',
      ])
      expect(said.join('\n')).toMatch(/was formed anew beside member "guest-/)
      await app.stop()
      expect(await app.finished).toBeUndefined()
      await own.admin.disconnect()
    })
  },
  300_000,
)
