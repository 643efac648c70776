import { Consumed, minutes, type Record, Stores, string, Topology, type WindowStore } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { keysOf, oneForEach } from '../../engine/records.js'
import { startEngine, timed } from '../../engine/runEngine.js'

const FAR = 10 ** 10

/** What a lane pays for the put that expires a segment of 100,000 entries (S4). */
export const segmentDrop: BenchCase = {
  name: 'segment of 100,000 entries dropped',
  size: 100_000,
  target: { ns: 1_000_000 },
  run: async (size) => {
    const windows = Stores.window('w', { retentionMs: minutes(2), windowSizeMs: 1 }, string, string)
    let ms = 0
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'put',
      {
        stores: [windows],
        sync: true,
        get: () => ({
          process: ({ key, value, timestamp }: Record<string, string>, ctx) => {
            const store: WindowStore<string, string> = ctx.store(windows)
            const started = performance.now()
            store.put(key, value, timestamp)
            if (timestamp === FAR) ms = performance.now() - started
          },
        }),
      },
      'in',
    )
    const bench = await startEngine(topology, { 'time.mode': 'stream-time' })
    const keys = keysOf(size)
    await timed(bench, () => bench.feed.give(oneForEach(keys, 0)))
    await timed(bench, () => bench.feed.give(oneForEach(keys.slice(0, 1), FAR, size)))
    await bench.stop()
    return { unit: 'drop', count: 1, ms }
  },
}
