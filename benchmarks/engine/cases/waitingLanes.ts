import { Consumed, string, Topology } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, randomRecords } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

const LANES = 256
const WAIT_MS = 5

/** Every record waits for something outside: lanes wait side by side, a key's records one after the other. */
export const waitingLanes: BenchCase = {
  name: '256 lanes, 5 ms awaited a record',
  size: 60_000,
  target: { perSecond: 20_000 },
  run: async (size) => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'wait',
      () => ({
        process: async () => {
          await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
        },
      }),
      'in',
    )
    const bench = await startEngine(topology, { 'lanes.count': LANES })
    const records = randomRecords(size, keysOf(100_000))
    const times = await timed(bench, () => bench.feed.give(records))
    await bench.stop()
    return { unit: 'record', count: size, ...times }
  },
}
