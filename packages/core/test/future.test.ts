import { describe, expect, it } from 'vitest'
import {
  type Blast,
  type CallbackContext,
  Consumed,
  days,
  FutureTimestampException,
  hours,
  Materialized,
  minutes,
  type Record,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'

const NOW = Date.UTC(2026, 10, 30)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Counts a day, keeps 30 days: the situation of the far-future record that empties a store. */
function daily(consumed = Consumed.with(string, string)): Topology {
  const builder = new StreamsBuilder()
  builder
    .stream('in', consumed)
    .groupByKey()
    .windowedBy(TimeWindows.ofSizeAndGrace(days(1), hours(1)))
    .count(Materialized.as<string, number>('per-day').withRetention(days(30)))
  return builder.build()
}

function drive(config: { [key: string]: unknown } = {}, consumed?: Consumed<string | null, string | null>) {
  const driver = new TopologyTestDriver(
    daily(consumed),
    { 'default.key.serde': 'string', ...config },
    { initialWallClockMs: NOW },
  )
  const verdicts: string[] = []
  const expired: { from: number; causedBy: unknown }[] = []
  driver.events.on(['future-timestamp', 'segment-expired'], (event) => {
    if (event.type === 'future-timestamp') verdicts.push(event.verdict)
    if (event.type === 'segment-expired') expired.push({ from: event.from, causedBy: event.causedBy })
  })
  return { driver, verdicts, expired, input: driver.createInputTopic('in', string, string) }
}

const dropped = (driver: TopologyTestDriver, reason: string) =>
  driver.counters[`dropped_records_total{reason="${reason}"}`] ?? 0

describe('the future-timestamp guard', () => {
  it('[F2] the bound is inclusive: one hour ahead passes, one millisecond more is judged', async () => {
    const { driver, input, verdicts } = drive()
    await input.pipeInput('a', 'x', NOW + HOUR)
    expect(verdicts).toEqual([])
    await input.pipeInput('a', 'x', NOW + HOUR + 1)
    expect(verdicts).toHaveLength(1)
    expect(dropped(driver, 'future_timestamp')).toBe(0)
  })

  it('[F3] rejects one record ten years ahead, before it moves any clock, and lists what it would have expired', async () => {
    const { driver, input, verdicts, expired } = drive()
    await input.pipeInput('a', 'x', NOW - 20 * DAY)
    await input.pipeInput('a', 'x', NOW)
    const blasts: unknown[] = []
    driver.events.on(['future-timestamp'], (event) => event.type === 'future-timestamp' && blasts.push(event.blast))
    await input.pipeInput('a', 'x', NOW + 3650 * DAY)
    await input.pipeInput('a', 'x', NOW)
    expect(verdicts).toEqual(['rejected'])
    expect(expired).toEqual([])
    expect(dropped(driver, 'future_timestamp')).toBe(1)
    expect(dropped(driver, 'late_window')).toBe(0)
    expect(blasts[0]).toMatchObject({
      segments: [
        { store: 'per-day', entries: 1 },
        { store: 'per-day', entries: 1 },
      ],
    })
    const store = driver.store('per-day') as { fetch(key: string, start: number): { value: number } | undefined }
    expect(store.fetch('a', NOW)).toBeDefined()
  })

  it('[F3] is proven on an empty store as well: the first record ten years ahead would refuse ten years', async () => {
    const { driver, input, verdicts } = drive()
    await input.pipeInput('a', 'x', NOW + 3650 * DAY)
    expect(verdicts).toEqual(['rejected'])
    expect(dropped(driver, 'future_timestamp')).toBe(1)
  })

  it('[F4] a record beyond the bound that endangers nothing passes, counted', async () => {
    const { driver, input, verdicts } = drive()
    await input.pipeInput('a', 'x', NOW + 2 * HOUR)
    expect(verdicts).toEqual(['passed'])
    expect(driver.counters['future_timestamp_total{verdict="passed"}']).toBe(1)
  })

  it('[F4] is judged by itself: also with the guard off, logged once per source; off says nothing', async () => {
    const { driver, input, verdicts } = drive({ 'future-timestamp.guard': 'off' })
    const logged: string[] = []
    driver.events.on(['log'], (event) => event.type === 'log' && logged.push(event.message))
    for (let i = 0; i < 3; i++) await input.pipeInput('a', 'x', NOW + 2 * HOUR)
    expect(verdicts).toEqual(['passed', 'passed', 'passed'])
    expect(logged.filter((message) => message.includes('It endangers nothing now'))).toHaveLength(1)
    const off = drive({ 'future-timestamp.check': 'off' })
    await off.input.pipeInput('a', 'x', NOW + 2 * HOUR)
    expect(off.verdicts).toEqual([])
  })

  it('[F3] windows that have closed already are not endangered, though they are there to be read', async () => {
    const { input, verdicts } = drive()
    await input.pipeInput('a', 'x', NOW - 3 * DAY)
    await input.pipeInput('a', 'x', NOW)
    await input.pipeInput('a', 'x', NOW + 2 * HOUR)
    expect(verdicts).toEqual(['passed'])
    // A window of today ends in it.
    await input.pipeInput('a', 'x', NOW + DAY + HOUR)
    expect(verdicts).toEqual(['passed', 'rejected'])
  })

  it('[F3] off: the record enters, every segment expires, and each says which record did it', async () => {
    const { driver, input, verdicts, expired } = drive({ 'future-timestamp.guard': 'off' })
    await input.pipeInput('a', 'x', NOW - 20 * DAY)
    await input.pipeInput('a', 'x', NOW)
    await input.pipeInput('a', 'x', NOW + 3650 * DAY)
    expect(verdicts).toEqual([])
    expect(expired).toHaveLength(2)
    for (const segment of expired) expect(segment.causedBy).toMatchObject({ topic: 'in', partition: 0, offset: 2 })
    await input.pipeInput('a', 'x', NOW)
    expect(dropped(driver, 'late_window')).toBe(1)
  })

  it('[F3] warn lets it in and says so; error is fatal', async () => {
    const warn = drive({ 'future-timestamp.guard': 'warn' })
    await warn.input.pipeInput('a', 'x', NOW + 3650 * DAY)
    expect(warn.verdicts).toEqual(['warned'])
    expect(dropped(warn.driver, 'future_timestamp')).toBe(0)
    const error = drive({ 'future-timestamp.guard': 'error' })
    await expect(error.input.pipeInput('a', 'x', NOW + 3650 * DAY)).rejects.toBeInstanceOf(FutureTimestampException)
  })

  it('[F2] a bound on the source wins over the default', async () => {
    const { input, verdicts } = drive({}, Consumed.with(string, string).withMaxAhead(days(4000)))
    await input.pipeInput('a', 'x', NOW + 3650 * DAY)
    expect(verdicts).toEqual([])
    const tight = drive({}, Consumed.with(string, string).withMaxAhead(minutes(1)))
    await tight.input.pipeInput('a', 'x', NOW + 60_000)
    expect(tight.verdicts).toEqual([])
    await tight.input.pipeInput('a', 'x', NOW + 60_001)
    expect(tight.verdicts).toEqual(['passed'])
  })

  it('[F3] counts pending timers that it would fire', async () => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: CallbackContext<string, string, string>) =>
            ctx.timers.register({ key: record.key, at: NOW + 5 * DAY, domain: 'event-time' }),
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    const driver = new TopologyTestDriver(topology, {}, { initialWallClockMs: NOW })
    const blasts: unknown[] = []
    driver.events.on(
      ['future-timestamp'],
      (event) => event.type === 'future-timestamp' && blasts.push([event.verdict, event.blast.timers]),
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'x', NOW)
    await input.pipeInput('b', 'x', NOW)
    await input.pipeInput('c', 'x', NOW + 5 * DAY - 1)
    await input.pipeInput('c', 'x', NOW + 5 * DAY)
    expect(blasts).toEqual([
      ['passed', []],
      ['rejected', [{ node: 'timed', count: 3 }]],
    ])
  })

  it('[D1] is off in the driver unless a wall clock is given, and under compat: kafka-streams', async () => {
    for (const driver of [
      new TopologyTestDriver(daily(), {}),
      new TopologyTestDriver(daily(), { compat: 'kafka-streams' }, { initialWallClockMs: NOW }),
    ]) {
      await driver.createInputTopic('in', string, string).pipeInput('a', 'x', NOW + 3650 * DAY)
      expect(dropped(driver, 'future_timestamp')).toBe(0)
    }
  })

  it('[F3] [F6] the dead letter lists what would have been destroyed, and has a time of the present', async () => {
    const { driver, input } = drive({ 'errors.dead.letter.queue.topic.name': 'dead' })
    await input.pipeInput('a', 'x', NOW)
    await input.pipeInput('b', 'x', NOW + 3650 * DAY)
    const [letter] = driver.createOutputTopic('dead', string, string).readRecordsToList()
    expect(letter).toMatchObject({ key: 'b', value: 'x', timestamp: NOW })
    const text = (name: string) => new TextDecoder().decode(letter?.headers.last(name) as Uint8Array)
    expect(text('__lanescope.errors.timestamp')).toBe(String(NOW + 3650 * DAY))
    expect(text('__lanescope.future.segments')).toMatch(/^per-day\[\d+,\d+\)=1$/)
    expect(text('__streams.errors.offset')).toBe('1')
  })

  it('[F3] in the driver a window is open by what has reached its node, not by what others have read', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string).withMaxAhead(days(4)))
      .filter((key) => key === 'a')
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeAndGrace(days(1), hours(1)))
      .count(Materialized.as<string, number>('per-day').withRetention(days(30)))
    const driver = new TopologyTestDriver(
      builder.build(),
      { 'default.key.serde': 'string' },
      { initialWallClockMs: NOW },
    )
    const windows: unknown[] = []
    driver.events.on(
      ['future-timestamp'],
      (event) => event.type === 'future-timestamp' && windows.push(event.blast.windows.map(({ count }) => count)),
    )
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('a', 'x', NOW)
    await input.pipeInput('b', 'x', NOW + 2 * DAY)
    await input.pipeInput('a', 'x', NOW + 5 * DAY)
    expect(windows).toEqual([[1]])
  })

  it('[F5] under watermark tells both: what a record does at once, and what once every partition gets there', async () => {
    const h = await harness(daily(), { in: 2 }, { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 1000 })
    const today = Math.floor(Date.now() / DAY) * DAY
    const append = (partition: number, timestamp: number) =>
      h.log.append([
        { topic: 'in', partition, key: Uint8Array.of(97), value: new Uint8Array(1), timestamp, headers: [] },
      ])
    await append(0, today - 3 * DAY)
    await append(1, today)
    await h.engine.start()
    await h.event('clock-advanced', ({ watermark }) => watermark === today - 3 * DAY - 1000)
    const source = h.engine.snapshot().clocks.partitions[0]?.source as string
    const preview = (partition?: number) => h.engine.previewFutureTimestamp(today + 3650 * DAY, source, partition)
    const previews = [preview(0), preview(1), preview()]
    expect(() => preview(2)).toThrow(/does not read a partition 2/)
    await h.engine.stop()
    const closed = (blast: Blast) => blast.windows.map(({ count }) => count)
    expect(previews.map(({ blast }) => closed(blast))).toEqual([[2], [2], [2]])
    // Partition 0 holds the clock, and would let it get as far as partition 1 does; partition 1 alone moves nothing.
    expect(previews.map(({ atOnce }) => closed(atOnce))).toEqual([[1], [], [1]])
  })

  it('[F5] previews on a running engine, and changes nothing by it', async () => {
    const h = await harness(daily(), { in: 1 }, { 'time.mode': 'stream-time' })
    // Of today, and not so late in it that the next second is of tomorrow.
    const now = Math.floor(Date.now() / DAY) * DAY
    await h.send('in', [['a', 'x', now]])
    await h.engine.start()
    await h.drained()
    const far = h.engine.previewFutureTimestamp(
      now + 3650 * DAY,
      h.engine.snapshot().clocks.partitions[0]?.source as string,
    )
    const near = h.engine.previewFutureTimestamp(now + 1000, h.engine.snapshot().clocks.partitions[0]?.source as string)
    const after = h.engine.snapshot().stores[0]
    await h.engine.stop()
    expect(far).toMatchObject({
      wouldBe: 'rejected',
      boundMs: HOUR,
      blast: { segments: [{ store: 'per-day', entries: 1 }] },
    })
    expect(far.atOnce).toEqual(far.blast)
    expect(far.blast.refuses.map((span) => span.reason).sort()).toEqual(['expired_segment', 'late_window'])
    expect(near).toMatchObject({ wouldBe: 'passed', blast: { segments: [], windows: [], timers: [], refuses: [] } })
    expect(after?.windowed?.segments).toHaveLength(1)
  })
})
