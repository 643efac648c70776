import { describe, expect, it } from 'vitest'
import {
  BufferConfig,
  Consumed,
  EmitStrategy,
  Grouped,
  type KStream,
  type KTable,
  long,
  Materialized,
  Produced,
  SeededRandom,
  SessionWindows,
  SlidingWindows,
  StreamsBuilder,
  Suppressed,
  string,
  TimeWindows,
  type Topology,
  type Windowed,
} from '../src/index.js'
import { faulty } from './faultyLog.js'
import { type Harness, harness } from './harness.js'
import { TableRun } from './TableRun.js'

type Row = readonly [key: string, value: string, timestamp: number]

const keys = Array.from({ length: 12 }, (_, index) => `k${index}`)
const partitions = 3
const outOfOrder = 40

/** Records out of order by less than `outOfOrder` ms. */
function rows(seed: number, count: number): Row[] {
  const random = new SeededRandom(seed)
  const at = (limit: number) => Math.floor(random.next() * limit)
  return Array.from({ length: count }, (_, index) => [
    keys[at(keys.length)] as string,
    `v${index}`,
    100 + index * 3 + at(outOfOrder),
  ])
}

const sent = rows(5, 300)
const timesOf = (key: string) =>
  sent
    .filter(([of]) => of === key)
    .map(([, , time]) => time)
    .sort((a, b) => a - b)

/** What must come out, with nothing late: each window of each key once, with its count, newest time and bounds. */
const models = {
  tumbling: () => hopping(20, 20),
  hopping: () => hopping(20, 5),
  sliding: () =>
    keys.flatMap((key) => {
      const times = timesOf(key)
      // A window ends at each record, and one begins right behind each that has others within reach behind it.
      const starts = new Set(times.map((time) => time - 15))
      for (const time of times) if (times.some((other) => other > time && other <= time + 16)) starts.add(time + 1)
      return [...starts].flatMap((start) =>
        counted(
          key,
          start,
          start + 15,
          times.filter((t) => t >= start && t <= start + 15),
        ),
      )
    }),
  session: () =>
    keys.flatMap((key) => {
      const sessions: number[][] = []
      for (const time of timesOf(key)) {
        const open = sessions.at(-1)
        if (open !== undefined && time - (open.at(-1) as number) <= 10) open.push(time)
        else sessions.push([time])
      }
      return sessions.flatMap((times) => counted(key, times[0] as number, times.at(-1) as number, times, true))
    }),
}
type Kind = keyof typeof models

function hopping(size: number, advance: number): string[] {
  return keys.flatMap((key) => {
    const times = timesOf(key)
    const starts = new Set(
      times.flatMap((time) => {
        const first = Math.max(0, time - size + advance)
        const last = Math.floor(time / advance) * advance
        const from = first - (first % advance)
        return Array.from({ length: (last - from) / advance + 1 }, (_, index) => from + index * advance)
      }),
    )
    return [...starts].flatMap((start) =>
      counted(
        key,
        start,
        start + size,
        times.filter((t) => t >= start && t < start + size),
      ),
    )
  })
}

function counted(key: string, start: number, end: number, times: number[], atEnd = false): string[] {
  return times.length === 0 ? [] : [`${key}[${start},${end}] ${times.length} ${atEnd ? end : Math.max(...times)}`]
}

const consumed = Consumed.with(string, string, { nulls: 'drop' })

function windowedCount(
  kind: Kind,
  stream: KStream<string, string>,
  materialized?: Materialized<string, number>,
  close = false,
) {
  const grouped = stream.groupByKey()
  const strategy = close ? EmitStrategy.onWindowClose() : EmitStrategy.onWindowUpdate()
  switch (kind) {
    case 'tumbling':
      return grouped.windowedBy(TimeWindows.ofSizeAndGrace(20, 7)).emitStrategy(strategy).count(materialized)
    case 'hopping':
      return grouped
        .windowedBy(TimeWindows.ofSizeWithNoGrace(20).advanceBy(5))
        .emitStrategy(strategy)
        .count(materialized)
    case 'sliding':
      return grouped
        .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(15, 5))
        .emitStrategy(strategy)
        .count(materialized)
    case 'session':
      return grouped
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5))
        .emitStrategy(strategy)
        .count(materialized)
  }
}

const shown = (table: KTable<Windowed<string>, number>) =>
  table
    .toStream(({ key, window }) => `${key}[${window.start},${window.end}]`)
    .mapValues((count) => String(count))
    .to('out', Produced.with(string, string))

/** Waits a while, differently for each record, so that lanes interleave. */
function unsteady(stream: KStream<string, string>): KStream<string, string> {
  return stream.processValues(() => {
    let turn = 0
    return {
      process: async (record, ctx) => {
        for (let wait = turn++ % 5; wait > 0; wait--) await Promise.resolve()
        void ctx.forward(record)
      },
    }
  })
}

function finals(
  kind: Kind,
  how: 'suppress' | 'close',
  shape: (stream: KStream<string, string>) => KStream<string, string> = (stream) => stream,
  materialized?: Materialized<string, number>,
): Topology {
  const builder = new StreamsBuilder()
  const table = windowedCount(kind, shape(builder.stream('in', consumed)), materialized, how === 'close')
  shown(how === 'close' ? table : table.suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded())))
  return builder.build()
}

/** Moves the clock of every partition to this time. */
async function end(run: Harness, timestamp: number): Promise<void> {
  for (let partition = 0; partition < partitions; partition++) {
    const key = string.serialize('', undefined as never, `end-${partition}`)
    await run.log.append([{ topic: 'in', partition, key, value: key, timestamp, headers: [] }])
  }
}

async function outputs(run: Harness): Promise<string[]> {
  const read = await run.read('out')
  return read
    .filter(({ key }) => !key?.startsWith('end'))
    .map(({ key, value, timestamp }) => `${key} ${value} ${timestamp}`)
}

interface Settings {
  readonly faults?: Parameters<typeof faulty>[1]
  readonly [key: string]: unknown
}

/** Runs to the end: until as many results as are wanted are there, so a missing one shows as a time-out. */
async function run(topology: Topology, wanted: number, { faults, ...config }: Settings = {}): Promise<string[]> {
  const seen = faults === undefined ? undefined : (log: Harness['log']) => faulty(log, faults)
  const settings = { 'lanes.count': 8, 'time.max-out-of-orderness-ms': outOfOrder + 10, ...config }
  const running = await harness(topology, { in: partitions, out: 1 }, settings, seen)
  await running.engine.start()
  for (let at = 0; at < sent.length; at += 25) await running.send('in', sent.slice(at, at + 25))
  for (let later = 5000; ; later++) {
    // Each time anew: a commit whose answer is lost tells nobody, so there must be one more to wait for.
    await end(running, later)
    const found = await outputs(running)
    if (found.length >= wanted) {
      await running.engine.stop()
      return outputs(running)
    }
    const { epoch } = running.engine.snapshot()
    await running.event('epoch-committed', (event) => event.epoch >= epoch.number)
  }
}

const kinds = Object.keys(models) as Kind[]
const hows = ['suppress', 'close'] as const
const each = kinds.flatMap((kind) => hows.map((how) => [kind, how] as const))

describe('final results over several lanes', () => {
  it.each(each)('[W5] %s, %s: each window once, with all that belongs to it', async (kind, how) => {
    const wanted = models[kind]().sort()
    expect((await run(finals(kind, how), wanted.length)).sort()).toEqual(wanted)
  })

  it.each(each)('[L1] %s, %s: whatever the lanes wait for', async (kind, how) => {
    const wanted = models[kind]().sort()
    expect((await run(finals(kind, how, unsteady), wanted.length)).sort()).toEqual(wanted)
  })

  it.each(each)('[E4] %s, %s: commits that fail neither lose nor double one', async (kind, how) => {
    const wanted = models[kind]().sort()
    const faults = new Map([
      [3, 'before'],
      [6, 'answer-lost'],
      [9, 'before'],
    ] as const)
    expect((await run(finals(kind, how, unsteady), wanted.length, { faults })).sort()).toEqual(wanted)
  })

  it.each(kinds)('[S6] %s: nothing in memory is lost on close (H-2)', async (kind) => {
    const wanted = models[kind]().sort()
    const topology = finals(kind, 'close', undefined, Materialized.storeType('inMemory'))
    expect((await run(topology, wanted.length)).sort()).toEqual(wanted)
  })

  it.each(hows)('[W5] %s: those of a key come by their end', async (how) => {
    const found = await run(finals('tumbling', how, unsteady), models.tumbling().length)
    for (const key of keys) {
      const ends = found.filter((one) => one.startsWith(`${key}[`)).map((one) => Number(/,(\d+)\]/.exec(one)?.[1]))
      expect(ends).toEqual([...ends].sort((a, b) => a - b))
    }
  })

  it('[S7] are there too in stream-time mode with one lane, where the greatest put is the clock', async () => {
    const wanted = models.tumbling().sort()
    const builder = new StreamsBuilder()
    const windows = TimeWindows.ofSizeAndGrace(20, outOfOrder)
    shown(
      builder
        .stream('in', consumed)
        .groupByKey()
        .windowedBy(windows)
        .emitStrategy(EmitStrategy.onWindowClose())
        .count(),
    )
    const config = { 'time.mode': 'stream-time', 'lanes.count': 1 }
    expect((await run(builder.build(), wanted.length, config)).sort()).toEqual(wanted)
  })
})

describe('what final results go on to', () => {
  /** Counts of the windows of 20 ms, each counted in windows of 60 ms without grace, by all keys together. */
  function twice(how: 'suppress' | 'close'): Topology {
    const builder = new StreamsBuilder()
    const table = windowedCount('tumbling', unsteady(builder.stream('in', consumed)), undefined, how === 'close')
    const final = how === 'close' ? table : table.suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
    const second = final
      .toStream(({ key }) => (key.startsWith('end') ? key : 'all'))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(60))
      .emitStrategy(EmitStrategy.onWindowClose())
      .count()
    shown(second)
    return builder.build()
  }

  it.each(hows)('[W3] %s: is not late by the clock that closed them', async (how) => {
    const windows = new Map<number, number[]>()
    for (const one of models.tumbling()) {
      const time = Number(one.split(' ')[2])
      const start = Math.floor(time / 60) * 60
      windows.set(start, [...(windows.get(start) ?? []), time])
    }
    const wanted = [...windows]
      .map(([start, times]) => `all[${start},${start + 60}] ${times.length} ${Math.max(...times)}`)
      .sort()
    const found = await run(twice(how), wanted.length)
    expect(found.sort()).toEqual(wanted)
  })
})

describe('a scan in the driver, by watermarks', () => {
  it.each([
    [59, 0, 'all[0,60]=1@10'],
    [60, 1, ''],
  ])(
    '[W3] stamps what it sends on with the last clock before it: after one of %d, %d are late',
    async (before, late, last) => {
      const run = new TableRun(
        (builder) => {
          const first = builder
            .stream<string, string>('in')
            .groupByKey()
            .windowedBy(TimeWindows.ofSizeAndGrace(20, 50))
            .count()
            .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
          first
            .toStream(() => 'all')
            .groupByKey(Grouped.with(string, long))
            .windowedBy(TimeWindows.ofSizeWithNoGrace(60))
            .count()
            .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
            .toStream(({ key, window }) => `${key}[${window.start},${window.end}]`)
            .to('out', Produced.with(string, long))
        },
        string,
        long,
        { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 0 },
      )
      const found = await run.pipe(['in', 'k', 'v', 10], ['in', 'z', 'v', before], ['in', 'z', 'v', 70])
      expect([run.dropped('late_window'), found.at(-1)]).toEqual([late, last])
    },
  )
})

describe('updates held back for a time', () => {
  it('[B.6] come out as they are by then, each lane in turn, and an early row with a full buffer', async () => {
    const builder = new StreamsBuilder()
    const table = builder.stream('in', consumed).groupByKey().count()
    const buffer = BufferConfig.maxRecords(4).emitEarlyWhenFull()
    table
      .suppress(Suppressed.untilTimeLimit(50, buffer))
      .toStream()
      .mapValues((count) => String(count))
      .to('out', Produced.with(string, string))
    const running = await harness(builder.build(), { in: 1, out: 1 }, { 'lanes.count': 8 })
    await running.engine.start()
    await running.send('in', sent)
    await running.send('in', [['end', 'x', 5000]])
    const total = new Map(keys.map((key) => [key, timesOf(key).length]))
    for (;;) {
      const last = new Map((await running.read('out')).map(({ key, value }) => [key, Number(value)]))
      if (keys.every((key) => last.get(key) === total.get(key))) break
      const { epoch } = running.engine.snapshot()
      await running.event('epoch-committed', (event) => event.epoch >= epoch.number)
    }
    await running.engine.stop()
    const updates = (await running.read('out')).filter(({ key }) => key !== 'end')
    expect(updates.length).toBeLessThan(sent.length)
    for (const key of keys) {
      const counts = updates.filter((one) => one.key === key).map(({ value }) => Number(value))
      expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b))
    }
  })
})
