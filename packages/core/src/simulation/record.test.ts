import { describe, expect, it } from 'vitest'
import type { CallbackContext } from '../processor/contexts.js'
import { double } from '../serde/numbers.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { MemoryStateBackend } from '../state/MemoryStateBackend.js'
import { SystemClock } from '../time/SystemClock.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { Topology } from '../topology/Topology.js'
import { HostSlot } from './AwaitHost.js'
import { awaitHelpers } from './awaitHelpers.js'
import { parseRecording, type Recording } from './Recording.js'
import { Replay, replay } from './Replay.js'
import type { RunView } from './RunView.js'
import { type RecordOptions, record } from './record.js'

type Ctx = CallbackContext<string, string, string>

const text = new TextEncoder()
const host = new SystemClock()
/** Really waits, outside of every simulation. */
const outside = <T>(value: T, ms = 1) => new Promise<T>((resolve) => host.after(ms, () => resolve(value)))
const totals = Stores.keyValue('totals', string, double)

/** Asks somebody outside for a rate, counts, draws, arms a timer that tells the total. */
function billing(ask: (key: string) => unknown = () => outside({ rate: 3n, at: Uint8Array.of(1, 2) })): Topology {
  return new Topology()
    .addSource('source', Consumed.with(string, string), 'in')
    .addProcessor(
      'bill',
      {
        stores: [totals],
        timers: ['event-time'] as const,
        get: () => ({
          process: async ({ key, timestamp }: { key: string; timestamp: number }, ctx: Ctx) => {
            const answer = (await ctx.call('rate', () => ask(key))) as { rate: bigint }
            const store = ctx.store(totals)
            store.put(key, (store.get(key) ?? 0) + Number(answer.rate) + Math.floor(ctx.random() * 10))
            ctx.timers.register({ key, at: timestamp + 20, domain: 'event-time', name: 'tell' })
            await ctx.sleep(2)
            await ctx.forward({ key, value: `${key} at ${ctx.now}` })
          },
          onTimer: async ({ key }: { key: string }, ctx: Ctx) => {
            await ctx.forward({ key, value: `${key} total ${ctx.store(totals).get(key)}` })
          },
        }),
      },
      'source',
    )
    .addSink('sink', 'out', Produced.with(string, string), 'bill')
}

const options = (more: Partial<RecordOptions> = {}): RecordOptions => ({
  topology: () => billing(),
  config: {
    'lanes.count': 3,
    'commit.interval.ms': 5,
    'default.key.serde': string,
    'time.watermark-interval-ms': 5,
    'time.max-out-of-orderness-ms': 0,
  },
  topics: [
    { topic: 'in', partitions: 1 },
    { topic: 'out', partitions: 1 },
  ],
  inputs: Array.from({ length: 8 }, (_, index) => ({
    topic: 'in',
    partition: 0,
    key: text.encode(`k${index % 3}`),
    value: text.encode('x'),
    timestamp: 100 + 10 * index,
    arrivesAtMs: 2 * index,
  })),
  seed: 5,
  quietMs: 100,
  ...more,
})

/** A recording that has been through JSON, and how the run stood behind each of its steps. */
async function recorded(more: Partial<RecordOptions> = {}) {
  const views = new Map<number, RunView>()
  const { run, recording } = await record(
    options({
      onStep: async (step, view) => {
        views.set(step, await view())
      },
      ...more,
    }),
  )
  return { run, views, recording: parseRecording(JSON.stringify(recording)) }
}

const never = () => {
  throw new Error('asked again')
}
const replaying = (recording: Recording) => new Replay(recording, { topology: () => billing(never) })
const json = (value: unknown) => JSON.stringify(value)

describe('record and replay', () => {
  it('[D3] shows the run behind every step as it was, byte for byte, and asks nobody outside again', async () => {
    const { run, views, recording } = await recorded()
    expect(run.error).toBeUndefined()
    expect(recording.notReplayable).toBeNull()
    expect(recording.picks).toHaveLength(run.steps)
    const again = replaying(recording)
    for (const [step, view] of views) expect(json(await again.to(step))).toBe(json(view))
    again.close()
    expect(views.size).toBeGreaterThan(100)
    // What it shows is worth looking at.
    const seen = [...views.values()]
    expect(seen.some(({ timers }) => timers.length === 3)).toBe(true)
    expect(seen.some(({ stores }) => stores.totals?.length === 3)).toBe(true)
    expect(seen.some(({ lanes }) => lanes.some(({ current }) => current?.startsWith('process k')))).toBe(true)
    expect(seen.at(-1)?.outputs.out?.length).toBeGreaterThanOrEqual(8)
    expect(seen.at(-1)?.clocks.nodes.bill).toBe(170)
    expect(seen.at(-1)?.timers.map(({ at }) => at)).toEqual([180, 190])
  })

  it('[D3] goes back as well as forward, and to one step at once', async () => {
    const { views, recording } = await recorded()
    const again = replaying(recording)
    const [early, late] = [30, recording.picks.length - 5]
    expect(json(await again.to(late))).toBe(json(views.get(late)))
    expect(json(await again.to(early))).toBe(json(views.get(early)))
    expect(json(await again.to(early))).toBe(json(views.get(early)))
    expect(json(await again.to(early + 1))).toBe(json(views.get(early + 1)))
    again.close()
    const once = await replay(recording, { topology: () => billing(never), toStep: late })
    expect(json(once)).toBe(json(views.get(late)))
  })

  it('[D3] goes back step by step without beginning anew at each', async () => {
    const { views, recording } = await recorded()
    let begun = 0
    const again = new Replay(recording, {
      topology: () => {
        begun++
        return billing(never)
      },
    })
    const late = 90
    await again.to(late)
    for (let step = late - 1; step >= late - 26; step--) expect(json(await again.to(step))).toBe(json(views.get(step)))
    expect(begun).toBe(2)
    expect(json(await again.to(late - 27))).toBe(json(views.get(late - 27)))
    expect(begun).toBe(3)
    // Forward again, beyond what is kept.
    for (const step of [late, late + 1, late - 30, 0, 1]) expect(json(await again.to(step))).toBe(json(views.get(step)))
    again.close()
  })

  it('[D3] comes to the same end as the recorded run', async () => {
    const { run, recording } = await recorded()
    const end = await replay(recording, { topology: () => billing(never), toStep: recording.picks.length })
    expect(end.engine).toBe('stopped')
    expect(end.outputs.out).toHaveLength(run.outputs.get('out')?.length as number)
  })

  it('[D3] replays crashes, refused commits, slow lanes and jumps of the clock', async () => {
    const faults = {
      crashes: [60],
      commitFails: 0.2,
      answerLost: 0.1,
      jitterMs: 3,
      slowLanes: 0.4,
      slowFetchMs: 4,
      clockJumps: [{ step: 40, byMs: 500 }],
    }
    const { run, views, recording } = await recorded({ faults, restarts: 20, state: new MemoryStateBackend() })
    expect(run.engines).toBeGreaterThan(1)
    const again = replaying(recording)
    for (const [step, view] of views) if (step % 7 === 0) expect(json(await again.to(step))).toBe(json(view))
    again.close()
  })

  it('[D3] replays awaits of compiled user code, and its own clock and chance', async () => {
    const slot = new HostSlot()
    const { __awaiter } = awaitHelpers(slot)
    const seen: string[] = []
    const topology = () =>
      new Topology().addSource('source', Consumed.with(string, string), 'in').addProcessor(
        'compiled',
        () => ({
          process: ({ key }: { key: string }, ctx: Ctx) =>
            __awaiter(undefined, undefined, undefined, function* () {
              yield null
              const answer: unknown = yield ctx.call('ask', () => outside(key.length))
              yield ctx.sleep(3)
              seen.push(`${key} ${String(answer)} ${slot.now()} ${slot.random()}`)
            }) as Promise<void>,
        }),
        'source',
      )
    const { recording } = await recorded({ topology, host: slot })
    const first = seen.splice(0)
    expect(first).toHaveLength(8)
    expect(recording.notReplayable).toBeNull()
    await replay(recording, { topology, host: slot, toStep: recording.picks.length })
    expect(seen).toEqual(first)
  })

  it('[D3] tells a failed call again as it failed', async () => {
    const failing = () => Promise.reject(new RangeError('no such account'))
    const { run, recording } = await recorded({ topology: () => billing(failing) })
    expect(run.error?.message).toMatch(/no such account/)
    const end = await replay(recording, { topology: () => billing(never), toStep: recording.picks.length })
    expect(end.engine).toBe('failed')
    expect(recording.tape.calls[0]).toEqual({
      name: 'rate',
      threw: { name: 'RangeError', message: 'no such account' },
    })
  })

  it('[D3] marks a run that did I/O outside ctx.call from that step on, and replays what lies before', async () => {
    const careless = () => {
      let records = 0
      return billing().addProcessor(
        'careless',
        () => ({
          process: async () => {
            if (++records === 2) await outside(undefined, 3)
          },
        }),
        'source',
      )
    }
    const { views, recording } = await recorded({ topology: careless, config: { 'lanes.count': 1 } })
    const from = recording.notReplayable?.fromStep as number
    expect(from).toBeGreaterThan(10)
    expect(from).toBeLessThan(recording.picks.length)
    expect(recording.notReplayable?.reason).toMatch(/I\/O outside ctx\.call was waited for \(careless\[0\]: process\)/)
    const again = new Replay(recording, { topology: careless })
    expect(again.steps).toBe(from)
    expect(json(await again.to(from))).toBe(json(views.get(from)))
    await expect(again.to(from + 1)).rejects.toMatchObject({
      code: 'NOT_REPLAYABLE',
      message: expect.stringMatching(/^There is no step \d+: this recording can be replayed from 0 to \d+, because/),
    })
    again.close()
  })

  it('[D3] marks it also where other work goes on meanwhile, and nothing that user code causes by itself', async () => {
    const beside = (more: () => Promise<unknown>) => () => {
      let records = 0
      return billing(() => ({ rate: 1n })).addProcessor(
        'beside',
        () => ({
          process: async () => {
            if (++records === 2) await more()
          },
        }),
        'source',
      )
    }
    const busy = (more: () => Promise<unknown>) =>
      recorded({
        topology: beside(more),
        inputs: options().inputs.map((input) => ({ ...input, arrivesAtMs: 0 })),
        config: { ...options().config, 'lanes.count': 5 },
      })
    const { recording } = await busy(() => new Promise((resolve) => setImmediate(resolve)))
    expect(recording.notReplayable?.reason).toMatch(/I\/O outside ctx\.call was waited for \(beside\[\d\]: process\)/)
    const many = async () => {
      for (let hop = 0; hop < 200; hop++) await undefined
    }
    expect((await busy(many)).recording.notReplayable).toBeNull()
  })

  it('[D3] marks a call whose result is no data', async () => {
    const { recording } = await recorded({ topology: () => billing(() => ({ rate: 1n, free: () => undefined })) })
    expect(recording.notReplayable?.reason).toBe(
      'ctx.call "rate" returned something that is no data, so it cannot be recorded',
    )
  })

  it('[D3] lets virtual time go on when an answer from outside takes too long', async () => {
    const { run } = await recorded({
      topology: () => billing(() => new Promise(() => undefined)),
      outsideMs: 5,
      stallMs: 3_000,
    })
    expect(run.deadlock?.join()).toMatch(/bill\[\d\]: call rate/)
  })

  it('[D3] refuses steps that are none, and other code than that of the recording', async () => {
    const { recording } = await recorded()
    const again = replaying(recording)
    for (const step of [-1, 1.5, recording.picks.length + 1, Number.NaN]) {
      await expect(again.to(step)).rejects.toMatchObject({ code: 'NOT_REPLAYABLE' })
    }
    again.close()
    const other = () => billing(never).addSink('too', 'out', Produced.with(string, string), 'bill')
    await expect(replay(recording, { topology: other, toStep: 5 })).rejects.toThrow(/of another topology/)
    const renamed = { ...recording, tape: { ...recording.tape, calls: [] } }
    await expect(replay(renamed, { topology: () => billing(), toStep: recording.picks.length })).rejects.toMatchObject({
      code: 'REPLAY_DIVERGED',
    })
  })
})

describe('parseRecording', () => {
  it('[D3] refuses what is none, and what a newer version made', () => {
    expect(() => parseRecording('{')).toThrow(/no JSON/)
    expect(() => parseRecording('null')).toThrow(/no steps/)
    expect(() => parseRecording('{}')).toThrow(/no steps/)
    expect(() => parseRecording('{"picks":[],"format":2}')).toThrow(/has format 2, and this version reads 1/)
    expect(parseRecording('{"picks":[],"format":1}')).toEqual({ picks: [], format: 1 })
  })
})
