import { describe, expect, it } from 'vitest'
import type { CallbackContext } from '../processor/contexts.js'
import type { Processor } from '../processor/Processor.js'
import { json } from '../serde/json.js'
import { double } from '../serde/numbers.js'
import type { Serde } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { Consumed } from '../topology/Consumed.js'
import { Topology } from '../topology/Topology.js'
import { simulate } from './simulate.js'

const text = new TextEncoder()
const SEEDS = 500

const updates = Stores.keyValue('updates', string, double)

/** Counts in one entry of a store how often it was called, reading before a wait and writing behind it. */
class Counter implements Processor<string, string> {
  async process(record: { key: string }, ctx: CallbackContext<string, string, string>): Promise<void> {
    ctx.timers.register({ key: record.key, at: 1_000, domain: 'event-time' })
    await this.#count(record.key, ctx)
  }

  async onTimer(timer: { key: string }, ctx: CallbackContext<string, string, string>): Promise<void> {
    await this.#count(timer.key, ctx)
  }

  async #count(key: string, ctx: CallbackContext<string, string, string>): Promise<void> {
    const store = ctx.store(updates)
    const before = store.get(key) ?? 0
    await ctx.sleep(2)
    store.put(key, before + 1)
  }
}

function topology(declared: boolean): Topology {
  const quoted = json<string>() as Serde<string>
  const supplier = { get: () => new Counter(), timers: ['event-time'] as const, stores: [updates] }
  const topology = declared
    ? new Topology().addSource('events', Consumed.with(quoted, string), 'events')
    : new Topology().addSource('events', quoted, string, 'events')
  return topology.addProcessor('counter', supplier, 'events')
}

async function count(declared: boolean, seed: number): Promise<{ counted: number; called: number }> {
  let counted = 0
  let called = 0
  const timestamps = [0, 500, 1_000, 1_010, 1_020, 1_030, 1_040]
  const run = await simulate({
    topology: () => topology(declared),
    config: {
      'lanes.count': 8,
      'default.key.serde': string,
      'timer.lane-affinity.guard': 'off',
      'timer.lane-affinity.sampled-check': 'off',
      'time.max-out-of-orderness-ms': 0,
      'time.watermark-interval-ms': 2,
    },
    topics: [{ topic: 'events', partitions: 1 }],
    inputs: timestamps.map((timestamp, index) => ({
      topic: 'events',
      partition: 0,
      key: text.encode('"k0"'),
      value: text.encode('x'),
      timestamp,
      arrivesAtMs: 3 * index,
    })),
    seed,
    quietMs: 300,
    onTrace: (entry) => {
      if (entry.what === 'callback-settled') called++
    },
    keepTrace: false,
    atRest: (engine) => {
      counted = (engine.store('updates') as { get(key: string): number | undefined }).get('k0') ?? 0
    },
  })
  expect(run.error).toBeUndefined()
  expect(run.deadlock).toBeUndefined()
  return { counted, called }
}

describe('the race of a timer that leaves its lane', () => {
  it('[D2] loses an update at some seed when the timer key is written otherwise than the topic’s key', async () => {
    const losing: number[] = []
    for (let seed = 1; seed <= 50; seed++) {
      const { counted, called } = await count(false, seed)
      if (counted < called) losing.push(seed)
    }
    console.info(`[D2] an update is lost at ${losing.length} of 50 seeds; the first is ${losing[0]}`)
    expect(losing.length).toBeGreaterThan(0)
  })

  it(`[D2] loses none at any of ${SEEDS} seeds once the key serde is declared`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { counted, called } = await count(true, seed)
      expect({ seed, counted }).toEqual({ seed, counted: called })
    }
  })
})
