import { createEngine, type EngineApi, parseConfig, SeededRandom, SystemClock, type Topology } from '@lanescope/core'
import { Feed } from './Feed.js'
import { Stopwatch, type Times } from './Stopwatch.js'

/** An engine at work on a feed. */
export interface Bench {
  readonly feed: Feed
  readonly engine: EngineApi
  stop(): Promise<void>
}

/** Starts a topology that reads topic `in`. Its config is the default one but for what is given, and the guards of F. */
export async function startEngine(
  topology: Topology,
  config: { readonly [key: string]: unknown } = {},
): Promise<Bench> {
  const parsed = parseConfig({
    'application.id': 'bench',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    // The records carry times of their own.
    'future-timestamp.guard': 'off',
    'future-timestamp.check': 'off',
    ...config,
  })
  const feed = new Feed()
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log: feed,
    clock: new SystemClock(),
    random: new SeededRandom(1),
  })
  await engine.start()
  return {
    feed,
    engine,
    stop: async () => {
      await engine.stop()
      const error = await engine.finished
      if (error !== undefined) throw error
    },
  }
}

/** What it takes until `work` has resolved. An engine that fails meanwhile throws. */
export async function timed({ engine }: Bench, work: () => Promise<void>): Promise<Times> {
  const watch = new Stopwatch()
  const error = await Promise.race([work(), engine.finished])
  const times = watch.read()
  if (error !== undefined) throw error
  return times
}
