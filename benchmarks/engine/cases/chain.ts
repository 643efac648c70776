import { Consumed, Produced, StreamsBuilder, string } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, randomRecords } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

/** Text in and text out, through two synchronous operators. */
export const chain: BenchCase = {
  name: 'synchronous map → filter → sink',
  size: 1_000_000,
  target: { perSecond: 1_500_000 },
  run: async (size) => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .map((key, value) => [key, `${value}!`])
      .filter((_, value) => value !== 'value 7!')
      .to('out', Produced.with(string, string))
    const bench = await startEngine(builder.build())
    const records = randomRecords(size, keysOf(1000))
    const times = await timed(bench, () => bench.feed.give(records))
    await bench.stop()
    if (bench.feed.outputs !== size - Math.floor((size + 92) / 100)) throw new RangeError('The chain lost an output')
    return { unit: 'record', count: size, ...times }
  },
}
