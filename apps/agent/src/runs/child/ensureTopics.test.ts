import { EmbeddedLog, type LogAdmin, MemoryLogStorage, type RecordLog, SystemClock } from '@lanescope/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureTopics } from './ensureTopics.js'

let log: EmbeddedLog

beforeEach(async () => {
  log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock: new SystemClock() })
  await log.createTopic('there', 3)
})

const names = async () => (await log.listTopics()).map(({ topic, partitions }) => `${topic}/${partitions}`).sort()
const wanted = [
  { topic: 'there', partitions: 9 },
  { topic: 'in', partitions: 2 },
  { topic: 'out', partitions: 4 },
]

/** The same log, as Kafka would be: nobody but the cluster's people makes topics there. */
function asKafka(): RecordLog & LogAdmin {
  return new Proxy(log, {
    get: (_log, name) => {
      if (name === 'kind') return 'kafka'
      const value = Reflect.get(log, name) as unknown
      // Private fields are found on the log alone.
      return typeof value === 'function' ? value.bind(log) : value
    },
  })
}

describe('the topics of a topology', () => {
  it('are made on the embedded log where they are missing, and left as they are where not', async () => {
    await ensureTopics(log, wanted, new Set())
    expect(await names()).toEqual(['in/2', 'out/4', 'there/3'])
  })

  it('are asked for on Kafka, all at once, before any is made', async () => {
    const refused = ensureTopics(asKafka(), wanted, new Set(['in']))
    await expect(refused).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
      retriable: true,
      context: { topics: [{ topic: 'out', partitions: 4 }] },
    })
    await expect(refused).rejects.toThrow('The topic "out" does not exist on Kafka; create it and run again')
    expect(await names()).toEqual(['there/3'])
  })

  it('are made on Kafka only for the generators, which make their own', async () => {
    await ensureTopics(asKafka(), wanted.slice(0, 2), new Set(['in']))
    expect(await names()).toEqual(['in/2', 'there/3'])
  })
})
