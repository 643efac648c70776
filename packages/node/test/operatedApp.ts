import { Consumed, json, type Processor, Produced, type Record, Stores, string, Topology } from '@lanescope/core'
import { runMain } from '@lanescope/node'

/* An application as an exported project has it, for tests that run it in a process of its own. */

interface Step {
  readonly fail?: string
  readonly hang?: true
  readonly timerAt?: number
}

const counts = Stores.keyValue('counts', string, json<number>())

class Counting implements Processor<string, Step | null, string, string> {
  async process(
    record: Record<string, Step | null>,
    ctx: Parameters<Processor<string, Step | null, string, string>['process']>[1],
  ) {
    const { value } = record
    if (value?.fail !== undefined) throw new Error(value.fail)
    if (value?.hang) await new Promise(() => {})
    if (value?.timerAt !== undefined) {
      ctx.timers.register({ key: record.key, at: value.timerAt, domain: 'processing-time' })
    }
    const store = ctx.store(counts)
    const count = ((await store.get(record.key)) ?? 0) + 1
    store.put(record.key, count)
    await ctx.forward({ ...record, value: String(count) })
  }

  onTimer(): void {}
}

const build = () =>
  new Topology()
    .addSource('read', Consumed.with(string, json<Step | null>()).withMaxAhead(60_000), 'in')
    .addProcessor('count', { get: () => new Counting(), timers: ['processing-time'], stores: [counts] }, 'read')
    .addSink('write', 'out', Produced.with(string, string), 'count')

await runMain(
  build,
  { 'application.id': 'operated', 'commit.interval.ms': 50, 'lanes.count': 2 },
  {
    topics: [
      { topic: 'in', partitions: 1 },
      { topic: 'out', partitions: 1 },
    ],
  },
)
