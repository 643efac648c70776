import { describe, expect, it } from 'vitest'
import { Consumed, type KStream, Materialized, Produced, StreamsBuilder, SystemClock, string } from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { type Fault, faulty } from './faultyLog.js'
import { harness } from './harness.js'

/** Counts words by their first letter, re-keyed through a topic. */
function byLetter() {
  const builder = new StreamsBuilder()
  const words: KStream<string, string> = builder.stream('in', Consumed.with(string, string, { nulls: 'drop' }))
  words
    .selectKey((_, word) => word.charAt(0))
    .through('mid', Produced.with(string, string))
    .groupByKey()
    .count(Materialized.as('letters'))
    .toStream()
    .mapValues((count) => String(count))
    .to('out', Produced.with(string, string))
  return builder.build()
}

const words = ['apple', 'bear', 'ant', 'cat', 'bee', 'ape']
const counted = ['a=1', 'a=2', 'a=3', 'b=1', 'b=2', 'c=1']
const topics = { in: 3, mid: 2, out: 1 }
type Read = Awaited<ReturnType<Awaited<ReturnType<typeof harness>>['read']>>
const shown = (records: Read) => records.map(({ key, value }) => `${key}=${value}`).sort()

async function until(read: () => Promise<Read>, count: number): Promise<string[]> {
  for (;;) {
    const seen = await read()
    if (seen.length >= count) return shown(seen)
    await new SystemClock().yield()
  }
}

describe('through a topic', () => {
  it('records are there to be seen, by key, and what comes of them is counted once', async () => {
    const h = await harness(byLetter(), topics)
    await h.engine.start()
    await h.send(
      'in',
      words.map((word, i) => [`k${i}`, word, i] as const),
    )
    expect(await until(() => h.read('out'), 6)).toEqual(counted)
    const mid = await h.read('mid')
    expect(shown(mid)).toEqual(['a=ant', 'a=ape', 'a=apple', 'b=bear', 'b=bee', 'c=cat'])
    // The partition goes by the new key.
    const places = new Map<string | null, Set<number>>()
    for (const { key, partition } of mid) places.set(key, (places.get(key) ?? new Set()).add(partition))
    expect([...places.values()].every(({ size }) => size === 1)).toBe(true)
    await h.engine.stop()
  })

  it('what somebody else writes there goes on as well', async () => {
    const h = await harness(byLetter(), topics)
    await h.engine.start()
    await h.send('mid', [['z', 'zoo', 1]])
    expect(await until(() => h.read('out'), 1)).toEqual(['z=1'])
    await h.engine.stop()
  })

  const faults: [string, ReadonlyMap<number, Fault>][] = [
    [
      'commits that fail',
      new Map([
        [1, 'before'],
        [3, 'before'],
      ]),
    ],
    [
      'commits whose answers are lost',
      new Map([
        [1, 'answer-lost'],
        [2, 'answer-lost'],
        [4, 'answer-lost'],
      ]),
    ],
  ]
  it.each(faults)('[E1] each record goes through once, over %s', async (_, faults) => {
    const h = await harness(byLetter(), topics, {}, (log) => faulty(log, faults))
    await h.engine.start()
    for (const [i, word] of words.entries()) await h.send('in', [[`k${i}`, word, i]])
    expect(await until(() => h.read('out'), 6)).toEqual(counted)
    expect(shown(await h.read('mid'))).toHaveLength(6)
    await h.engine.stop()
  })

  it('a missing topic is told before the run', async () => {
    const h = await harness(byLetter(), { in: 3, out: 1 })
    await expect(h.engine.start()).rejects.toMatchObject({ code: 'TOPIC_MISSING', context: { topic: 'mid' } })
  })

  it('the test driver takes it back up, as Kafka’s does, and shows it as an output', async () => {
    const driver = new TopologyTestDriver(byLetter())
    const input = driver.createInputTopic('in', string, string)
    for (const [i, word] of words.entries()) await input.pipeInput(`k${i}`, word, i)
    const outputs = driver.createOutputTopic('out', string, string).readRecordsToList()
    expect(outputs.map(({ key, value }) => `${key}=${value}`)).toEqual(['a=1', 'b=1', 'a=2', 'c=1', 'b=2', 'a=3'])
    expect(outputs.map(({ timestamp }) => timestamp)).toEqual([0, 1, 2, 3, 4, 5])
    expect(driver.createOutputTopic('mid', string, string).readRecordsToList()).toHaveLength(6)
  })

  it('two of them after one another pass each record on once', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .through('mid')
      .mapValues((value) => `${value}!`)
      .through('more', Produced.with(string, string))
      .to('out')
    const h = await harness(builder.build(), { ...topics, more: 2 })
    await h.engine.start()
    await h.send('in', [
      ['a', 'x', 1],
      ['b', 'y', 2],
    ])
    expect(await until(() => h.read('out'), 2)).toEqual(['a=x!', 'b=y!'])
    expect([(await h.read('mid')).length, (await h.read('more')).length]).toEqual([2, 2])
    await h.engine.stop()
  })
})
