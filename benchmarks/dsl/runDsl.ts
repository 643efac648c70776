import { Consumed, type KStream, StreamsBuilder, string } from '@lanescope/core'
import type { BenchCase } from '../engine/Measurement.js'
import { keysOf, randomRecords } from '../engine/records.js'
import { startEngine, timed } from '../engine/runEngine.js'

/** Records of a case at scale 1. */
const RECORDS = 300_000

/** A case of one operator: records of keys drawn at random, a thousand a second of event time, through what `build` adds. */
export function dslCase(
  operator: string,
  keyCount: number,
  build: (stream: KStream<string, string>) => void,
  valueOf?: (index: number) => string,
): BenchCase {
  return {
    name: `${operator}, ${keyCount.toLocaleString('en')} keys`,
    size: RECORDS,
    run: async (size) => {
      const builder = new StreamsBuilder()
      build(builder.stream('in', Consumed.with(string, string, { nulls: 'drop' })))
      const bench = await startEngine(builder.build(), { 'time.max-out-of-orderness-ms': 0 })
      // At a small scale there are fewer keys as well.
      const records = randomRecords(size, keysOf(Math.ceil(keyCount * Math.min(1, size / RECORDS))))
      const text = new TextEncoder()
      const given =
        valueOf === undefined
          ? records
          : records.map((record, index) => ({ ...record, value: text.encode(valueOf(index)) }))
      const times = await timed(bench, () => bench.feed.give(given))
      await bench.stop()
      return { unit: 'record', count: size, ...times }
    },
  }
}
