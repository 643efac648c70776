import { BufferConfig, Produced, Suppressed, seconds, string, TimeWindows } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { dslCase } from '../runDsl.js'

/** Final results of windows of ten seconds. */
export function suppressed(keys: number): BenchCase {
  return dslCase('suppress until close', keys, (stream) => {
    stream
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(seconds(10)))
      .count()
      .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))
      .toStream(({ key }) => key)
      .mapValues(String)
      .to('out', Produced.with(string, string))
  })
}
