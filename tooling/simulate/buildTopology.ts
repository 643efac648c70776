import {
  Consumed,
  double,
  type KStream,
  long,
  Materialized,
  type ProcessorSupplier,
  Produced,
  Stores,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
  windowed,
} from '@lanescope/core'
import type { CasePlan, CountPlan, SchedulePlan, SourcePlan } from './CasePlan.js'
import { PlannedProcessor, rekeyed } from './PlannedProcessor.js'
import type { Probe } from './Probe.js'
import { keysAt, tickValue } from './TickModel.js'

/** Where the code of a topology finds who watches it. */
export interface Watching {
  /** Asked for whenever a processor is made; undefined while none is to run. */
  forProcessor(): Probe | undefined
  /** The one of the incarnation that is at work. */
  readonly probe: Probe
}

/** The topology of a plan. */
export function buildTopology(plan: CasePlan, watching: Watching): Topology {
  const topology = countingTopology(plan)
  for (const source of plan.sources) {
    if (isCounted(plan, source)) continue
    topology.addSource(source.name, consumed(source), source.topic)
  }
  plan.schedules.forEach((schedule, index) => {
    addSchedule(topology, schedule, plan.sources.length + index, watching)
  })
  const stores = new Map<string, string[]>()
  for (const processor of plan.processors) {
    topology.addProcessor(
      processor.name,
      {
        get: () => new PlannedProcessor(processor, watching.forProcessor()),
        ...(processor.sameKey ? { sameKey: true as const } : {}),
        ...(processor.timers === undefined ? {} : { timers: [processor.timers.domain] }),
      },
      ...processor.parents,
    )
    if (processor.store !== undefined)
      stores.set(processor.store, [...(stores.get(processor.store) ?? []), processor.name])
    if (processor.sink)
      topology.addSink(`sink-${processor.name}`, `out-${processor.name}`, Produced.with(string, string), processor.name)
  }
  for (const [name, users] of stores) {
    const store = Stores.keyValue(name, string, double)
    topology.addStateStore(plan.unlogged ? store.withLoggingDisabled() : store, ...users)
  }
  return topology
}

function isCounted({ counts }: CasePlan, { name }: SourcePlan): boolean {
  return counts.some(({ source }) => source === name)
}

function consumed({ name, lanes }: SourcePlan): Consumed<string, string> {
  const read = (Consumed.with(string, string) as Consumed<string, string>).withName(name)
  return lanes === undefined ? read : read.withNumberOfLanes(lanes)
}

/** What the DSL has of the plan: the sources that it counts, and the counts. */
function countingTopology(plan: CasePlan): Topology {
  if (plan.counts.length === 0) return new Topology()
  const builder = new StreamsBuilder()
  for (const source of plan.sources) {
    if (!isCounted(plan, source)) continue
    const stream = builder.stream<any, any>(source.topic, consumed(source) as Consumed<any, any>)
    for (const count of plan.counts) if (count.source === source.name) addCount(stream, count)
  }
  return builder.build()
}

function addCount(stream: KStream<any, any>, { name, waitMs, rekey, window }: CountPlan): void {
  const waited = waitMs === undefined ? stream : stream.process<any, any>(waiting(waitMs))
  const keyed = rekey === undefined ? waited : waited.selectKey((_key, value) => rekeyed(value as string, rekey))
  const grouped = keyed.groupByKey()
  const kept = Materialized.as<any, any>(name).withKeySerde(string)
  const topic = `out-${name}`
  if (window === undefined) {
    grouped.count(kept).toStream().to(topic, Produced.with<any, any>(string, long))
    return
  }
  const windows = TimeWindows.ofSizeAndGrace(window.sizeMs, window.graceMs)
  const counts = grouped.windowedBy(windows).count(kept)
  counts.toStream().to(topic, Produced.with<any, any>(windowed(string, window.sizeMs), long))
}

function waiting(ms: number): ProcessorSupplier<any, any, any, any> {
  return {
    sameKey: true,
    get: () => ({
      process: async (record, ctx) => {
        await ctx.sleep(ms)
        void ctx.forward(record)
      },
    }),
  }
}

function addSchedule(topology: Topology, schedule: SchedulePlan, entry: number, watching: Watching): void {
  const { name, everyMs, missed } = schedule
  topology.scheduled(
    name,
    { every: everyMs },
    ({ at }) => {
      watching.probe.ticked(schedule, at)
      return keysAt(schedule, at).map((key, number) => ({ key, value: tickValue(at, number, entry) }))
    },
    { keySerde: string, valueSerde: string, missed },
  )
}
