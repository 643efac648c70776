import { Consumed, Grouped, StreamsBuilder, string } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, randomRecords } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

/** Across a boundary to the lane of a new key, and counted there in a store. */
export const rekeyCount: BenchCase = {
  name: 're-key + count',
  size: 500_000,
  target: { perSecond: 700_000 },
  run: async (size) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .selectKey((key) => (key ?? '').slice(0, 10))
      .groupByKey(Grouped.with(string, string))
      .count()
    const bench = await startEngine(builder.build())
    const records = randomRecords(size, keysOf(1000))
    const times = await timed(bench, () => bench.feed.give(records))
    await bench.stop()
    return { unit: 'record', count: size, ...times }
  },
}
