import { describe, expect, it } from 'vitest'
import {
  Consumed,
  JoinWindows,
  type KStream,
  SessionWindows,
  SlidingWindows,
  StreamsBuilder,
  string,
  TimeWindows,
  UnlimitedWindows,
} from '../../index.js'
import { TopologyTestDriver } from '../../testing/index.js'

const last = Number.MAX_SAFE_INTEGER

/** What becomes of a record at this time, and of one that is a little older and comes behind it. */
async function counted(windows: unknown, timestamp: number, compat: 'kafka-streams' | 'repair') {
  const builder = new StreamsBuilder()
  const stream: KStream<any, any> = builder.stream('in', Consumed.with(string, string))
  stream
    .groupByKey()
    .windowedBy(windows as never)
    .count()
    .toStream()
    .peek((key: any) => void windowsSeen.push([key.window.start, key.window.end]))
  const windowsSeen: number[][] = []
  const driver = new TopologyTestDriver(builder.build(), { compat, 'default.value.serde': 'string' })
  const input = driver.createInputTopic('in', string, string)
  const error = await input.pipeInput('k', 'a', timestamp).then(
    () => undefined,
    (thrown: { code: string }) => thrown.code,
  )
  await input.pipeInput('k', 'old', 100)
  const dropped = Object.entries(driver.counters).filter(([name, count]) => name.startsWith('dropped') && count > 0)
  return { error, windowsSeen, dropped: dropped.map(([name, count]) => `${/"(.*)"/.exec(name)?.[1]} ${count}`) }
}

describe('a record so late that its window would end behind the last time (kafka-streams.md B.5)', () => {
  // The last tumbling window that ends in time begins at …980.
  const tumbling = TimeWindows.ofSizeAndGrace(10, 5)
  it.each([
    ['kafka-streams', last - 2, undefined, [[last - 11, last - 1]]],
    ['kafka-streams', last - 1, 'TIMESTAMP_INVALID', []],
    ['kafka-streams', last, 'TIMESTAMP_INVALID', []],
    ['repair', last, undefined, [[last - 1, last]]],
  ] as const)('[W1] of tumbling windows, under %s at %d: %s', async (compat, timestamp, error, windows) => {
    const told = await counted(tumbling, timestamp, compat)
    expect(told).toEqual({ error, windowsSeen: windows, dropped: ['late_window 1'] })
  })

  const sliding = SlidingWindows.ofTimeDifferenceAndGrace(10, 5)
  it.each([
    ['kafka-streams', last - 10, [[last - 20, last - 10]], 1],
    ['kafka-streams', last - 9, [], 2],
    ['repair', last - 9, [[last - 19, last - 9]], 1],
  ] as const)('[W1] of sliding windows, under %s at %d', async (compat, timestamp, windows, dropped) => {
    const told = await counted(sliding, timestamp, compat)
    expect(told).toEqual({ error: undefined, windowsSeen: windows, dropped: [`late_window ${dropped}`] })
  })

  const session = SessionWindows.ofInactivityGapAndGrace(10, 5)
  it.each([
    ['kafka-streams', last - 10, undefined, [[last - 10, last - 10]]],
    ['kafka-streams', last - 9, 'TIMESTAMP_INVALID', []],
    ['repair', last - 9, undefined, [[last - 9, last - 9]]],
  ] as const)('[W1] of sessions, under %s at %d: %s', async (compat, timestamp, error, windows) => {
    const told = await counted(session, timestamp, compat)
    expect(told).toEqual({ error, windowsSeen: windows, dropped: ['late_session 1'] })
  })

  it('[W1] of unlimited windows is nothing special', async () => {
    const told = await counted(UnlimitedWindows.of(), last - 1, 'kafka-streams')
    expect(told.error).toBeUndefined()
    expect(told.windowsSeen).toHaveLength(2)
  })
})

/** What a left join of streams sends when this comes in: [topic, value, time]. */
async function leftJoined(records: readonly (readonly [string, string, number])[], compat: string) {
  const builder = new StreamsBuilder()
  const text = Consumed.with(string, string)
  const [left, right] = [builder.stream('left', text), builder.stream('right', text)]
  const sent: [string, number][] = []
  left
    .leftJoin(right, (a, b) => `${a}${b}`, JoinWindows.ofTimeDifferenceAndGrace(10, 5))
    .process({ get: () => ({ process: ({ value, timestamp }) => void sent.push([value as string, timestamp]) }) })
  const config = { compat, 'default.key.serde': 'string', 'default.value.serde': 'string' }
  const driver = new TopologyTestDriver(builder.build(), config)
  for (const [topic, value, at] of records) {
    await driver.createInputTopic(topic, string, string).pipeInput('k', value, at)
  }
  return sent
}

describe('a record of a join of streams whose last partner would be behind the last time (B.5, B.7)', () => {
  it.each([
    ['kafka-streams', last - 9, ['bnull', last - 9]],
    ['kafka-streams', last - 10, ['bx', last - 10]],
    ['repair', last - 9, ['bx', last - 9]],
  ] as const)('[W1] under %s at %d', async (compat, timestamp, own) => {
    const right = ['right', 'x', last - 12] as const
    const sent = await leftJoined([['left', 'a', 100], right, ['left', 'b', timestamp]], compat)
    expect(sent).toEqual([['anull', 100], own])
  })

  it('[W1] meets only itself, where a stream is joined with itself', async () => {
    const sent: string[] = []
    const builder = new StreamsBuilder()
    const stream = builder.stream('in', Consumed.with(string, string))
    const joined = stream.join(stream, (a, b) => `${a}${b}`, JoinWindows.ofTimeDifferenceAndGrace(10, 5))
    joined.foreach((_, value) => void sent.push(value))
    const config = { 'default.key.serde': 'string', 'default.value.serde': 'string', 'topology.optimization': 'all' }
    const driver = new TopologyTestDriver(builder.build(config), { compat: 'kafka-streams', ...config })
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k', 'a', last - 12)
    await input.pipeInput('k', 'b', last - 9)
    expect(sent).toEqual(['aa', 'bb'])
  })
})
