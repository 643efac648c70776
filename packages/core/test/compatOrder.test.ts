import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type Processor,
  type ProcessorContext,
  type Record,
  Repartitioned,
  Stores,
  StreamsBuilder,
  string,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'

type Context = CallbackContext<string, string, string>

const KAFKA = { compat: 'kafka-streams', 'default.key.serde': 'string', 'default.value.serde': 'string' }
const text = Consumed.with(string, string)

/** Writes down what it gets, and goes on with it. */
const noting = (name: string, seen: string[], forwards = true) => ({
  get: () => ({
    process: (record: Record<string, string>, ctx: Context) => {
      seen.push(`${name} ${record.value}`)
      if (forwards) return ctx.forward(record)
    },
  }),
})

/** Notes its records, and a stream-time punctuation of 10 ms. */
const punctuating = (seen: string[]) => (): Processor<any, any> => ({
  init: (context: ProcessorContext) => {
    context.schedule(10, 'stream-time', (at) => void seen.push(`at ${at}`))
  },
  process: (record: Record<string, string>) => void seen.push(record.value),
})

async function pipe(topology: Topology, config: { [key: string]: unknown }, records: readonly [string, number][]) {
  const driver = new TopologyTestDriver(topology, config)
  const input = driver.createInputTopic('in', string, string)
  for (const [value, at] of records) await input.pipeInput('k', value, at)
}

describe('[B6] [D1] under compat: kafka-streams an edge of the Processor API', () => {
  const branching = (seen: string[]) =>
    new Topology()
      .addSource('s', text, 'in')
      .addProcessor('a', noting('a', seen), 's')
      .addProcessor('b', noting('b', seen), 'a')
      .addProcessor('c', noting('c', seen, false), 'b')
      .addProcessor('d', noting('d', seen, false), 'a')
      .addStateStore(Stores.inMemoryKeyValue('st', string, string), 'c')

  it('goes on at once, depth first', async () => {
    const seen: string[] = []
    await pipe(branching(seen), KAFKA, [['v', 1]])
    expect(seen).toEqual(['a v', 'b v', 'c v', 'd v'])
  })

  it('is a boundary otherwise: what is behind it comes when its lane has its turn', async () => {
    const seen: string[] = []
    await pipe(branching(seen), { ...KAFKA, compat: 'repair' }, [['v', 1]])
    expect(seen).toEqual(['a v', 'b v', 'd v', 'c v'])
  })

  it('awaits what is behind it with the rest of the callback, and hides no fatal error', async () => {
    const seen: string[] = []
    const topology = new Topology()
      .addSource('s', Consumed.deserializers({ deserialize: () => 'k0' }, string), 'in')
      .addProcessor(
        'a',
        {
          get: () => ({
            process: async (record: Record<string, string>, ctx: Context) => {
              try {
                await ctx.forward(record)
              } catch {
                seen.push('caught')
              }
              seen.push('a is over')
            },
          }),
        },
        's',
      )
      .addProcessor(
        'b',
        {
          timers: ['event-time'] as const,
          get: () => ({
            process: async ({ key, value }: Record<string, string>, ctx: Context) => {
              await Promise.resolve()
              seen.push(value)
              if (value === 'arm') ctx.timers.register({ key, at: 5, domain: 'event-time' })
            },
            onTimer: () => undefined,
          }),
        },
        'a',
      )
    await pipe(topology, KAFKA, [
      ['v', 1],
      ['arm', 2],
    ])
    expect(seen).toEqual(['v', 'a is over', 'arm', 'a is over'])
  })
})

describe('[W5] [D1] under compat: kafka-streams a punctuator behind a repartition', () => {
  const behind = (seen: string[]) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .repartition(Repartitioned.with(string, string))
      .process(punctuating(seen) as never)
    return builder.build()
  }
  const records: [string, number][] = [
    ['a', 10],
    ['b', 12],
    ['c', 20],
  ]

  it('fires before the record that has crossed: all sub-topologies share one stream time', async () => {
    const seen: string[] = []
    await pipe(behind(seen), KAFKA, records)
    expect(seen).toEqual(['at 10', 'a', 'b', 'at 20', 'c'])
  })

  it('fires after it otherwise: nothing overtakes a record read before (W7)', async () => {
    const seen: string[] = []
    await pipe(behind(seen), { ...KAFKA, compat: 'repair' }, records)
    expect(seen).toEqual(['a', 'at 10', 'b', 'c', 'at 20'])
  })

  it('and a record that crosses with a later time moves stream time when it is taken up', async () => {
    const seen: string[] = []
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .process({
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            for (const at of [40, 20]) void ctx.forward({ ...record, value: `${record.value}${at}`, timestamp: at })
          },
        }),
      })
      .repartition(Repartitioned.with(string, string))
      .process(punctuating(seen) as never)
    await pipe(builder.build(), KAFKA, [['a', 10]])
    expect(seen).toEqual(['at 10', 'a40', 'at 40', 'a20'])
  })

  it('takes up the earliest of several repartitions first, in turn among equals', async () => {
    const seen: string[] = []
    const builder = new StreamsBuilder()
    const shifted = builder.stream<any, any>('in', text).process({
      get: () => ({
        process: (record: Record<string, string>, ctx: Context) => {
          for (const value of ['1', '2']) void ctx.forward({ ...record, value })
          void ctx.forward({ ...record, value: '0', timestamp: record.timestamp - 5 })
        },
      }),
    })
    for (const name of ['x', 'y']) {
      shifted
        .filter((_key, value) => name === 'x' || value !== '0')
        .repartition(Repartitioned.with(string, string).withName(name))
        .foreach((_key, value) => void seen.push(`${name}${value}`))
    }
    await pipe(builder.build(), KAFKA, [['a', 10]])
    expect(seen).toEqual(['x1', 'y1', 'x2', 'x0', 'y2'])
  })
})

describe('[W5] [D1] under compat: kafka-streams, when a record fails', () => {
  const failing = (seen: string[]) =>
    new Topology()
      .addSource('s', text, 'in')
      .addProcessor('p', { get: punctuatingAndForwarding(seen) }, 's')
      .addProcessor('refusing', { get: () => ({ process: refuse }) }, 'p')

  /** Pipes each value a millisecond after the last one, and notes which failed. */
  async function drive(compat: string, values: readonly string[]): Promise<string[]> {
    const seen: string[] = []
    const driver = new TopologyTestDriver(failing(seen), { ...KAFKA, compat })
    const input = driver.createInputTopic('in', string, string)
    for (const [index, value] of values.entries())
      await input.pipeInput('k', value, 20 + index).catch(() => seen.push('failed'))
    await driver.advanceWallClockTime(5)
    return seen
  }

  it('what is due by stream time waits for the next record that gets through', async () => {
    expect(await drive('kafka-streams', ['bad', 'bad', 'v'])).toEqual(['bad', 'failed', 'bad', 'failed', 'v', 'at 22'])
    expect(await drive('kafka-streams', ['bad'])).toEqual(['bad', 'failed'])
  })

  it('otherwise it fires all the same', async () => {
    expect(await drive('repair', ['bad', 'v'])).toEqual(['bad', 'at 20', 'failed', 'v'])
  })

  it('a punctuator behind a repartition sees the stream time that it fires by (B.2)', async () => {
    const seen: string[] = []
    const builder = new StreamsBuilder()
    builder
      .stream('in', text)
      .repartition(Repartitioned.with(string, string))
      .process({
        get: () => ({
          init: (context: ProcessorContext) => {
            context.schedule(10, 'stream-time', (at, ctx) => void seen.push(`at ${at} of ${ctx.eventTime}`))
          },
          process: () => undefined,
        }),
      })
    await pipe(builder.build(), KAFKA, [['v', 8]])
    expect(seen).toEqual(['at 8 of 8'])
  })
})

const punctuatingAndForwarding = (seen: string[]) => (): Processor<any, any> => {
  const { init } = punctuating(seen)()
  return {
    ...(init && { init }),
    process: (record: Record<string, string>, ctx: Context) => {
      seen.push(record.value)
      return ctx.forward(record)
    },
  }
}

function refuse({ value }: Record<string, string>): void {
  if (value === 'bad') throw new Error('refused')
}
