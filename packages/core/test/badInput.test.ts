import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  EmbeddedLog,
  Headers,
  MemoryLogStorage,
  Produced,
  parseConfig,
  type Record,
  Repartitioned,
  SeededRandom,
  type Serde,
  Stores,
  StreamError,
  StreamsBuilder,
  SystemClock,
  string,
  Topology,
} from '../src/index.js'

type Context = CallbackContext<string, string, string>

/** Refuses the text `bad`, to write and to read, until it is mended. */
function picky(): Serde<string> & { mend(): void } {
  let mended = false
  const check = (value: string) => {
    if (value === 'bad' && !mended) throw new Error('cannot take "bad"')
    return value
  }
  return {
    id: 'picky',
    serialize: (topic, headers, value) => string.serialize(topic, headers, check(value)),
    deserialize: (topic, headers, bytes) => check(string.deserialize(topic, headers, bytes)),
    mend: () => {
      mended = true
    },
  }
}

/** Every record goes through; at `bad` it does what is wrong. */
function doing(wrong: (record: Record<string, string>, ctx: Context) => unknown): Topology {
  return new Topology()
    .addSource('s', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            if (record.value === 'bad') wrong(record, ctx)
            return ctx.forward(record)
          },
          onTimer: () => undefined,
        }),
      },
      's',
    )
    .addSink('out', 'out', Produced.with(string, string), 'work')
}

async function openLog(): Promise<EmbeddedLog> {
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock: new SystemClock() })
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  const text = (value: string) => string.serialize('', Headers.empty, value)
  const values = ['a', 'b', 'bad', 'c', 'd']
  await log.append(
    values.map((value, timestamp) => ({
      topic: 'in',
      partition: 0,
      key: text('k0'),
      value: text(value),
      timestamp,
      headers: [],
    })),
  )
  return log
}

async function start(log: EmbeddedLog, topology: Topology) {
  const config = parseConfig({
    'application.id': 'app',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'lanes.count': 8,
    'commit.interval.ms': 5,
    'future-timestamp.guard': 'off',
  })
  const compiled = topology.compile(config)
  const clock = new SystemClock()
  const engine = createEngine({ topology: compiled, config, log, clock, random: new SeededRandom(1) })
  await engine.start()
  return engine
}

async function written(log: EmbeddedLog): Promise<string[]> {
  const { records } = await log.read('out', 0, 0, 100)
  return records.map(({ value }) => new TextDecoder().decode(value as Uint8Array))
}

/** Runs into the bad record, which ends the run; then runs what is mended, to the end. */
async function failThenMend(bad: Topology, good: Topology): Promise<{ failure: unknown; written: string[] }> {
  const log = await openLog()
  const failure = await (await start(log, bad)).finished
  return { failure, written: await mend(log, good) }
}

/** Runs until all is written. */
async function mend(log: EmbeddedLog, topology: Topology): Promise<string[]> {
  const engine = await start(log, topology)
  while ((await written(log)).length < 5) await new Promise((resolve) => setImmediate(resolve))
  await engine.stop()
  expect(await engine.finished).toBeUndefined()
  return written(log)
}

const timer = (of: { [key: string]: unknown }) => (record: Record<string, string>, ctx: Context) =>
  ctx.timers.register({ key: record.key, at: 9, domain: 'event-time', ...of } as never)

const coordinates = { topic: 'in', partition: 0, offset: 2, key: 'k0', lane: 6 }

describe('bad input ends the run with a clear error, and nothing is lost', () => {
  it.each<[string, { [key: string]: unknown }, RegExp]>([
    ['a timer at NaN', { at: Number.NaN }, /registered a timer at NaN\..*0 … 2\^53−1/],
    ['a timer before 0', { at: -1 }, /registered a timer at -1\./],
    ['a timer past 2^53−1', { at: 2 ** 53 }, /registered a timer at 9007199254740992\./],
    ['a timer between two ms', { at: 1.5 }, /registered a timer at 1\.5\./],
    ['a timer for no key', { key: null }, /used a timer with a null key/],
    ['a timer in a domain that is not declared', { domain: 'processing-time' }, /domain "processing-time".*declare/],
  ])('[T1] [G2] %s', async (_, of, message) => {
    const { failure, written: values } = await failThenMend(
      doing(timer(of)),
      doing(() => undefined),
    )
    expect(failure).toMatchObject({ code: 'TIMER_INVALID', kind: 'user', context: { node: 'work', ...coordinates } })
    expect((failure as Error).message).toMatch(message)
    expect((failure as Error).message).toContain('Node "work" failed at in-0 @ 2, key k0')
    expect(values).toEqual(['a', 'b', 'bad', 'c', 'd'])
  })

  const serde = (name: string, make: (of: Serde<string>) => Topology, code: string, where: RegExp) =>
    [name, make, code, where] as const

  it.each([
    serde(
      'read at a source',
      (of) =>
        new Topology()
          .addSource('s', Consumed.with(string, of), 'in')
          .addSink('out', 'out', Produced.with(string, string), 's'),
      'DESERIALIZATION_FAILED',
      /Node "s" failed at in-0 @ 2.*"picky".*cannot take "bad"/,
    ),
    serde(
      'written by a sink',
      (of) =>
        new Topology()
          .addSource('s', Consumed.with(string, string), 'in')
          .addSink('out', 'out', Produced.with(string, of), 's'),
      'PRODUCTION_FAILED',
      /Node "out" failed at in-0 @ 2.*topic "out".*"picky".*cannot take "bad"/,
    ),
    serde(
      'written at a boundary',
      (of) => {
        const builder = new StreamsBuilder()
        builder
          .stream('in', Consumed.with(string, string))
          .selectKey((_key, value) => value as string)
          .repartition(Repartitioned.with(of, string))
          .to('out', Produced.with(string, string))
        return builder.build()
      },
      'LANE_KEY_SERIALIZATION',
      /failed at in-0 @ 2.*boundary .* → .*cannot take "bad"/,
    ),
    serde(
      'written to a store',
      (of) => {
        const store = Stores.inMemoryKeyValue('st', string, of)
        return new Topology()
          .addSource('s', Consumed.with(string, string), 'in')
          .addProcessor(
            'keep',
            {
              stores: [store],
              get: () => ({
                process: (record: Record<string, string>, ctx: Context) => {
                  ctx.store(store).put(record.key, record.value)
                  return ctx.forward(record)
                },
              }),
            },
            's',
          )
          .addSink('out', 'out', Produced.with(string, string), 'keep')
      },
      'SERIALIZATION_FAILED',
      /Node "keep" failed at in-0 @ 2, key k0.*cannot take "bad"/,
    ),
  ])('[G1] [G2] a serde that throws in the middle of a batch, %s', async (_, make, code, message) => {
    const of = picky()
    const log = await openLog()
    const failure = await (await start(log, make(of))).finished
    expect(failure).toMatchObject({ code, context: { topic: 'in', partition: 0, offset: 2 } })
    expect((failure as Error).message).toMatch(message)
    of.mend()
    expect((await mend(log, make(of))).sort()).toEqual(['a', 'b', 'bad', 'c', 'd'])
  })

  it('[L6] a supplier that gives the same processor twice is refused before anything is read', async () => {
    const one = { process: () => undefined }
    expect(() =>
      new Topology().addSource('s', Consumed.with(string, string), 'in').addProcessor('work', { get: () => one }, 's'),
    ).toThrow(/supplier of "work".*same processor twice/)
    let made = 0
    const turning = new Topology()
      .addSource('s', Consumed.with(string, string), 'in')
      .addProcessor('work', { get: () => (made++ < 2 ? { process: () => undefined } : one) }, 's')
    const log = await openLog()
    const failure = await start(log, turning).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'TOPOLOGY_INVALID', context: { node: 'work' } })
    expect((failure as Error).message).toMatch(/"work".*same processor twice.*at each call/)
    const good = doing(() => undefined)
    expect(await mend(log, good)).toEqual(['a', 'b', 'bad', 'c', 'd'])
  })

  it('[L10] a forward after the callback has returned throws to who called it, with the record it was for', async () => {
    const late: unknown[] = []
    let returned: () => void = () => undefined
    const settled = new Promise<void>((resolve) => {
      returned = resolve
    })
    const topology = doing((record, ctx) => {
      // A promise that nobody awaits: it goes on when the callback is over.
      void settled.then(() => {
        for (const use of [
          () => ctx.forward({ key: record.key, value: 'late' }),
          () => ctx.timers.register({ key: record.key, at: 5, domain: 'event-time' }),
        ]) {
          try {
            void use()
          } catch (error) {
            late.push(error)
          }
        }
      })
    })
    const log = await openLog()
    const engine = await start(log, topology)
    while ((await written(log)).length < 5) await new Promise((resolve) => setImmediate(resolve))
    returned()
    await settled
    await new Promise((resolve) => setImmediate(resolve))
    await engine.stop()
    expect(late).toMatchObject([
      { code: 'CALLBACK_SETTLED', context: { node: 'work', lane: 6, topic: 'in', partition: 0, offset: 2 } },
      { code: 'CALLBACK_SETTLED' },
    ])
    expect(late.every((error) => error instanceof StreamError)).toBe(true)
    expect((late[0] as Error).message).toContain('of the record in-0 @ 2,')
    expect(await written(log)).toEqual(['a', 'b', 'bad', 'c', 'd'])
  })
})
