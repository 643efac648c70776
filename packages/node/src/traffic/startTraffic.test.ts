import { EmbeddedLog, json, long, ManualClock, MemoryLogStorage, type OutputRecord, string } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { intoLog } from './intoLog.js'
import { startTraffic } from './startTraffic.js'
import type { TrafficGenerator } from './TrafficGenerator.js'
import type { TrafficTarget } from './TrafficTarget.js'

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))

const generator: TrafficGenerator = {
  topic: 'events',
  partitions: 2,
  key: json<string>(),
  value: json<unknown>(),
  phases: [{ forMs: 1000, ratePerSecond: 10, keys: ['k0', 'k1', 'k2'] }],
  template: { n: '{n}', nested: [{ text: 'record {n} of {n}', keep: 7 }] },
}

/** A log that takes everything at once. */
class Taken implements TrafficTarget {
  readonly topics: unknown[] = []
  readonly records: OutputRecord[] = []
  readonly batches: number[] = []
  failing: Error | undefined
  newest: number | undefined
  readonly asked: unknown[] = []

  async createTopic(topic: string, partitions: number): Promise<void> {
    this.topics.push([topic, partitions])
  }

  async append(records: readonly OutputRecord[]): Promise<void> {
    if (this.failing) throw this.failing
    this.records.push(...records)
    this.batches.push(records.length)
  }

  async newestTime(topic: string, notAfter: number): Promise<number | undefined> {
    this.asked.push([topic, notAfter])
    return this.newest
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

/** Moves the clock in steps of 10 ms and lets the traffic follow. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    clock.advance(10)
    await settle()
  }
}

async function setUp(...generators: TrafficGenerator[]) {
  const clock = new ManualClock(5000)
  const target = new Taken()
  const traffic = await startTraffic(generators, target, clock)
  await settle()
  return { clock, target, traffic }
}

describe('Traffic', () => {
  it('makes its topics, and sends the first record at once', async () => {
    const { target } = await setUp(generator)
    expect(target.topics).toEqual([['events', 2]])
    expect(target.records).toHaveLength(1)
  })

  it('keeps the pace of its rate by the clock', async () => {
    const { clock, target } = await setUp(generator)
    await pass(clock, 90)
    expect(target.records).toHaveLength(1)
    await pass(clock, 10)
    expect(target.records).toHaveLength(2)
    await pass(clock, 400)
    expect(target.records).toHaveLength(6)
  })

  it('ends behind the last record of the last phase', async () => {
    const { clock, target, traffic } = await setUp(generator)
    await pass(clock, 900)
    expect(await traffic.finished).toBeUndefined()
    await pass(clock, 500)
    expect([target.records.length, traffic.sent()]).toEqual([10, 10])
  })

  it('takes the keys in turn, in JSON as a foreign producer writes them, and fills the template', async () => {
    const { clock, target } = await setUp(generator)
    await pass(clock, 400)
    expect(target.records.map(({ key }) => text(key))).toEqual(['"k0"', '"k1"', '"k2"', '"k0"', '"k1"'])
    expect(target.records.map(({ value }) => JSON.parse(text(value) ?? ''))[3]).toEqual({
      n: '3',
      nested: [{ text: 'record 3 of 3', keep: 7 }],
    })
    expect(new Set(target.records.map(({ partition }) => partition))).toEqual(new Set([-1]))
  })

  it('goes from phase to phase, the first key of each first; a phase of 0 ms has no end', async () => {
    const phases = [
      { forMs: 200, ratePerSecond: 10, keys: ['a'] },
      { forMs: 0, ratePerSecond: 20, keys: ['b{n}', 'c'] },
    ]
    const { clock, target, traffic } = await setUp({ ...generator, key: string, phases })
    await pass(clock, 400)
    expect(target.records.map(({ key }) => text(key))).toEqual(['a', 'a', 'b2', 'c', 'b4', 'c', 'b6'])
    await pass(clock, 10_000)
    expect(target.records).toHaveLength(207)
    await traffic.stop()
    await pass(clock, 100)
    expect(target.records).toHaveLength(207)
    expect(await traffic.finished).toBeUndefined()
  })

  it('stamps records with the time at which they are due', async () => {
    const { clock, target } = await setUp(generator)
    await pass(clock, 300)
    expect(target.records.map(({ timestamp }) => timestamp)).toEqual([5000, 5100, 5200, 5300])
  })

  it.each([
    ['from the past, as fast as told', { startOffsetMs: -100_000, speed: 60 }, [-95_000, -89_000, -83_000]],
    ['from the past, until it has caught up with the clock', { startOffsetMs: -1000, speed: 9 }, [4000, 4900, 5200]],
    ['from the future, where nothing holds it', { startOffsetMs: 1000, speed: 60 }, [6000, 12_000, 18_000]],
    ['slower than the clock', { startOffsetMs: 0, speed: 0.5 }, [5000, 5050, 5100]],
  ])('event time runs %s', async (_, time, expected) => {
    const { clock, target } = await setUp({ ...generator, time })
    await pass(clock, 200)
    expect(target.records.map(({ timestamp }) => timestamp)).toEqual(expected)
  })

  it('goes on from the newest time in its topic, and looks for none where it makes up no time', async () => {
    const clock = new ManualClock(5000)
    const target = new Taken()
    target.newest = 4500
    const time = { startOffsetMs: -2000, speed: 2 }
    await startTraffic([generator, { ...generator, topic: 'past', time }], target, clock)
    await settle()
    await pass(clock, 200)
    const times = (topic: string) => target.records.filter((one) => one.topic === topic).map((one) => one.timestamp)
    expect(times('past')).toEqual([4500, 4700, 4900])
    expect(times('events')).toEqual([5000, 5100, 5200])
    expect(target.asked).toEqual([['past', 5000]])
  })

  it('gives each key its burst before the next', async () => {
    const phases = [{ forMs: 0, ratePerSecond: 100, keys: ['a', 'b'], burst: 3 }]
    const { clock, target, traffic } = await setUp({ ...generator, key: string, phases })
    await pass(clock, 100)
    expect(target.records.map(({ key }) => text(key)).join('')).toBe('aaabbbaaabb')
    await traffic.stop()
  })

  it('cuts what is due at once into batches', async () => {
    const phases = [{ forMs: 1000, ratePerSecond: 2500, keys: ['k'] }]
    const { clock, target, traffic } = await setUp({ ...generator, phases })
    clock.advance(1000)
    await settle()
    expect(await traffic.finished).toBeUndefined()
    expect(target.batches).toEqual([1, 1000, 1000, 499])
  })

  it('writes keys by their serde: numbers from digits, text as it is', async () => {
    const one = [{ forMs: 100, ratePerSecond: 10, keys: ['17'] }]
    const { target } = await setUp(
      { ...generator, key: long, phases: one },
      { ...generator, key: string, phases: one },
      { ...generator, key: json<unknown>(), phases: one },
    )
    expect(target.records.map(({ key }) => [...(key ?? [])])).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 17],
      [49, 55],
      [49, 55],
    ])
  })

  it('ends with the error of the log, all generators together', async () => {
    const { clock, target, traffic } = await setUp(generator, { ...generator, topic: 'others' })
    target.failing = new Error('no space left')
    await pass(clock, 100)
    expect(await traffic.finished).toBe(target.failing)
    target.failing = undefined
    await pass(clock, 500)
    expect(traffic.sent()).toBe(2)
  })

  it('fills an embedded log', async () => {
    const clock = new ManualClock(5000)
    const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
    const traffic = await startTraffic([{ ...generator, partitions: 1 }], intoLog(log), clock)
    await settle()
    await pass(clock, 1000)
    expect(await traffic.finished).toBeUndefined()
    expect((await log.read('events', 0, 0, 100)).records).toHaveLength(10)
  })

  it('never goes back in an embedded log, however often it is started', async () => {
    const clock = new ManualClock(5_000_000)
    const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
    const past = { ...generator, partitions: 1, time: { startOffsetMs: -4_000_000, speed: 600 } }
    for (let run = 0; run < 3; run++) {
      const traffic = await startTraffic([past], intoLog(log), clock)
      await settle()
      await pass(clock, 500)
      await traffic.stop()
      // What somebody sends by hand from the future is not what the traffic goes on from.
      await log.append([{ topic: 'events', partition: 0, key: null, value: null, timestamp: 9_000_000, headers: [] }])
    }
    const { records } = await log.read('events', 0, 0, 100)
    const times = records.map(({ timestamp }) => timestamp).filter((time) => time < 9_000_000)
    expect(times).toHaveLength(18)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBe(1_000_000)
    expect(times.at(-1)).toBe(1_000_000 + 3 * 300_000)
  })
})
