import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  type KeyValueStore,
  laneOf,
  ManualClock,
  type ProcessorContext,
  Produced,
  type PunctuationOptions,
  type PunctuationType,
  type Punctuator,
  parseConfig,
  type Record,
  SeededRandom,
  Stores,
  type StreamError,
  string,
  Topology,
  type WindowStore,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { gate } from './harness.js'
import { ScriptedLog } from './ScriptedLog.js'

type Context = CallbackContext<string, string, string>
const keyed = Stores.inMemoryKeyValue('keyed', string, string)

interface Hooks {
  readonly init?: (context: ProcessorContext) => void
  readonly process?: (record: Record<string, string>, ctx: Context, context: ProcessorContext) => void | Promise<void>
  readonly sync?: true
}

/** A processor over a store, that passes on what it gets unless told otherwise. */
function topology({ init, process, sync }: Hooks): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'p',
      {
        stores: [keyed],
        ...(sync === undefined ? {} : { sync }),
        get: () => {
          let own: ProcessorContext
          return {
            init: (context: ProcessorContext) => {
              own = context
              init?.(context)
            },
            process: (record: Record<string, string>, ctx: Context) =>
              process === undefined ? void ctx.forward(record) : process(record, ctx, own),
          }
        },
      },
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'p')
}

/** Forwards a line at each call, and cancels after so many. */
function lines(limit = Number.POSITIVE_INFINITY) {
  return (intervalMs: number, type: PunctuationType, options?: PunctuationOptions) => (context: ProcessorContext) => {
    let calls = 0
    const handle = context.schedule(
      intervalMs,
      type,
      (at, ctx) => {
        calls++
        void ctx.forward({ key: 'P', value: `n${calls} at=${at} stream=${ctx.eventTime} wall=${ctx.now}` })
        if (ctx.recordMetadata !== undefined) throw new Error('There is no record in a punctuator')
        if (calls >= limit) handle.cancel()
      },
      options,
    )
  }
}

function drive(hooks: Hooks, config: { [key: string]: unknown } = {}, initialWallClockMs?: number) {
  const options = initialWallClockMs === undefined ? {} : { initialWallClockMs }
  const driver = new TopologyTestDriver(topology(hooks), config, options)
  const input = driver.createInputTopic('in', string, string)
  const output = driver.createOutputTopic('out', string, string)
  /** What came of a step: key, value, timestamp. */
  const told = () => output.readRecordsToList().map(({ key, value, timestamp }) => [key, value, timestamp])
  const pipe = async (timestamp: number, key = 'k') => {
    await input.pipeInput(key, 'v', timestamp)
    return told()
  }
  const advance = async (ms: number) => {
    await driver.advanceWallClockTime(ms)
    return told()
  }
  const refusal = (timestamp: number): Promise<StreamError> => pipe(timestamp).catch((error) => error)
  return { driver, pipe, advance, told, refusal }
}

/** The times a schedule was called with, one list a step. */
async function fired(steps: readonly number[], step: (given: number) => Promise<unknown[][]>): Promise<number[][]> {
  const all: number[][] = []
  for (const given of steps) {
    const out = await step(given)
    all.push(out.filter(([key]) => key === 'P').map(([, , timestamp]) => timestamp as number))
  }
  return all
}

describe('stream-time punctuators (kafka-streams.md B.4)', () => {
  const every = lines()

  it.each<[string, number, PunctuationOptions | undefined, number[], number[]]>([
    [
      'interval 10',
      10,
      undefined,
      [3, 9, 10, 47, 40, 1e12 + 3, 50, 1e12 + 10],
      [3, -1, 10, 47, -1, 1e12 + 3, -1, 1e12 + 10],
    ],
    ['a first record at 1003', 10, undefined, [1003, 1009, 1010], [1003, -1, 1010]],
    ['interval 7', 7, undefined, [0, 6, 7, 13, 29, 34, 35], [0, -1, 7, -1, 29, -1, 35]],
    ['interval 1', 1, undefined, [0, 0, 1, 5, 5], [0, -1, 1, 5, -1]],
    ['late records', 10, undefined, [100, 50, 109, 110, 0], [100, -1, -1, 110, -1]],
    ['anchored at 5', 10, { startMs: 5 }, [0, 4, 5, 14, 15, 47, 54, 55], [-1, -1, 5, -1, 15, 47, -1, 55]],
    ['anchored ahead', 10, { startMs: 100 }, [50, 99, 100, 110], [-1, -1, 100, 110]],
    ['the end of numbers', 10, undefined, [2 ** 53 - 5, 2 ** 53 - 1, 2 ** 53 - 1], [2 ** 53 - 5, 2 ** 53 - 1, -1]],
  ])('[W5] [G-76] [G-80] [G-106] [H-14] %s', async (_what, interval, options, times, expected) => {
    const { pipe } = drive({ init: every(interval, 'stream-time', options) })
    expect(await fired(times, pipe)).toEqual(expected.map((at) => (at < 0 ? [] : [at])))
  })

  it('[W5] comes after the record, is called with stream time, and has no record metadata', async () => {
    const { pipe } = drive({ init: every(10, 'stream-time') })
    expect(await pipe(3)).toEqual([
      ['k', 'v', 3],
      ['P', 'n1 at=3 stream=3 wall=0', 3],
    ])
  })

  it('[W5] cancelled at its second call, it does not come a third time', async () => {
    const { pipe } = drive({ init: lines(2)(10, 'stream-time') })
    expect(await fired([3, 13, 23], pipe)).toEqual([[3], [13], []])
  })

  it('[W5] is planned from a callback too, and is due at once when stream time is known', async () => {
    let calls = 0
    const { pipe } = drive({
      process: (_record, _ctx, context) => {
        if (calls++ === 0) every(10, 'stream-time')(context)
      },
    })
    expect(await fired([25, 26, 30], pipe)).toEqual([[25], [], [30]])
  })

  it('[W5] under watermark goes by the watermark, not by the greatest time', async () => {
    const { pipe } = drive(
      { init: every(10, 'stream-time') },
      { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 100 },
    )
    expect(await fired([99, 100, 109, 110], pipe)).toEqual([[], [0], [], [10]])
  })
})

describe('wall-clock punctuators (kafka-streams.md B.4)', () => {
  const every = lines()

  it.each<[string, PunctuationOptions | undefined, number, number[], number[]]>([
    ['from the registration', undefined, 0, [9, 1, 35, 5], [-1, 10, 45, 50]],
    ['counts from where the clock was', undefined, 1003, [7, 3, 5, 5, 30, 10], [-1, 1013, -1, 1023, 1053, 1063]],
    ['anchored ahead', { startMs: 5 }, 0, [4, 1, 9, 1, 30, 4, 1], [-1, 5, -1, 15, 45, -1, -1]],
    ['anchored behind', { startMs: 5 }, 1003, [1, 1, 1, 10], [-1, 1005, -1, 1016]],
    ['anchored behind, at a multiple', { startMs: 3 }, 1003, [9, 1], [-1, 1013]],
    ['anchored at now', { startMs: 7 }, 7, [0, 9, 1], [7, -1, 17]],
  ])('[W5] [G-77] %s', async (_what, options, start, steps, expected) => {
    const { advance } = drive({ init: every(10, 'wall-clock-time', options) }, {}, start)
    expect(await fired(steps, advance)).toEqual(expected.map((at) => (at < 0 ? [] : [at])))
  })

  it('[W5] is called with the wall clock; stream time is unknown before the first record', async () => {
    const { advance } = drive({ init: every(10, 'wall-clock-time') })
    expect(await advance(12)).toEqual([['P', 'n1 at=12 stream=-1 wall=12', 12]])
  })

  it('[W5] does not come because of records', async () => {
    const { pipe, driver } = drive({ init: every(10, 'wall-clock-time') })
    expect(await fired([5, 5000], pipe)).toEqual([[], []])
    await driver.advanceWallClockTime(9)
    expect(await fired([6000], pipe)).toEqual([[]])
  })

  it('[W5] stream time comes first when both are due', async () => {
    const both = (context: ProcessorContext) => {
      for (const type of ['wall-clock-time', 'stream-time'] as const) {
        context.schedule(10, type, (_at, ctx) => void ctx.forward({ key: 'P', value: type, timestamp: 7 }))
      }
    }
    let context: ProcessorContext | undefined
    const { pipe, advance } = drive({
      init: (own) => {
        context = own
      },
      process: (_record, _ctx, own) => both(own),
    })
    expect(await pipe(5)).toEqual([['P', 'stream-time', 7]])
    expect((await advance(10)).map(([, value]) => value)).toEqual(['wall-clock-time'])
    expect(context).toBeDefined()
  })
})

describe('what a punctuator may do', () => {
  const once = (punctuator: Punctuator) => (context: ProcessorContext) =>
    void context.schedule(1_000_000, 'stream-time', punctuator)

  it('[W5] reads and writes its store, and stamps what it forwards as told', async () => {
    const drain: Punctuator = async (at, ctx) => {
      const store: KeyValueStore<string, string> = ctx.store(keyed)
      for await (const [key, value] of store.all()) {
        store.delete(key)
        void ctx.forward({ key, value, timestamp: at + 1 })
      }
    }
    const { pipe, driver } = drive({
      init: (context) => void context.schedule(10, 'stream-time', drain),
      process: (record, ctx) => ctx.store(keyed).put(record.key, String(record.timestamp)),
    })
    expect(await pipe(1, 'b')).toEqual([['b', '1', 2]])
    expect([await pipe(5, 'a'), await pipe(9, 'c')]).toEqual([[], []])
    expect(await pipe(12, 'a')).toEqual([
      ['a', '12', 13],
      ['c', '9', 13],
    ])
    expect((driver.store('keyed') as KeyValueStore<string, string>).count()).toBe(0)
  })

  it.each<[string, Punctuator]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('[G1] what it %s goes to the processing handler, with the node’s name', async (_how, punctuator) => {
    const failing = drive({ init: once(punctuator) })
    const error = await failing.refusal(5)
    expect(error.message).toContain('Node "p" failed in a punctuator: boom')
    expect(error.code).toBe('PROCESSING_FAILED')
    const going = drive(
      { init: once(punctuator) },
      { 'processing.exception.handler': 'continue', 'errors.dead.letter.queue.topic.name': 'dead' },
    )
    expect(await going.pipe(5)).toEqual([['k', 'v', 5]])
    const [letter] = going.driver.createOutputTopic('dead', string, string).readRecordsToList()
    expect(letter).toMatchObject({ key: null, value: null })
    expect(going.driver.counters['dropped_records_total{reason="processing"}']).toBe(1)
  })

  it('[L10] its context is over when it is', async () => {
    let kept: CallbackContext<unknown, unknown, unknown> | undefined
    const { pipe } = drive({
      init: once((_at, ctx) => {
        kept = ctx
      }),
    })
    await pipe(5)
    expect(() => kept?.forward({ key: 'k', value: 'v' })).toThrow('has settled')
  })

  it('[L10] in a synchronous supplier it may not return a promise', async () => {
    const { refusal } = drive({ sync: true, init: once(async () => undefined) })
    expect((await refusal(5)).code).toBe('SYNC_CALLBACK_RETURNED_PROMISE')
  })

  it.each<[string, number, string, PunctuationOptions | undefined, RegExp]>([
    ['an interval of 0', 0, 'stream-time', undefined, /every 0 ms.*at least 1 ms/],
    ['half a millisecond', 0.5, 'stream-time', undefined, /every 0\.5 ms/],
    ['NaN', Number.NaN, 'wall-clock-time', undefined, /every NaN ms/],
    ['another clock', 1, 'event-time', undefined, /by "event-time"/],
    ['a start before 0', 1, 'stream-time', { startMs: -1 }, /from -1 on/],
    ['a start past 2^53', 1, 'stream-time', { startMs: 2 ** 53 }, /from 9007199254740992 on/],
  ])('[W5] refuses %s', async (_what, interval, type, options, message) => {
    const { refusal } = drive({
      init: (context) => void context.schedule(interval, type as PunctuationType, () => undefined, options),
    })
    const error = await refusal(1)
    expect([error.code, error.message]).toEqual(['PUNCTUATION_INVALID', expect.stringMatching(message)])
  })

  it('[W5] an interval of 1 ms and a start at 0 are fine', async () => {
    const { pipe } = drive({ init: lines()(1, 'stream-time', { startMs: 0 }) })
    expect(await fired([0, 1], pipe)).toEqual([[0], [1]])
  })
})

async function rest(): Promise<void> {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** An engine with several lanes. */
async function running(made: Topology, config: { [key: string]: unknown } = {}) {
  const clock = new ManualClock()
  const log = new ScriptedLog({ in: 1, out: 1 })
  const parsed = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 10,
    'time.mode': 'stream-time',
    'lanes.count': 4,
    ...config,
  })
  const engine = createEngine({
    topology: made.compile(parsed),
    config: parsed,
    log,
    clock,
    random: new SeededRandom(1),
  })
  let offset = 0
  return {
    engine,
    log,
    start: async () => {
      await engine.start()
      await rest()
    },
    send: async (...records: (readonly [key: string, value: string, timestamp: number])[]) => {
      log.give('in', 0, offset, records)
      offset += records.length
      await rest()
    },
    step: async (ms: number) => {
      clock.advance(ms)
      await rest()
    },
    outputs: () =>
      log.commits.flatMap(({ outputs }) => outputs.map(({ key }) => new TextDecoder().decode(key as Uint8Array))),
  }
}

const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`)
const laneOfKey = (key: string) => laneOf(new TextEncoder().encode(key), 4)
const storing = (record: Record<string, string>, ctx: Context) => ctx.store(keyed).put(record.key, record.value)

describe('punctuators on several lanes', () => {
  it('[W5] each instance has its own; scans see the keys of its lane, so that over all lanes each comes once', async () => {
    const seen: [number, string[]][] = []
    const init = (context: ProcessorContext) =>
      void context.schedule(100, 'wall-clock-time', async (_at, ctx) => {
        const store: KeyValueStore<string, string> = ctx.store(keyed)
        seen.push([context.lane, (await store.all().toArray()).map(([key]) => key)])
        // Single operations reach any key.
        expect(store.get('key-0')).toBe('v')
      })
    const run = await running(topology({ init, process: storing }))
    await run.start()
    await run.send(...keys.map((key) => [key, 'v', 1] as const))
    await run.step(100)
    expect(seen.map(([lane]) => lane).sort()).toEqual([0, 1, 2, 3])
    for (const [lane, found] of seen) expect(found).toEqual(keys.filter((key) => laneOfKey(key) === lane).sort())
    await run.engine.stop()
  })

  it('[W5] scans of a window store do the same, by the inner key', async () => {
    const windows = Stores.inMemoryWindow('windows', { retentionMs: 1_000_000, windowSizeMs: 10 }, string, string)
    const seen: string[] = []
    const made = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'p',
      {
        stores: [windows],
        get: () => ({
          init: (context: ProcessorContext) =>
            void context.schedule(100, 'wall-clock-time', async (_at, ctx) => {
              const store: WindowStore<string, string> = ctx.store(windows)
              for await (const [{ key }] of store.all()) seen.push(`${context.lane} ${key}`)
              expect(store.fetch('key-0', 10)).toBe('v')
            }),
          process: (record: Record<string, string>, ctx: Context) =>
            ctx.store(windows).put(record.key, record.value, record.timestamp),
        }),
      },
      'in',
    )
    const run = await running(made)
    await run.start()
    await run.send(...keys.map((key) => [key, 'v', 10] as const))
    await run.step(100)
    expect(seen.sort()).toEqual(keys.map((key) => `${laneOfKey(key)} ${key}`).sort())
    await run.engine.stop()
  })

  it('[W5] [L1] waits for the record of its lane that is in flight, and the lane’s next record waits for it', async () => {
    const held = { process: gate(), punctuate: gate() }
    const trace: string[] = []
    const run = await running(
      topology({
        init: (context) =>
          void context.schedule(100, 'wall-clock-time', async () => {
            trace.push('punctuate')
            await held.punctuate.opened
            trace.push('punctuated')
          }),
        process: async (record) => {
          trace.push(record.value)
          if (record.value === 'first') await held.process.opened
        },
      }),
      { 'lanes.count': 1 },
    )
    await run.start()
    await run.send(['k', 'first', 1], ['k', 'second', 2])
    await run.step(100)
    expect(trace).toEqual(['first'])
    held.process.open()
    await rest()
    expect(trace).toEqual(['first', 'punctuate'])
    held.punctuate.open()
    await rest()
    expect(trace).toEqual(['first', 'punctuate', 'punctuated', 'second'])
    await run.engine.stop()
  })

  it('[W5] those that are due at once on a lane come by their times, stream time before the wall clock', async () => {
    const held = gate()
    const trace: string[] = []
    const run = await running(
      topology({
        init: (context) => {
          context.schedule(60, 'wall-clock-time', () => void trace.push('wall 60'))
          context.schedule(50, 'wall-clock-time', () => void trace.push('wall 50'))
          context.schedule(1000, 'stream-time', () => void trace.push('stream from 4'), { startMs: 4 })
          context.schedule(1000, 'stream-time', () => void trace.push('stream from 2'), { startMs: 2 })
        },
        process: async (record) => {
          await held.opened
          trace.push(record.value)
        },
      }),
      { 'lanes.count': 1, 'commit.interval.ms': 1000 },
    )
    await run.start()
    await run.send(['k', 'first', 5], ['k', 'second', 6])
    await run.step(70)
    expect(trace).toEqual([])
    held.open()
    await rest()
    expect(trace).toEqual(['first', 'stream from 2', 'stream from 4', 'wall 50', 'wall 60', 'second'])
    await run.engine.stop()
  })

  it('[E8] none starts in a cut, and the one that was due comes after it', async () => {
    const held = gate()
    const trace: string[] = []
    const run = await running(
      topology({
        init: (context) => {
          if (context.lane === laneOfKey('key-1'))
            context.schedule(100, 'wall-clock-time', (at) => void trace.push(`at ${at}`))
        },
        process: () => held.opened,
      }),
    )
    await run.start()
    expect(laneOfKey('key-0')).not.toBe(laneOfKey('key-1'))
    await run.send(['key-0', 'v', 1], ['key-2', 'v', 1])
    await run.send(['key-1', 'v', 2])
    // The cut begins with this, and waits for the callbacks.
    await run.step(50)
    await run.step(50)
    expect(trace).toEqual([])
    held.open()
    await rest()
    expect(trace).toEqual(['at 100'])
    await run.engine.stop()
  })

  it('[E3] one that does nothing commits nothing, one that writes or forwards commits', async () => {
    const run = await running(
      topology({
        init: (context) =>
          void context.schedule(100, 'wall-clock-time', (at, ctx) => {
            if (at === 200 && context.lane === 0) ctx.store(keyed).put('k', 'v')
            if (at === 300 && context.lane === 0) void ctx.forward({ key: 'k', value: 'v' })
          }),
      }),
    )
    await run.start()
    const commits: number[] = []
    for (let i = 0; i < 3; i++) {
      await run.step(100)
      // A commit is planned for the next millisecond.
      await run.step(1)
      commits.push(run.log.commits.length)
    }
    expect(commits).toEqual([0, 1, 2])
    expect(run.outputs()).toEqual(['k'])
    await run.engine.stop()
  })

  it('[E7] a context that has outlived its incarnation plans nothing', async () => {
    let context: ProcessorContext | undefined
    const init = (own: ProcessorContext) => {
      context = own
    }
    const run = await running(topology({ init }))
    await run.start()
    await run.engine.stop()
    expect(() => context?.schedule(1, 'stream-time', () => undefined)).toThrow('Nothing was changed')
  })
})

describe('punctuators of a whole node', () => {
  /** Notes when records and the node's schedule begin and end. */
  function noting(interval = 100) {
    const trace: string[] = []
    const waits = new Map<string, ReturnType<typeof gate>>()
    const wait = (name: string) => {
      const made = waits.get(name) ?? gate()
      waits.set(name, made)
      return made
    }
    const handles: { cancel(): void }[] = []
    const hooks: Hooks = {
      init: (context) => {
        const callback: Punctuator = async (at, ctx) => {
          const store: KeyValueStore<string, string> = ctx.store(keyed)
          trace.push(`node ${at} on ${context.lane} sees ${(await store.all().toArray()).length}`)
          if (waits.has('node')) await wait('node').opened
          trace.push('node over')
        }
        handles.push(context.schedule(interval, 'wall-clock-time', callback, { scope: 'node' }))
      },
      process: async (record, ctx) => {
        storing(record, ctx)
        if (waits.has(record.value)) await wait(record.value).opened
        trace.push(record.value)
      },
    }
    return { trace, wait, hooks, handles }
  }

  it('[W5] fires once, and its scans see all keys', async () => {
    const { trace, hooks } = noting()
    const run = await running(topology(hooks))
    await run.start()
    await run.send(...keys.map((key) => [key, '.', 1] as const))
    trace.length = 0
    await run.step(100)
    await run.step(100)
    expect(trace).toEqual(['node 100 on 0 sees 40', 'node over', 'node 200 on 0 sees 40', 'node over'])
    await run.engine.stop()
  })

  it('[W5] waits until every lane rests, holds what comes meanwhile, and lets it go on', async () => {
    const { trace, wait, hooks } = noting()
    const run = await running(topology(hooks), { 'commit.interval.ms': 1_000_000 })
    wait('slow')
    wait('node')
    await run.start()
    await run.send(['key-0', 'slow', 1])
    await run.step(100)
    expect(trace).toEqual([])
    await run.send(...keys.map((key) => [key, 'next', 2] as const))
    expect(trace).toEqual([])
    wait('slow').open()
    await rest()
    expect(trace).toEqual(['slow', 'node 100 on 0 sees 1'])
    wait('node').open()
    await rest()
    expect(trace.slice(2)).toEqual(['node over', ...keys.map(() => 'next')])
    await run.engine.stop()
  })

  it('[W5] [E8] a cut goes before it, and drains', async () => {
    const { trace, wait, hooks } = noting()
    const run = await running(topology(hooks), { 'commit.interval.ms': 150 })
    wait('slow')
    await run.start()
    await run.send(['key-0', 'slow', 1], ['key-1', 'quick', 1])
    await run.step(100)
    await run.step(50)
    expect([trace, run.log.commits.length]).toEqual([['quick'], 0])
    wait('slow').open()
    await rest()
    expect(run.log.commits).toHaveLength(1)
    expect(trace).toEqual(['quick', 'slow', 'node 150 on 0 sees 2', 'node over'])
    await run.engine.stop()
  })

  it('[W5] any instance may cancel it, also while lanes gather', async () => {
    const { trace, wait, hooks, handles } = noting()
    const run = await running(topology(hooks), { 'commit.interval.ms': 1_000_000 })
    wait('slow')
    await run.start()
    await run.send(['key-0', 'slow', 1])
    await run.step(100)
    await run.send(['key-1', 'next', 1])
    handles[3]?.cancel()
    wait('slow').open()
    await rest()
    expect(trace).toEqual(['slow', 'next'])
    await run.step(100)
    expect(trace).toHaveLength(2)
    await run.engine.stop()
  })

  it('[W5] two of one node come one after the other', async () => {
    const trace: string[] = []
    const init = (context: ProcessorContext) => {
      for (const name of ['a', 'b']) {
        const callback: Punctuator = async () => {
          trace.push(name)
          await Promise.resolve()
          trace.push(`${name} over`)
        }
        context.schedule(100, 'wall-clock-time', callback, { scope: 'node' })
      }
    }
    const run = await running(topology({ init }))
    await run.start()
    await run.step(100)
    expect(trace).toEqual(['a', 'a over', 'b', 'b over'])
    await run.engine.stop()
  })

  it('[W5] in the driver it fires once too', async () => {
    const { trace, hooks } = noting()
    const { advance } = drive(hooks)
    await advance(100)
    expect(trace).toEqual(['node 100 on 0 sees 0', 'node over'])
  })
})
