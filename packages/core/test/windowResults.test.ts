import { describe, expect, it } from 'vitest'
import {
  BufferConfig,
  CalendarWindows,
  EmitStrategy,
  Grouped,
  hours,
  type KGroupedStream,
  type KTable,
  Materialized,
  SessionWindows,
  SlidingWindows,
  Stores,
  StreamsBuilder,
  Suppressed,
  string,
  TimeWindows,
  UnlimitedWindows,
  type Windowed,
} from '../src/index.js'
import { type Piped, TableRun } from './TableRun.js'

type Row = readonly [key: string | null, value: string | null, timestamp: number]
type Results = KTable<Windowed<string>, any>

const kafkaStreams = { compat: 'kafka-streams' }
const onClose = EmitStrategy.onWindowClose()
const finals = Suppressed.untilWindowCloses(BufferConfig.unbounded())

/** A topology of one stream in the driver: its results as key[start,end]=value@time, a text for each record. */
function windows(aggregate: (grouped: KGroupedStream<string, string>) => Results, config: object = {}) {
  const run = new TableRun(
    (builder) => {
      const grouped = builder.stream<string, string>('in').groupByKey(Grouped.with(string, string))
      aggregate(grouped)
        .toStream(({ key, window }) => `${key}[${window.start},${window.end}]`)
        .mapValues((value) => (value === null ? null : String(value)) as string)
        .to('out')
    },
    string,
    string,
    { ...config },
  )
  const pipe = (...rows: readonly Row[]) => run.pipe(...rows.map((row): Piped => ['in', ...row]))
  return { run, pipe }
}

const k = (...times: readonly number[]): Row[] => times.map((time) => ['k', 'v', time])
const concat = (aggregate: string, value: string | null) => `${aggregate}${value}`

describe('sliding windows (kafka-streams.md A.7, C.7)', () => {
  const sliding = (diff: number, grace: number) => (grouped: KGroupedStream<string, string>) =>
    grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(diff, grace)).count()

  it('end at each record and begin behind it, the latest first', async () => {
    expect(await windows(sliding(10, 5)).pipe(...k(3, 20, 25, 30, 31))).toEqual([
      'k[0,10]=1@3',
      'k[10,20]=1@20',
      'k[21,31]=1@25 k[15,25]=2@25',
      'k[21,31]=2@30 k[26,36]=1@30 k[20,30]=3@30',
      'k[26,36]=2@31 k[21,31]=3@31 k[31,41]=1@31',
    ])
  })

  it('share the one from 0 on among records of before the difference', async () => {
    expect(await windows(sliding(10, 50)).pipe(...k(9, 3, 5, 3, 10))).toEqual([
      'k[0,10]=1@9',
      'k[4,14]=1@9 k[0,10]=2@9',
      'k[4,14]=2@9 k[6,16]=1@9 k[0,10]=3@9',
      'k[0,10]=4@9',
      'k[6,16]=2@10 k[4,14]=3@10 k[0,10]=5@10 k[10,20]=1@10',
    ])
  })

  it('[G-32] take records of one time, and one out of order between them', async () => {
    expect(await windows(sliding(10, 0)).pipe(...k(20, 20, 30, 25))).toEqual([
      'k[10,20]=1@20',
      'k[10,20]=2@20',
      'k[21,31]=1@30 k[20,30]=3@30',
      'k[21,31]=2@30 k[20,30]=4@30 k[26,36]=1@30',
    ])
  })

  it('make no window behind a record that has none after it, and Kafka’s two results where one ends that begins there', async () => {
    expect(await windows(sliding(10, 50)).pipe(...k(20, 25, 25))).toEqual([
      'k[10,20]=1@20',
      'k[21,31]=1@25 k[15,25]=2@25',
      'k[21,31]=2@25 k[15,25]=3@25',
    ])
    expect((await windows(sliding(10, 50)).pipe(...k(15, 20, 31))).at(-1)).toBe('k[21,31]=1@31 k[21,31]=1@31')
    expect((await windows(sliding(10, 50)).pipe(...k(15, 20, 32))).at(-1)).toBe('k[22,32]=1@32')
  })

  it('[G-33] [H-11] drop a record for each window that is over, and keep it at equality', async () => {
    const { run, pipe } = windows(sliding(10, 5))
    await pipe(...k(3, 20, 25, 30, 50))
    expect(await pipe(...k(34))).toEqual([''])
    expect(run.dropped('late_window')).toBe(1)
    expect(await pipe(...k(35))).toEqual([''])
    expect(run.dropped('late_window')).toBe(4)
    const fresh = windows(sliding(10, 5))
    await fresh.pipe(['z', 'v', 50])
    expect(await fresh.pipe(...k(44, 45))).toEqual(['', 'k[35,45]=1@45'])
  })

  it('skip null keys and null values, which move no clock', async () => {
    const { run, pipe } = windows(sliding(10, 0))
    expect(await pipe([null, 'v', 1000], ['k', null, 1000], ['k', 'v', 20])).toEqual(['', '', 'k[10,20]=1@20'])
    expect([run.dropped('null_key'), run.dropped('null_value')]).toEqual([1, 1])
  })

  it('reduce, and aggregate from the initializer on', async () => {
    const reduced = windows((grouped) =>
      grouped.windowedBy(SlidingWindows.ofTimeDifferenceWithNoGrace(10)).reduce(concat),
    )
    expect(await reduced.pipe(['k', 'a', 20], ['k', 'b', 25])).toEqual([
      'k[10,20]=a@20',
      'k[21,31]=b@25 k[15,25]=ab@25',
    ])
    const aggregated = windows((grouped) =>
      grouped.windowedBy(SlidingWindows.ofTimeDifferenceWithNoGrace(10)).aggregate<string | null>(
        () => '-',
        (_key, value, aggregate) => (value === 'del' ? null : concat(aggregate ?? '', value)),
      ),
    )
    expect(await aggregated.pipe(['k', 'a', 20], ['k', 'del', 20], ['k', 'b', 20])).toEqual([
      'k[10,20]=-a@20',
      'k[10,20]=null@20',
      'k[10,20]=-b@20',
    ])
  })
})

describe('session windows (kafka-streams.md A.7)', () => {
  const sessions =
    (gap: number, grace: number, materialized?: Materialized<string, number>) =>
    (grouped: KGroupedStream<string, string>) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(gap, grace)).count(materialized)

  it('join at the gap, and not a millisecond behind it', async () => {
    expect(await windows(sessions(10, 100)).pipe(...k(100, 110, 121))).toEqual([
      'k[100,100]=1@100',
      'k[100,100]=null@100 k[100,110]=2@110',
      'k[121,121]=1@121',
    ])
  })

  it('[G-29] that become one are deleted first, the earliest first, each at its own end', async () => {
    expect((await windows(sessions(10, 1000)).pipe(...k(100, 110, 121, 115))).at(-1)).toBe(
      'k[100,110]=null@110 k[121,121]=null@121 k[100,121]=4@121',
    )
  })

  it('of one time are the same, and nothing is deleted', async () => {
    expect(await windows(sessions(10, 0)).pipe(...k(5, 5))).toEqual(['k[5,5]=1@5', 'k[5,5]=2@5'])
  })

  it('[H-10] are kept at the close time and dropped before it, as what they have become', async () => {
    const { run, pipe } = windows(sessions(10, 5))
    await pipe(['z', 'v', 200])
    expect(await pipe(...k(184, 185, 190))).toEqual(['', 'k[185,185]=1@185', 'k[185,185]=null@185 k[185,190]=2@190'])
    expect(run.dropped('late_session')).toBe(1)
    await pipe(['z', 'v', 204])
    // Older than the close time of 189, and kept: it joins a session that is open.
    expect(await pipe(...k(180))).toEqual(['k[185,190]=null@190 k[180,190]=3@190'])
  })

  it('reduce in the order of their times', async () => {
    const { pipe } = windows((grouped) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 1000)).reduce(concat),
    )
    expect((await pipe(['k', 'a', 100], ['k', 'b', 120], ['k', 'c', 110])).at(-1)).toBe(
      'k[100,100]=null@100 k[120,120]=null@120 k[100,120]=abc@120',
    )
    expect((await pipe(['l', 'a', 100], ['l', null, 101])).at(-1)).toBe('l[100,100]=null@100 l[100,101]=anull@101')
  })

  it('merge what the initializer gives with each session', async () => {
    const { pipe } = windows((grouped) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 1000)).aggregate(
        () => '-',
        (_key, value, aggregate) => concat(aggregate, value),
        (_key, one, other) => `${one}|${other}`,
      ),
    )
    expect((await pipe(['k', 'a', 100], ['k', 'b', 120], ['k', 'c', 110])).at(-1)).toBe(
      'k[100,100]=null@100 k[120,120]=null@120 k[100,120]=-|-a|-bc@120',
    )
  })

  it.each([undefined, Materialized.storeType<string, number>('inMemory')])(
    '[S6] H-3: one session as long as it is open',
    async (kept) => {
      const rows: Row[] = [
        ['k', 'v', 100],
        ['k', 'v', 110],
        ['z', 'v', 125],
        ['k', 'v', 110],
      ]
      expect((await windows(sessions(10, 5, kept)).pipe(...rows)).at(-1)).toBe('k[100,110]=null@110 k[100,110]=3@110')
      const emulated = { 'compat.overlapping-sessions': 'kafka-streams' }
      expect((await windows(sessions(10, 5, kept), emulated).pipe(...rows)).at(-1)).toBe('k[110,110]=1@110')
      // At 124 both find it, at 126 it is closed for both.
      for (const config of [{}, emulated]) {
        const at = async (clock: number) => {
          const { pipe } = windows(sessions(10, 5, kept), config)
          return (await pipe(['k', 'v', 100], ['k', 'v', 110], ['z', 'v', clock], ['k', 'v', 110])).at(-1)
        }
        expect([await at(124), await at(126)]).toEqual(['k[100,110]=null@110 k[100,110]=3@110', ''])
      }
    },
  )

  it('[G-110] a gap of 0 makes sessions of one time', async () => {
    expect(await windows(sessions(0, 0)).pipe(...k(5, 5, 6))).toEqual(['k[5,5]=1@5', 'k[5,5]=2@5', 'k[6,6]=1@6'])
    expect(await windows(sessions(0, 0), kafkaStreams).pipe(...k(5, 5))).toEqual(['k[5,5]=1@5', 'k[5,5]=1@5'])
  })
})

describe('emit on close (kafka-streams.md A.8)', () => {
  const tumbling =
    (size: number, grace: number, kept?: Materialized<string, number>) => (grouped: KGroupedStream<string, string>) =>
      grouped.windowedBy(TimeWindows.ofSizeAndGrace(size, grace)).emitStrategy(onClose).count(kept)
  const inMemory = Materialized.storeType<string, number>('inMemory')
  const emulated = kafkaStreams

  it('sends a window once, at the clock that closes it, by start, then key', async () => {
    const { run, pipe } = windows(tumbling(10, 5))
    expect(
      await pipe(
        ['m', 'v', 4],
        ['k', 'v', 3],
        ['k', 'v', 9],
        ['k', 'v', 14],
        ['k', 'v', 15],
        ['l', 'v', 24],
        ['l', 'v', 25],
        ['k', 'v', 9],
      ),
    ).toEqual(['', '', '', '', 'k[0,10]=2@9 m[0,10]=1@4', '', 'k[10,20]=2@15', ''])
    expect(run.dropped('late_window')).toBe(1)
  })

  it('sends the newest headers-free result with the time of its records, also when they came out of order', async () => {
    expect((await windows(tumbling(10, 5)).pipe(...k(7, 3, 15))).at(-1)).toBe('k[0,10]=2@7')
  })

  it.each([
    [
      'the smallest: an empty window between',
      tumbling(10, 0),
      [
        ['a', 20],
        ['b', 40],
      ],
      'a[20,30]=1@20',
      '',
    ],
    [
      'with grace',
      tumbling(10, 5),
      [
        ['a', 14],
        ['b', 30],
      ],
      'a[10,20]=1@14',
      '',
    ],
    [
      'in memory, even without a gap',
      tumbling(10, 0, inMemory),
      [
        ['a', 5],
        ['b', 10],
      ],
      'a[0,10]=1@5',
      '',
    ],
    [
      'sliding',
      (grouped: KGroupedStream<string, string>) =>
        grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5)).emitStrategy(onClose).count(),
      [
        ['a', 14],
        ['b', 40],
      ],
      'a[4,14]=1@14',
      '',
    ],
    [
      'sessions in memory',
      (grouped: KGroupedStream<string, string>) =>
        grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).emitStrategy(onClose).count(inMemory),
      [
        ['a', 14],
        ['b', 30],
      ],
      'a[14,14]=1@14',
      '',
    ],
    [
      'sessions a segment away',
      (grouped: KGroupedStream<string, string>) =>
        grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).emitStrategy(onClose).count(),
      [
        ['a', 14],
        ['b', 60_015],
      ],
      'a[14,14]=1@14',
      '',
    ],
    [
      'a far future',
      tumbling(10, 5),
      [
        ['a', 14],
        ['b', 10 ** 12],
      ],
      'a[10,20]=1@14',
      '',
    ],
  ] as const)('[S6] H-2: loses nothing, %s', async (_what, aggregate, rows, repaired, asKafka) => {
    const piped = rows.map(([key, time]): Row => [key, 'v', time])
    expect((await windows(aggregate).pipe(...piped)).at(-1)).toBe(repaired)
    expect((await windows(aggregate, emulated).pipe(...piped)).at(-1)).toBe(asKafka)
  })

  it('waits a millisecond longer where the end belongs to the window', async () => {
    const sliding = windows((grouped) =>
      grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5)).emitStrategy(onClose).count(),
    )
    expect(await sliding.pipe(['k', 'v', 20], ['z', 'v', 25], ['k', 'v', 20], ['z', 'v', 26])).toEqual([
      '',
      '',
      '',
      'k[10,20]=2@20',
    ])
    const session = windows((grouped) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).emitStrategy(onClose).count(),
    )
    expect(
      await session.pipe(['k', 'v', 100], ['k', 'v', 110], ['z', 'v', 125], ['k', 'v', 110], ['z', 'v', 126]),
    ).toEqual(['', '', '', '', 'k[100,110]=3@110'])
  })

  it('sends none again, though the store still has it', async () => {
    const long = Materialized.as<string, number>('w').withRetention(100_000)
    const sliding = windows((grouped) =>
      grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5)).emitStrategy(onClose).count(long),
    )
    expect(await sliding.pipe(['k', 'v', 20], ['z', 'v', 26], ['z', 'v', 36], ['z', 'v', 42], ['z', 'v', 60])).toEqual([
      '',
      'k[10,20]=1@20',
      'z[16,26]=1@26',
      'z[26,36]=2@36',
      'z[27,37]=1@36 z[32,42]=2@42 z[37,47]=1@42',
    ])
    const session = windows((grouped) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).emitStrategy(onClose).count(long),
    )
    expect(await session.pipe(['k', 'v', 100], ['z', 'v', 116], ['z', 'v', 117], ['z', 'v', 133])).toEqual([
      '',
      'k[100,100]=1@100',
      '',
      'z[116,117]=2@117',
    ])
  })

  it('sends hopping windows each at its own end', async () => {
    const { pipe } = windows((grouped) =>
      grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(10).advanceBy(4)).emitStrategy(onClose).count(),
    )
    expect(await pipe(...k(9, 10, 13, 14, 18, 100))).toEqual([
      '',
      'k[0,10]=1@9',
      '',
      'k[4,14]=3@13',
      'k[8,18]=4@14',
      'k[12,22]=3@18 k[16,26]=1@18',
    ])
  })

  it('sends local days when they are over', async () => {
    const { pipe } = windows((grouped) =>
      grouped.windowedBy(CalendarWindows.ofDaysWithNoGrace('Europe/Berlin')).emitStrategy(onClose).count(),
    )
    const at = (iso: string) => Date.parse(iso)
    const [start, end] = [at('2024-10-26T22:00:00Z'), at('2024-10-27T23:00:00Z')]
    const last = at('2024-10-27T22:59:59.999Z')
    expect(await pipe(...k(at('2024-10-27T00:30:00Z'), at('2024-10-27T01:30:00Z'), last, end))).toEqual([
      '',
      '',
      '',
      `k[${start},${end}]=3@${last}`,
    ])
    expect(end - start).toBe(hours(25))
  })

  it('is refused for windows that never close', () => {
    expect(() => windows((grouped) => grouped.windowedBy(UnlimitedWindows.of()).emitStrategy(onClose).count())).toThrow(
      /ON_WINDOW_CLOSE emit strategy cannot be used for UnlimitedWindows/,
    )
  })
})

describe('[A.8] a store that was picked, below an aggregation that emits on close', () => {
  const three: Piped[] = [
    ['in', 'b', 'v', 1],
    ['in', 'a', 'v', 12],
    ['in', 'b', 'v', 13],
    ['in', 'a', 'v', 2],
  ]
  const rows = async (store: ReturnType<typeof Stores.window>, config: { readonly [key: string]: unknown }) => {
    const run = new TableRun(
      (builder) => {
        const windowed = builder
          .stream<string, string>('in')
          .groupByKey()
          .windowedBy(TimeWindows.ofSizeAndGrace(10, 50))
          .emitStrategy(onClose)
        windowed.count(Materialized.as<any, any>(store).withKeySerde(string))
      },
      string,
      string,
      config,
    )
    await run.pipe(...three)
    const all: (readonly [Windowed<string>, unknown])[] = await (run.driver.getStateStore('w') as any).all().toArray()
    return all.map(([{ key, window }]) => `${key}${window.start}`).join(' ')
  }

  it('lies by time, in Kafka Streams as it was picked', async () => {
    const settings = { retentionMs: 60, windowSizeMs: 10 }
    expect(await rows(Stores.window('w', settings), {})).toBe('a0 b0 a10 b10')
    expect(await rows(Stores.window('w', settings), kafkaStreams)).toBe('a0 a10 b0 b10')
    expect(await rows(Stores.inMemoryWindow('w', settings), kafkaStreams)).toBe('a0 b0 a10 b10')
  })

  it.each([
    ['by key fails in Kafka Streams', Stores.session('w', { retentionMs: 100 }), kafkaStreams, true],
    ['by key works', Stores.session('w', { retentionMs: 100 }), {}, false],
    ['by time works', Stores.inMemorySession('w', { retentionMs: 100 }), kafkaStreams, false],
  ])('sessions: %s', async (_what, store, config, fails) => {
    const { pipe } = windows(
      (grouped) =>
        grouped
          .windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10))
          .emitStrategy(onClose)
          .count(Materialized.as<any, any>(store).withKeySerde(string)),
      config,
    )
    const results = pipe(['k', 'v', 1], ['z', 'v', 40])
    if (fails) await expect(results).rejects.toThrow(/"w" keeps its sessions by key and cannot find those/)
    else expect(await results).toEqual(['', 'k[1,1]=1@1'])
  })
})

describe('suppress (kafka-streams.md B.6)', () => {
  const held = (suppressed: Suppressed) => (grouped: KGroupedStream<string, string>) =>
    grouped.windowedBy(TimeWindows.ofSizeAndGrace(10, 5)).count().suppress(suppressed)

  it('sends final results exactly when a window closes, by end, then key bytes', async () => {
    expect(
      await windows(held(finals)).pipe(['z', 'v', 1], ['a', 'v', 2], ['a', 'v', 14], ['b', 'v', 15], ['b', 'v', 25]),
    ).toEqual(['', '', '', 'a[0,10]=1@2 z[0,10]=1@1', 'a[10,20]=1@14 b[10,20]=1@15'])
  })

  it.each([
    [{}, ['', '', '', 'k[10,20]=2@20']],
    [{ 'compat.double-final-result': 'kafka-streams' }, ['', 'k[10,20]=1@20', 'k[10,20]=2@20', '']],
  ])('[S6] H-4: sends one final result of a sliding window: %j', async (config, expected) => {
    const { pipe } = windows(
      (grouped) => grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5)).count().suppress(finals),
      config,
    )
    const found = await pipe(['k', 'v', 20], ['z', 'v', 25], ['k', 'v', 20], ['z', 'v', 26])
    expect(
      found.map((one) =>
        one
          .split(' ')
          .filter((result) => result.startsWith('k[10'))
          .join(' '),
      ),
    ).toEqual(expected)
  })

  it('[G-22] sends one final result of a session, and no deletions', async () => {
    const { pipe } = windows((grouped) =>
      grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).count().suppress(finals),
    )
    expect(await pipe(['k', 'v', 100], ['k', 'v', 110], ['z', 'v', 125], ['k', 'v', 110], ['z', 'v', 126])).toEqual([
      '',
      '',
      '',
      '',
      'k[100,110]=3@110',
    ])
  })

  it('waits from the first update of a row, and sends the newest', async () => {
    const { pipe } = windows(held(Suppressed.untilTimeLimit(10, BufferConfig.unbounded())))
    expect(
      await pipe(['k', 'v', 100], ['k', 'v', 105], ['z', 'v', 109], ['z', 'v', 110], ['z', 'v', 118], ['z', 'v', 119]),
    ).toEqual(['', '', '', 'k[100,110]=2@105', '', 'z[100,110]=1@109'])
  })

  it.each([
    ['records', BufferConfig.maxRecords(2), ['', '', 'a[0,10]=1@1', '']],
    ['bytes', BufferConfig.maxBytes(2 * (8 + 9 + 8 + 8 + 22)), ['', '', 'a[0,10]=1@1', '']],
    [
      'records, once more',
      BufferConfig.unbounded().withMaxRecords(1).emitEarlyWhenFull(),
      ['', 'a[0,10]=1@1', 'b[0,10]=1@2', ''],
    ],
    ['nothing', BufferConfig.maxRecords(1).withNoBound(), ['', '', '', '']],
  ])('lets the oldest row go early when the buffer is full of %s', async (_what, buffer, expected) => {
    const { pipe } = windows(held(Suppressed.untilTimeLimit(1000, buffer)))
    expect(await pipe(['a', 'v', 1], ['b', 'v', 2], ['c', 'v', 3], ['c', 'v', 4])).toEqual(expected)
  })

  it.each([
    ['as it is now', {}, 'k=a/a@1 k=a/a@1', 'k=b/b@12 k=b/b@12'],
    ['in Kafka Streams as it was, while a row is on its way', kafkaStreams, 'k=a/null@1', 'k=b/a@12 k=a/b@12'],
  ])('is read %s', async (_how, config, first, second) => {
    const run = new TableRun(
      (builder) => {
        const rows = builder
          .table<string, string>('t')
          .suppress(Suppressed.untilTimeLimit(10, BufferConfig.unbounded())) as KTable<string, string>
        rows
          .leftJoin(rows, (left, right) => `${left}/${right}`)
          .filter((key) => key === 'k')
          .toStream()
          .to('out')
      },
      string,
      string,
      config,
    )
    const piped = await run.pipe(['t', 'k', 'a', 1], ['t', 'z', 'x', 11], ['t', 'k', 'b', 12], ['t', 'y', 'x', 30])
    expect([piped[1], piped[3]]).toEqual([first, second])
  })

  it('fails when it may not let a row go, and says how full it was', async () => {
    const { pipe } = windows(held(Suppressed.untilWindowCloses(BufferConfig.maxRecords(1).shutDownWhenFull())))
    await pipe(['a', 'v', 1])
    await expect(pipe(['b', 'v', 2])).rejects.toThrow(
      /KTABLE-SUPPRESS-0000000003 buffer exceeded its max capacity\. Currently \[2\/1\] records and \[\d+\/Infinity\] bytes/,
    )
  })

  it('sends deletions on but for those of windows', async () => {
    const deleting = (suppressed: Suppressed) =>
      windows((grouped) =>
        grouped
          .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
          .aggregate(
            () => '',
            (_key, value) => (value === 'del' ? null : value),
          )
          .suppress(suppressed),
      )
    const rows: Row[] = [
      ['k', 'a', 1],
      ['k', 'del', 2],
      ['z', 'v', 50],
    ]
    expect((await deleting(finals).pipe(...rows)).at(-1)).toBe('')
    expect((await deleting(Suppressed.untilTimeLimit(10, BufferConfig.unbounded())).pipe(...rows)).at(-1)).toBe(
      'k[0,10]=null@2',
    )
  })

  it('hands the old value of a row on as the tables behind it know it', async () => {
    const run = new TableRun((builder: StreamsBuilder) =>
      builder
        .stream<string, string>('in')
        .groupByKey()
        .count(Materialized.as('counts'))
        .suppress(Suppressed.untilTimeLimit(10, BufferConfig.unbounded()))
        .groupBy((key, count) => [key, String(count)], Grouped.with(string, string))
        .aggregate(
          () => '',
          (_key, value, all) => `${all}+${value}`,
          (_key, value, all) => `${all}-${value}`,
          Materialized.with(string, string),
        )
        .toStream()
        .to('out'),
    )
    const at = (key: string, ...times: number[]): Piped[] => times.map((time) => ['in', key, 'v', time])
    expect((await run.pipe(...at('k', 1, 2), ...at('z', 20))).join()).toContain('k=+2@2')
    expect((await run.pipe(...at('k', 21, 22), ...at('z', 50))).join()).toContain('k=+2-2+4@22')
  })

  it('is refused for a table without windows, and for a buffer that may let a final result go early', () => {
    const builder = new StreamsBuilder()
    expect(() => builder.table('t').suppress(finals as Suppressed)).toThrow(
      /Window close time is only defined for windowed computations\. Got \[root->KTABLE-SOURCE-0000000002\]/,
    )
    expect(() => Suppressed.untilWindowCloses(BufferConfig.maxRecords(1) as never)).toThrow(/shutDownWhenFull/)
  })

  it('knows the windows of a table through what is made of it', async () => {
    const { pipe } = windows((grouped) =>
      grouped
        .windowedBy(TimeWindows.ofSizeAndGrace(10, 5))
        .count()
        .mapValues((count) => String(count * 2))
        .filter((_key, count) => count.length < 3)
        .suppress(finals),
    )
    expect(await pipe(...k(1, 14, 15))).toEqual(['', '', 'k[0,10]=2@1'])
  })
})

describe('cogrouped streams', () => {
  const cogrouped = (
    write: (a: KGroupedStream<string, string>, b: KGroupedStream<string, string>) => KTable<any, any>,
  ) =>
    new TableRun((builder) => {
      const grouped = (topic: string) => builder.stream<string, string>(topic).groupByKey(Grouped.with(string, string))
      write(grouped('a'), grouped('b'))
        .toStream((key: any) => (typeof key === 'string' ? key : `${key.key}[${key.window.start},${key.window.end}]`))
        .to('out')
    })
  const add = (_key: string, value: string, all: string) => `${all}${value}`
  const plus = (_key: string, value: string, all: string) => `${all}+${value}`
  const kept = Materialized.with(string, string)

  it('are added each by its own function', async () => {
    const run = cogrouped((a, b) =>
      a
        .cogroup<string>(add)
        .cogroup(b, plus)
        .aggregate(() => '', kept),
    )
    expect(await run.pipe(['a', 'k', '1', 1], ['b', 'k', '2', 2], ['a', 'k', '3', 0], ['a', 'k', null, 9])).toEqual([
      'k=1@1',
      'k=1+2@2',
      'k=1+23@2',
      '',
    ])
    expect(run.dropped('null_value')).toBe(1)
  })

  it('are late each by its own clock', async () => {
    const run = cogrouped((a, b) =>
      a
        .cogroup<string>(add)
        .cogroup(b, plus)
        .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
        .aggregate(() => '', kept),
    )
    expect(await run.pipe(['a', 'k', '1', 25], ['b', 'k', '2', 19], ['a', 'k', '3', 19])).toEqual([
      'k[20,30]=1@25',
      'k[10,20]=+2@19',
      '',
    ])
  })

  it('share sessions', async () => {
    const run = cogrouped((a, b) =>
      a
        .cogroup<string>(add)
        .cogroup(b, plus)
        .windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10))
        .aggregate(
          () => '',
          (_key, one, other) => `${one}|${other}`,
          kept,
        ),
    )
    expect(await run.pipe(['a', 'k', '1', 5], ['b', 'k', '2', 15])).toEqual([
      'k[5,5]=1@5',
      'k[5,5]=null@5 k[5,15]=|1+2@15',
    ])
  })

  it('[B2] of which one crosses a boundary come together in windows, in Kafka Streams with the default serdes, too', async () => {
    for (const config of [{}, kafkaStreams]) {
      const run = new TableRun(
        (builder) => {
          const crossing = builder.stream<string, string>('a').groupBy((key) => key)
          const staying = builder.stream<string, string>('b').groupByKey()
          crossing
            .cogroup<string>(add)
            .cogroup(staying, plus)
            .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
            .aggregate(() => '')
            .toStream(({ key, window }) => `${key}[${window.start},${window.end}]`)
            .to('out')
        },
        string,
        string,
        config,
      )
      expect(await run.pipe(['b', 'k', '1', 3], ['a', 'k', '2', 4])).toEqual(['k[0,10]=+1@3', 'k[0,10]=+12@4'])
    }
  })
})

describe('unlimited windows', () => {
  it('[G3] count from their start on, and tell what came before it', async () => {
    const { run, pipe } = windows((grouped) => grouped.windowedBy(UnlimitedWindows.of().startOn(10)).count())
    const end = Number.MAX_SAFE_INTEGER
    expect(await pipe(...k(10, 9, 10 ** 12, 11))).toEqual([
      `k[10,${end}]=1@10`,
      '',
      `k[10,${end}]=2@${10 ** 12}`,
      `k[10,${end}]=3@${10 ** 12}`,
    ])
    expect(run.silent('before_unlimited_window')).toBe(1)
  })
})

describe('retention (kafka-streams.md A.7)', () => {
  const kept = (retentionMs: number) => Materialized.as<string, number>('w').withRetention(retentionMs)

  it.each([
    [
      25,
      (grouped: KGroupedStream<string, string>, store: Materialized<string, number>) =>
        grouped.windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5)).count(store),
      'The retention period of the window store w must be no smaller than 2 * time difference plus the grace period. Got time difference=[10], grace=[5], retention=[24]',
    ],
    [
      15,
      (grouped: KGroupedStream<string, string>, store: Materialized<string, number>) =>
        grouped.windowedBy(SessionWindows.ofInactivityGapAndGrace(10, 5)).count(store),
      'The retention period of the session store w must be no smaller than the session inactivity gap plus the grace period. Got gap=[10], grace=[5], retention=[14]',
    ],
  ] as const)('of %d is the least', (least, count, message) => {
    expect(() => windows((grouped) => count(grouped, kept(least)))).not.toThrow()
    expect(() => windows((grouped) => count(grouped, kept(least - 1)))).toThrow(message)
  })

  it.each([
    () => SlidingWindows.ofTimeDifferenceWithNoGrace(-1),
    () => SlidingWindows.ofTimeDifferenceAndGrace(1, -1),
    () => SessionWindows.ofInactivityGapWithNoGrace(-1),
    () => SessionWindows.ofInactivityGapAndGrace(1, -1),
    () => UnlimitedWindows.of().startOn(-1),
    () => BufferConfig.maxRecords(-1),
    () => BufferConfig.maxBytes(0.5),
    () => Suppressed.untilTimeLimit(0.5, BufferConfig.unbounded()),
  ])('and all durations are refused when they are none: %s', (make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'TOPOLOGY_INVALID' }))
  })
})
