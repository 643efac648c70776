import type { TimerFacts } from '../events/EngineEvent.js'
import { toHex } from '../model/bytes.js'
import type { EngineSnapshot } from '../runtime/Snapshot.js'
import type { RecordedInput } from './Recording.js'
import type { MadeEngine } from './SimulationHooks.js'

/** Where a run stands behind a step: state, timers, clocks and outputs. Bytes in hexadecimal. */
export interface RunView {
  readonly step: number
  /** Virtual ms. */
  readonly at: number
  readonly engine: string
  readonly epoch: Pick<EngineSnapshot['epoch'], 'number' | 'committed'>
  /** Wall clock and partitions, and the event clock of each node; −1 while unknown. */
  readonly clocks: {
    readonly wall: number
    readonly partitions: EngineSnapshot['clocks']['partitions']
    readonly nodes: { readonly [node: string]: number }
  }
  /** Lanes at work or with something queued. */
  readonly lanes: readonly {
    readonly subTopology: number
    readonly lane: number
    readonly queued: number
    readonly current: string | null
  }[]
  /** Entries of each byte store, live epochs included, in key order. */
  readonly stores: { readonly [store: string]: readonly (readonly [key: string, value: string])[] }
  /** Pending, in firing order by node and lane. */
  readonly timers: readonly TimerFacts[]
  /** What each topic holds that is committed. */
  readonly outputs: {
    readonly [topic: string]: readonly (Omit<RecordedInput, 'topic' | 'arrivesAtMs'> & { readonly offset: number })[]
  }
}

/** Looks at a run that stands still. */
export async function viewOf(
  { engine, world, byteStores }: MadeEngine,
  topics: readonly { readonly topic: string; readonly partitions: number }[],
  step: number,
  at: number,
): Promise<RunView> {
  const isUp = engine.state !== 'created' && engine.state !== 'starting'
  const snapshot = isUp ? engine.snapshot() : undefined
  const outputs: { [topic: string]: RunView['outputs'][string] } = {}
  for (const topic of topics) {
    outputs[topic.topic] = (await world.contents(topic)).map(({ partition, offset, key, value, timestamp }) => ({
      partition,
      offset,
      key: key && toHex(key),
      value: value && toHex(value),
      timestamp,
    }))
  }
  return {
    step,
    at,
    engine: engine.state,
    epoch: { number: snapshot?.epoch.number ?? 0, committed: snapshot?.epoch.committed ?? 0 },
    clocks: {
      wall: snapshot?.at ?? -1,
      partitions: snapshot?.clocks.partitions ?? [],
      nodes: Object.fromEntries((snapshot?.nodes ?? []).map(({ node, eventClock }) => [node, eventClock])),
    },
    lanes: (snapshot?.lanes ?? [])
      .filter(({ queued, current }) => queued > 0 || current !== null)
      .map(({ subTopology, lane, queued, current }) => ({ subTopology, lane, queued, current })),
    stores: storesOf(byteStores()),
    timers: isUp ? engine.inspectTimers(Number.MAX_SAFE_INTEGER).timers : [],
    outputs,
  }
}

function storesOf(byteStores: ReturnType<MadeEngine['byteStores']>): RunView['stores'] {
  const stores: { [store: string]: (readonly [string, string])[] } = {}
  for (const name of byteStores?.names('') ?? []) {
    // Pending timers are shown as such; their own byte stores hold them as of the last cut.
    if (name.startsWith('timers/')) continue
    const entries = byteStores?.store(name).range() ?? []
    stores[name] = Array.from(entries, ([key, value]) => [toHex(key), toHex(value)] as const)
  }
  return stores
}
