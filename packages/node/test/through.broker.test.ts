import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Consumed, Materialized, Produced, StreamsBuilder, SystemClock, string, type Topology } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetApplication } from '../src/main/resetApplication.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { KafkaScene, type Names } from './kafkaScene.js'

const reason = whyNoBroker()

/** Counts by the first letter of a key, re-keyed through a topic. */
function byLetter({ from, to }: Names, mid: string): Topology {
  const builder = new StreamsBuilder()
  builder
    .stream(from, Consumed.with(string, string, { nulls: 'drop' }))
    .selectKey((key) => key.charAt(0))
    .through(mid, Produced.with(string, string))
    .groupByKey()
    .count(Materialized.as('letters'))
    .toStream()
    .mapValues((count) => String(count))
    .to(to, Produced.with(string, string))
  return builder.build()
}

describe.skipIf(reason !== undefined)(`Through a topic of Kafka${reason === undefined ? '' : ` (${reason})`}`, () => {
  let broker: KafkaBroker
  let scene: KafkaScene
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanescope-through-'))
    broker = await startKafkaBroker()
    scene = await KafkaScene.open(broker.bootstrap)
  }, 300_000)
  afterAll(async () => {
    await scene?.close()
    await broker?.stop()
    await rm(folder, { recursive: true, force: true })
  }, 300_000)

  it('[E1] each record goes through once, over restarts in the middle', async () => {
    const names = await scene.topics()
    const mid = `mid-${names.id}`
    await scene.admin.createTopic(mid, 2)
    const words = ['apple', 'bear', 'ant', 'cat', 'bee', 'ape']
    const expected: string[] = []
    for (let round = 0; round < 3; round++) {
      const { app, said } = await scene.start(names, {}, byLetter(names, mid))
      await scene.send(names.from, words)
      for (const word of words) {
        const letter = word.charAt(0)
        expected.push(`${letter} ${expected.filter((line) => line.startsWith(letter)).length + 1}`)
      }
      // In the middle: what is in the topic between has not been counted yet, or is being counted.
      if (round === 1) await scene.outputs(mid, 6 * round + 1)
      else await scene.outputs(names.to, expected.length)
      await app.stop()
      expect(said.filter((line) => line.startsWith('aborted'))).toEqual([])
    }
    expect(await scene.outputs(names.to, expected.length)).toEqual([...expected].sort())
    expect(await scene.outputs(mid, 18)).toHaveLength(18)
    // Set back, it does all of it again, once: what the topic in the middle held is written anew.
    const said: string[] = []
    const config = { 'application.id': names.id, 'bootstrap.servers': broker.bootstrap, 'state.dir': folder }
    await resetApplication(byLetter(names, mid), config, {
      clock: new SystemClock(),
      report: (_, message) => said.push(message),
    })
    expect(said.join()).toContain(`the beginning of ${names.from}.`)
    expect(said.join()).toContain(`at the end of ${mid},`)
    const { app } = await scene.start(names, {}, byLetter(names, mid))
    expect(await scene.outputs(names.to, 2 * expected.length)).toEqual([...expected, ...expected].sort())
    expect(await scene.outputs(mid, 36)).toHaveLength(36)
    await app.stop()
  }, 300_000)

  it('a missing topic is told before anything starts', async () => {
    const names = await scene.topics()
    const start = scene.start(names, {}, byLetter(names, 'nowhere'))
    await expect(start).rejects.toMatchObject({ code: 'TOPIC_MISSING', context: { topic: 'nowhere' } })
  })
})
