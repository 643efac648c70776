import { describe, expect, it } from 'vitest'
import { laneOf } from '../lanes/murmur3.js'
import type { CallbackContext } from '../processor/contexts.js'
import { double } from '../serde/numbers.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { MemoryStateBackend } from '../state/MemoryStateBackend.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { Topology } from '../topology/Topology.js'
import { HostSlot } from './AwaitHost.js'
import { awaitHelpers } from './awaitHelpers.js'
import { type SimulationOptions, simulate } from './simulate.js'
import { traceText } from './trace.js'

const text = new TextEncoder()
const plain = new TextDecoder()
type Ctx = CallbackContext<string, string, string>

const input = (key: string, value: string, arrivesAtMs = 0, partition = 0) => ({
  topic: 'in',
  partition,
  key: text.encode(key),
  value: text.encode(value),
  timestamp: 100,
  arrivesAtMs,
})

/** Waits, then hands on what it got. */
function slow(work: (value: string, ctx: Ctx) => Promise<void> = (_, ctx) => ctx.sleep(3)): Topology {
  return new Topology()
    .addSource('source', Consumed.with(string, string), 'in')
    .addProcessor(
      'slow',
      () => ({
        process: async (record: { key: string; value: string }, ctx: Ctx) => {
          await work(record.value, ctx)
          await ctx.forward({ key: record.key, value: record.value })
        },
      }),
      'source',
    )
    .addSink('sink', 'out', Produced.with(string, string), 'slow')
}

const options = (more: Partial<SimulationOptions> = {}): SimulationOptions => ({
  topology: () => slow(),
  config: { 'lanes.count': 4, 'commit.interval.ms': 5, 'epoch.max-records': 3 },
  topics: [
    { topic: 'in', partitions: 2 },
    { topic: 'out', partitions: 1 },
  ],
  inputs: Array.from({ length: 12 }, (_, index) => input(`k${index % 3}`, `v${index}`, index, index % 2)),
  seed: 1,
  quietMs: 150,
  ...more,
})

const out = (run: Awaited<ReturnType<typeof simulate>>) =>
  (run.outputs.get('out') ?? []).map(({ value }) => plain.decode(value ?? new Uint8Array(0)))
const all = Array.from({ length: 12 }, (_, index) => `v${index}`).sort()

describe('simulate', () => {
  it('[D2] runs the real engine to the end of the input', async () => {
    const run = await simulate(options())
    expect(run.error).toBeUndefined()
    expect(run.deadlock).toBeUndefined()
    expect(out(run).sort()).toEqual(all)
    expect(run.engines).toBe(1)
  })

  it('[D2] gives the same run for the same seed, byte for byte, and others for others', async () => {
    const faults = { jitterMs: 3, slowLanes: 0.4, slowCommitMs: 5, slowFetchMs: 5 }
    const once = async (seed: number) => traceText((await simulate(options({ seed, faults }))).trace)
    const traces = new Set<string>()
    for (let seed = 1; seed <= 5; seed++) traces.add(await once(seed))
    expect(traces.size).toBe(5)
    expect(await once(3)).toBe(await once(3))
  })

  it('[D2] notes in the header what the run depends on', async () => {
    const { header } = await simulate(options({ versions: { engine: '0.1.0' }, faults: { jitterMs: 1 } }))
    expect(header).toEqual({
      seed: 1,
      lanes: [{ subTopology: 0, lanes: 4 }],
      triggers: { commitIntervalMs: 5, maxRecords: 3, queueCapacity: 300 },
      faults: { jitterMs: 1 },
      startMs: 100,
      versions: { engine: '0.1.0' },
    })
  })

  it('[D2] says what a run waits for that cannot go on', async () => {
    const run = await simulate(
      options({
        topology: () =>
          slow((value, ctx) => ctx.call('bank', () => (value === 'v0' ? new Promise(() => undefined) : undefined))),
        config: { 'lanes.count': 4, 'epoch.cut-timeout-ms': 10_000_000 },
        stallMs: 5_000,
      }),
    )
    expect(run.deadlock?.join('\n')).toMatch(/slow\[\d\]: call bank/)
    expect(run.deadlock?.join('\n')).toMatch(/sub-topology 0, lane \d: \d queued, at work: process k0/)
  })

  it('ends with the error that ended the engine', async () => {
    const run = await simulate(options({ topology: () => slow(() => Promise.reject(new Error('no such account'))) }))
    expect(run.error?.message).toMatch(/no such account/)
  })

  it('[D2] gives up a run that takes too many steps', async () => {
    const run = await simulate(options({ steps: 20 }))
    expect(run.steps).toBe(20)
    expect(run.exhausted?.length).toBeGreaterThan(0)
    expect(run.deadlock).toBeUndefined()
  })

  it('[E1] loses and doubles nothing over crashes at any step', async () => {
    for (let step = 2; step <= 90; step += 2) {
      const run = await simulate(options({ seed: step, faults: { crashes: [step, step + 7] } }))
      expect(run.error).toBeUndefined()
      expect({ step, out: out(run).sort() }).toEqual({ step, out: all })
      expect(run.engines).toBe(3)
    }
  })

  it('[E1] loses and doubles nothing when commits fail or their answers are lost', async () => {
    const faults = new Set<string>()
    for (let seed = 1; seed <= 40; seed++) {
      const run = await simulate(options({ seed, restarts: 50, faults: { commitFails: 0.2, answerLost: 0.2 } }))
      expect({ seed, out: out(run).sort() }).toEqual({ seed, out: all })
      for (const entry of run.trace) if (entry.what === 'fault') faults.add(entry.fault.replace(/\d+/g, 'N'))
    }
    expect([...faults].join('\n')).toContain('commit of epoch N fails before it is durable')
    expect([...faults].join('\n')).toContain('commit of epoch N is durable, its answer is lost')
  })

  it('[E6] counts exactly once wherever a crash comes, also between the commits of the log and of the state', async () => {
    const counts = Stores.keyValue('counts', string, double)
    const counting = () =>
      new Topology().addSource('source', Consumed.with(string, string), 'in').addProcessor(
        'count',
        {
          stores: [counts],
          get: () => ({
            process: ({ key }: { key: string }, ctx: Ctx) => {
              const store = ctx.store(counts)
              store.put(key, (store.get(key) ?? 0) + 1)
            },
          }),
        },
        'source',
      )
    const ends = { apart: 0, together: 0 }
    for (let step = 4; step <= 80; step += 2) {
      const counted: (number | undefined)[] = []
      const run = await simulate(
        options({
          topology: counting,
          state: new MemoryStateBackend(),
          seed: step,
          faults: { crashes: [step] },
          atRest: (engine) => {
            const store = engine.store('counts') as { get(key: string): number | undefined }
            counted.push(store.get('k0'), store.get('k1'), store.get('k2'))
          },
        }),
      )
      const starts = run.trace.filter((entry) => entry.what === 'engine-started')
      const apart = starts.some(({ logEpoch, stateEpoch }) => logEpoch !== stateEpoch)
      expect({ step, code: run.error?.code }).toEqual({ step, code: undefined })
      expect({ step, counted }).toEqual({ step, counted: [4, 4, 4] })
      ends[apart ? 'apart' : 'together']++
    }
    expect(ends.apart).toBeGreaterThan(0)
    expect(ends.together).toBeGreaterThan(ends.apart)
  })

  it('[D2] moves the wall clock at a step, and nothing else', async () => {
    const seen: number[] = []
    await simulate(
      options({
        topology: () =>
          slow(async (_, ctx) => {
            seen.push(ctx.now)
          }),
        faults: { clockJumps: [{ step: 25, byMs: 5_000 }] },
      }),
    )
    expect(Math.min(...seen)).toBeLessThan(1_000)
    expect(Math.max(...seen)).toBeGreaterThan(5_000)
  })

  it('[D2] interleaves two callbacks at an await of compiled user code, by the seed', async () => {
    const slot = new HostSlot()
    const { __awaiter } = awaitHelpers(slot)
    const orders = new Set<string>()
    const keys = ['k0', 'k1', 'k2', 'k3', 'k4']
    const [first = '', second = ''] = keys.filter(
      (key, index) => index === 0 || laneOf(text.encode(key), 4) !== laneOf(text.encode('k0'), 4),
    )
    for (let seed = 1; seed <= 40; seed++) {
      const log: string[] = []
      const run = await simulate(
        options({
          seed,
          host: slot,
          inputs: [input(first, 'a'), input(second, 'b')],
          topology: () =>
            slow(
              (value) =>
                __awaiter(undefined, undefined, undefined, function* () {
                  log.push(`${value}1`)
                  yield null
                  log.push(`${value}2`)
                  yield null
                  log.push(`${value}3`)
                }) as Promise<void>,
            ),
        }),
      )
      expect(run.error).toBeUndefined()
      orders.add(log.join(' '))
    }
    expect(orders.size).toBeGreaterThanOrEqual(4)
  })

  it('[L6] still finds out a supplier that gives one processor twice', async () => {
    const shared = { process: () => undefined }
    let made = 0
    const supplier = () => (made++ % 4 < 2 ? { process: () => undefined } : shared)
    const topology = () =>
      new Topology().addSource('source', Consumed.with(string, string), 'in').addProcessor('same', supplier, 'source')
    const run = await simulate(options({ topology }))
    expect(run.error?.message).toMatch(/returned the same processor twice/)
  })

  it('[L8] keeps synchronous callbacks synchronous', async () => {
    const callbacks: string[] = []
    const topology = () =>
      new Topology()
        .addSource('source', Consumed.with(string, string), 'in')
        .addProcessor('sync', { get: () => ({ process: () => undefined }), sync: true }, 'source')
    await simulate(
      options({
        topology,
        inputs: [input('k0', 'a'), input('k0', 'b')],
        onTrace: (entry) => {
          if (entry.what.startsWith('callback')) callbacks.push(`${entry.what}@${entry.step}`)
        },
      }),
    )
    expect(new Set(callbacks.map((callback) => callback.split('@')[1])).size).toBe(1)
    expect(callbacks).toHaveLength(4)
  })
})
