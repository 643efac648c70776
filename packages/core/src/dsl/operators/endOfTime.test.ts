import { describe, expect, it } from 'vitest'
import {
  Consumed,
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
