import { Consumed, Grouped, StreamsBuilder, string } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, oneForEach } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

/** Keys counted in one epoch. */
const CHANGES = 10_000
const EPOCHS = 20

/** From the cut of an epoch to the end of its local write; the log's own part is nothing here. */
export const epochCommit: BenchCase = {
  name: 'commit of an epoch with 10,000 changes',
  size: CHANGES,
  run: async (size) => {
    const builder = new StreamsBuilder()
    builder.stream('in', Consumed.with(string, string)).groupByKey(Grouped.with(string, string)).count()
    const bench = await startEngine(builder.build(), {
      'epoch.max-records': size,
      'commit.interval.ms': 60_000,
    })
    let ms = 0
    let epochs = 0
    bench.engine.events.on(['epoch-committed'], (event) => {
      if (event.type !== 'epoch-committed') return
      ms += event.cutMs + event.commitMs
      epochs++
    })
    const keys = keysOf(size)
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      const records = oneForEach(keys, epoch, epoch * size)
      await timed(bench, () => bench.feed.give(records))
    }
    await bench.stop()
    return { unit: 'change', count: epochs * size, ms }
  },
}
