import { describe, expect, it } from 'vitest'
import {
  Consumed,
  Joined,
  JoinWindows,
  type KStream,
  type KTable,
  laneOf,
  Materialized,
  Produced,
  SeededRandom,
  Stores,
  StreamJoined,
  StreamsBuilder,
  string,
  type Topology,
} from '../src/index.js'
import { faulty } from './faultyLog.js'
import { type Harness, harness } from './harness.js'

type Row = readonly [key: string, value: string, timestamp: number]

const keys = Array.from({ length: 12 }, (_, index) => `k${index}`)
const diff = 10

/** Records of one side, out of order by less than 40 ms. */
function rows(side: string, seed: number, count: number): Row[] {
  const random = new SeededRandom(seed)
  const at = (limit: number) => Math.floor(random.next() * limit)
  return Array.from({ length: count }, (_, index) => [
    keys[at(keys.length)] as string,
    `${side}${index}`,
    100 + index * 3 + at(40),
  ])
}

/** What a join of any kind must give when nothing comes late: each pair once, and each record without a partner once. */
function expected(left: readonly Row[], right: readonly Row[], kind: 'join' | 'leftJoin' | 'outerJoin'): string[] {
  const meet = ([key, , time]: Row, [other, , otherTime]: Row) => key === other && Math.abs(time - otherTime) <= diff
  const pairs = left.flatMap((one) =>
    right
      .filter((other) => meet(one, other))
      .map((other) => `${one[0]} ${one[1]}/${other[1]} ${Math.max(one[2], other[2])}`),
  )
  const alone = (own: readonly Row[], others: readonly Row[], text: (value: string) => string) =>
    own
      .filter((one) => !others.some((other) => meet(one, other)))
      .map(([key, value, time]) => `${key} ${text(value)} ${time}`)
  return [
    ...pairs,
    ...(kind === 'join' ? [] : alone(left, right, (value) => `${value}/null`)),
    ...(kind === 'outerJoin' ? alone(right, left, (value) => `null/${value}`) : []),
  ].sort()
}

const serdes = StreamJoined.with(string, string, string)
const slash = (left: string | null, right: string | null) => `${left}/${right}`
const windows = JoinWindows.ofTimeDifferenceAndGrace(diff, 5)

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

const ends = { l: 3, r: 3 } as const

/** Moves the clock of every partition to this time. */
async function end(run: Harness, timestamp: number): Promise<void> {
  for (const [topic, partitions] of Object.entries(ends)) {
    for (let partition = 0; partition < partitions; partition++) {
      const key = string.serialize('', undefined as never, `end-${topic}-${partition}`)
      await run.log.append([{ topic, partition, key, value: key, timestamp, headers: [] }])
    }
  }
}

async function outputs(run: Harness): Promise<string[]> {
  const read = await run.read('out')
  return read.filter(({ key }) => !key?.startsWith('end')).map((one) => `${one.key} ${one.value} ${one.timestamp}`)
}

/** Runs to the end: until the rows that are wanted are there, so a missing one shows as a time-out. */
async function runJoin(
  topology: Topology,
  left: readonly Row[],
  right: readonly Row[],
  wanted: number,
  { faults = [], ...config }: { faults?: Parameters<typeof faulty>[1] | []; [key: string]: unknown } = {},
): Promise<string[]> {
  const seen = faults instanceof Map ? (log: Harness['log']) => faulty(log, faults) : undefined
  const run = await harness(
    topology,
    { l: 3, r: 3, out: 1 },
    { 'lanes.count': 8, 'time.max-out-of-orderness-ms': 50, ...config },
    seen,
  )
  await run.engine.start()
  for (let at = 0; at < Math.max(left.length, right.length); at += 25) {
    await run.send('l', left.slice(at, at + 25))
    await run.send('r', right.slice(at, at + 25))
  }
  await end(run, 5000)
  return (await untilThere(run, wanted)).sort()
}

/** Waits until so many rows are committed, then stops, and gives all that are there by then. */
async function untilThere(run: Harness, wanted: number): Promise<string[]> {
  for (;;) {
    // An epoch whose answer was lost tells nothing when it turns out to be committed; the next one starts then.
    const more = new Promise<void>((resolve) => {
      const off = run.engine.events.on(['epoch-committed', 'epoch-started'], () => {
        off()
        resolve()
      })
    })
    const found = await outputs(run)
    if (found.length >= wanted) {
      await run.engine.stop()
      return await outputs(run)
    }
    // A run that has failed says why, and does not wait for the time limit.
    const failed = run.engine.finished.then((failure) => Promise.reject(failure ?? new Error('the run has ended')))
    await Promise.race([more, failed])
  }
}

function joined(
  kind: 'join' | 'leftJoin' | 'outerJoin',
  shape: (stream: KStream<string, string>) => KStream<string, string> = (stream) => stream,
): Topology {
  const builder = new StreamsBuilder()
  const consumed = Consumed.with(string, string, { nulls: 'drop' })
  const left = shape(builder.stream('l', consumed))
  const right = shape(builder.stream('r', consumed))
  const joins = {
    join: () => left.join(right, slash, windows, serdes),
    leftJoin: () => left.leftJoin(right, slash, windows, serdes),
    outerJoin: () => left.outerJoin(right, slash, windows, serdes),
  }
  joins[kind]().to('out', Produced.with(string, string))
  return builder.build()
}

const left = rows('l', 1, 150)
const right = rows('r', 2, 150)

describe('joins of streams over several lanes', () => {
  it.each(['join', 'leftJoin', 'outerJoin'] as const)('[W7] %s: each pair and each lone record once', async (kind) => {
    const wanted = expected(left, right, kind)
    expect(await runJoin(joined(kind), left, right, wanted.length)).toEqual(wanted)
  })

  it.each(['join', 'outerJoin'] as const)('[L1] %s: whatever the lanes wait for', async (kind) => {
    const wanted = expected(left, right, kind)
    expect(await runJoin(joined(kind, unsteady), left, right, wanted.length)).toEqual(wanted)
  })

  it.each(['join', 'outerJoin'] as const)('[B1] %s: both sides cross to the lanes of their new keys', async (kind) => {
    const rekeyed = (stream: KStream<string, string>) =>
      unsteady(stream.selectKey((key) => `${key}`.toUpperCase())).selectKey((key) => key.toLowerCase())
    const wanted = expected(left, right, kind)
    expect(await runJoin(joined(kind, rekeyed), left, right, wanted.length)).toEqual(wanted)
  })

  it.each(['join', 'outerJoin'] as const)('[E4] %s: aborts and lost answers neither lose nor double', async (kind) => {
    const faults = new Map([
      [2, 'before'],
      [3, 'answer-lost'],
      [5, 'before'],
    ] as const)
    const wanted = expected(left, right, kind)
    expect(await runJoin(joined(kind, unsteady), left, right, wanted.length, { faults })).toEqual(wanted)
  })

  it('[W2] stream-time: each pair of an inner join once', async () => {
    const wide = JoinWindows.ofTimeDifferenceAndGrace(diff, 100_000)
    const builder = new StreamsBuilder()
    const consumed = Consumed.with(string, string, { nulls: 'drop' })
    unsteady(builder.stream('l', consumed))
      .join(unsteady(builder.stream('r', consumed)), slash, wide, serdes)
      .to('out', Produced.with(string, string))
    const wanted = expected(left, right, 'join')
    const found = await runJoin(builder.build(), left, right, wanted.length, { 'time.mode': 'stream-time' })
    expect(found).toEqual(wanted)
  })

  it("[W5] sends what has closed on each key's own lane, wherever the scan ran", async () => {
    const builder = new StreamsBuilder()
    const consumed = Consumed.with(string, string, { nulls: 'drop' })
    const tellLane = () => {
      let lane = -1
      return {
        init: (context: { readonly lane: number }) => {
          lane = context.lane
        },
        process: (record: any, ctx: any) => void ctx.forward({ ...record, value: `${lane}` }),
      }
    }
    builder
      .stream('l', consumed)
      .outerJoin(builder.stream('r', consumed), slash, windows, serdes)
      .processValues<string>(tellLane)
      .to('out', Produced.with(string, string))
    const wanted = expected(left, right, 'outerJoin')
    const found = await runJoin(builder.build(), left, right, wanted.length)
    const lanes = new Set(found.map((row) => row.split(' ').slice(0, 2).join(' ')))
    expect([...lanes].sort()).toEqual(keys.map((key) => `${key} ${laneOf(new TextEncoder().encode(key), 8)}`).sort())
  })

  it('[A.5] keeps both of two equal times apart over an abort between them', async () => {
    const faults = new Map([[2, 'before']] as const)
    const run = await harness(joined('join'), { l: 1, r: 1, out: 1 }, { 'lanes.count': 8 }, (log) =>
      faulty(log, faults),
    )
    await run.engine.start()
    const positions = () => run.engine.snapshot().clocks.partitions.map(({ position }) => position)
    const committed = async (done: readonly number[]) => {
      const { number } = run.engine.snapshot().epoch
      await run.event(
        'epoch-committed',
        () => `${positions()}` === `${done}` && run.engine.snapshot().epoch.number >= number,
      )
    }
    await run.send('l', [['k', 'a', 100]])
    await committed([1, 0])
    await run.send('l', [['k', 'b', 100]])
    await committed([2, 0])
    await run.send('r', [['k', 'x', 105]])
    await committed([2, 1])
    await run.engine.stop()
    expect(await outputs(run)).toEqual(['k a/x 105', 'k b/x 105'])
  })

  it('[W4] stream-time: what comes in time order is joined or sent alone, each once', async () => {
    const inOrder = (all: readonly Row[]) => [...all].sort((a, b) => a[2] - b[2])
    const topics = { l: 1, r: 1, out: 1 }
    const run = await harness(joined('outerJoin', unsteady), topics, { 'lanes.count': 8, 'time.mode': 'stream-time' })
    await run.send('l', [...inOrder(left), ['end-l', 'x', 5000]])
    await run.send('r', [...inOrder(right), ['end-r', 'x', 5000]])
    await run.engine.start()
    const wanted = expected(left, right, 'outerJoin')
    expect((await untilThere(run, wanted.length)).sort()).toEqual(wanted)
  })
})

describe('a join with a versioned table over several lanes', () => {
  it('[W5] [E4] waits for the grace, and joins each record once as of its own time, over aborts', async () => {
    const faults = new Map([
      [2, 'before'],
      [4, 'answer-lost'],
    ] as const)
    const versions: Row[] = keys.flatMap((key) => [80, 200, 350].map((time): Row => [key, `${key}@${time}`, time]))
    const builder = new StreamsBuilder()
    const consumed = Consumed.with(string, string, { nulls: 'drop' })
    const versioned = Materialized.as<string, string>(Stores.versionedKeyValue('v', { historyRetentionMs: 100_000 }))
    const table = builder.table('r', consumed, versioned)
    unsteady(builder.stream('l', consumed))
      .join(table, slash, Joined.with(string, string).withGracePeriod(1000))
      .to('out', Produced.with(string, string))
    const asOf = (key: string, time: number) => versions.filter(([of, , from]) => of === key && from <= time).at(-1)
    const wanted = left.map(([key, value, time]) => `${key} ${value}/${asOf(key, time)?.[1]} ${time}`).sort()
    expect(await runJoin(builder.build(), left, versions, wanted.length, { faults })).toEqual(wanted)
  })
})

describe('a lookup in a table over several lanes', () => {
  it.each([
    ['table', 1],
    ['stream', 1],
    ['table', 4],
    ['stream', 4],
  ] as const)(
    '[W4] sees the rows that were read before the record, and no later one: the %s first, %i lanes',
    async (first, lanes) => {
      const builder = new StreamsBuilder()
      const consumed = Consumed.with(string, string, { nulls: 'drop' })
      const parts = {
        table: () => builder.table('r', consumed),
        stream: () => unsteady(builder.stream('l', consumed)),
      }
      const [early, late] = first === 'table' ? [parts.table(), parts.stream()] : [parts.stream(), parts.table()]
      const [table, stream] = first === 'table' ? [early, late] : [late, early]
      ;(stream as KStream<string, string>)
        .leftJoin(table as KTable<string, string>, slash)
        .to('out', Produced.with(string, string))
      const run = await harness(builder.build(), { l: 1, r: 1, out: 1 }, { 'lanes.count': lanes })
      const updates: Row[] = []
      const looked: Row[] = []
      const rowOf = new Map<string, string>()
      const wanted: string[] = []
      for (let time = 0; time < 200; time++) {
        const key = keys[Math.floor(time / 4) % 3] as string
        if (time % 3 === 0) {
          updates.push([key, `row${time}`, time])
          rowOf.set(key, `row${time}`)
        } else {
          looked.push([key, `${time}`, time])
          wanted.push(`${key} ${time}/${rowOf.get(key) ?? null} ${time}`)
        }
      }
      await run.send('r', updates)
      await run.send('l', looked)
      await run.engine.start()
      expect((await untilThere(run, wanted.length)).sort()).toEqual(wanted.sort())
    },
  )
})
