import { type LogAdmin, type RecordLog, SystemClock } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, openLog, run } from '../src/index.js'
import { counting } from './counting.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'

const reason = whyNoBroker()
const clock = new SystemClock()
describe.skipIf(reason !== undefined)(
  `Exactly once over Kafka${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let broker: KafkaBroker
    let admin: RecordLog & LogAdmin
    let number = 0
    const apps: App[] = []
    beforeAll(async () => {
      broker = await startKafkaBroker()
      admin = await openLog({ 'bootstrap.servers': broker.bootstrap }, { clock })
    }, 300_000)
    afterAll(async () => {
      for (const app of apps) await app.stop()
      await admin?.close()
      await broker?.stop()
    }, 300_000)

    const topics = async () => {
      const [from, to] = [`in-${++number}`, `out-${number}`]
      await admin.createTopic(from, 2)
      await admin.createTopic(to, 2)
      return { from, to, id: `app-${number}` }
    }
    const start = async ({ from, to, id }: { from: string; to: string; id: string }, more: object = {}) => {
      const app = await run(
        counting(from, to),
        {
          'application.id': id,
          'bootstrap.servers': broker.bootstrap,
          'time.mode': 'stream-time',
          'future-timestamp.guard': 'off',
          'state.dir': ':memory:',
          ...more,
        },
        { clock, report: () => undefined },
      )
      apps.push(app)
      return app
    }
    const send = (topic: string, records: readonly (readonly [string, number])[]) =>
      admin.append(
        records.map(([key, timestamp]) => ({
          topic,
          partition: -1,
          key: new TextEncoder().encode(key),
          value: new TextEncoder().encode('x'),
          timestamp,
          headers: [],
        })),
      )
    /** What a `read_committed` reader sees, once there are so many. */
    const outputs = async (topic: string, count: number) => {
      for (;;) {
        const seen: string[] = []
        for (const partition of [0, 1]) {
          const { records } = await admin.read(topic, partition, 0, 10_000)
          for (const { key, value } of records) {
            seen.push(`${new TextDecoder().decode(key ?? undefined)} ${new TextDecoder().decode(value ?? undefined)}`)
          }
        }
        if (seen.length >= count) return seen.sort()
      }
    }

    it('[E1] [E6] [T8] goes on after a stop with its counts and timers, from changelogs alone', async () => {
      const names = await topics()
      const first = await start(names)
      await send(names.from, [
        ['a', 1000],
        ['b', 1001],
        ['a', 1002],
      ])
      expect(await outputs(names.to, 3)).toEqual(['a count 1', 'a count 2', 'b count 1'])
      await first.stop()
      expect(await first.finished).toBeUndefined()
      const second = await start(names)
      await send(names.from, [
        ['a', 1003],
        ['z', 5000],
        ['y', 5000],
      ])
      expect(await outputs(names.to, 8)).toEqual([
        'a count 1',
        'a count 2',
        'a count 3',
        'a told 3',
        'b count 1',
        'b told 1',
        'y count 1',
        'z count 1',
      ])
      await second.stop()
      expect(
        (await admin.topics([`${names.id}-counts-changelog`, `${names.id}-count-timers-changelog`])).map(
          ({ partitions }) => partitions,
        ),
      ).toEqual([2, 2])
    })
  },
  300_000,
)
