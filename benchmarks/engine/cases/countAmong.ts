import { Consumed, Grouped, StreamsBuilder, string } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, oneForEach, randomRecords } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

/** Counting in a store that holds so many keys already: the cost a record must not grow beyond that of the look-up. */
export function countAmong(keysInState: number): BenchCase {
  return {
    name: `count among ${keysInState.toLocaleString('en')} keys in state`,
    size: 300_000,
    run: async (size) => {
      const builder = new StreamsBuilder()
      builder.stream('in', Consumed.with(string, string)).groupByKey(Grouped.with(string, string)).count()
      const bench = await startEngine(builder.build())
      // At a small scale the state is small as well.
      const keys = keysOf(Math.ceil(keysInState * Math.min(1, size / 300_000)))
      await timed(bench, () => bench.feed.give(oneForEach(keys, 0)))
      const records = randomRecords(size, keys, keys.length)
      const times = await timed(bench, () => bench.feed.give(records))
      await bench.stop()
      return { unit: 'record', count: size, ...times }
    },
  }
}
