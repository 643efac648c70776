import { Consumed, string, Topology } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, oneForEach } from '../records.js'
import { startEngine, timed } from '../runEngine.js'

const DUE = 1_000_000

/** A timer for each key, all pending at once; then time passes all of them, and each fires. */
export const timers: BenchCase = {
  name: 'timers: registered, all pending, fired',
  size: 1_000_000,
  target: { perSecond: 500_000 },
  run: async (size) => {
    let fired = 0
    let allFired: () => void = () => undefined
    const done = new Promise<void>((resolve) => {
      allFired = resolve
    })
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'arm',
      {
        timers: ['event-time'],
        sync: true,
        get: () => ({
          process: (record: { key: string }, ctx) => {
            if (record.key !== 'end') ctx.timers.register({ key: record.key, at: DUE, domain: 'event-time' })
          },
          onTimer: () => {
            if (++fired === size) allFired()
          },
        }),
      },
      'in',
    )
    const bench = await startEngine(topology, { 'time.max-out-of-orderness-ms': 0 })
    const arming = oneForEach(keysOf(size), 0)
    const ending = oneForEach([new TextEncoder().encode('end')], DUE, size)
    const times = await timed(bench, async () => {
      await bench.feed.give(arming)
      await Promise.all([bench.feed.give(ending), done])
    })
    await bench.stop()
    return { unit: 'timer', count: size, ...times }
  },
}
