import { Consumed, double, Produced, Stores, string, Topology } from '@lanescope/core'
import type { CasePlan } from './CasePlan.js'
import { PlannedProcessor } from './PlannedProcessor.js'
import type { Probe } from './Probe.js'

/** The topology of a plan. The probe is asked for whenever a processor is made; undefined while none is to run. */
export function buildTopology(plan: CasePlan, probe: () => Probe | undefined): Topology {
  const topology = new Topology()
  for (const { name, topic, lanes } of plan.sources) {
    const consumed = Consumed.with(string, string)
    topology.addSource(name, lanes === undefined ? consumed : consumed.withNumberOfLanes(lanes), topic)
  }
  const stores = new Map<string, string[]>()
  for (const processor of plan.processors) {
    topology.addProcessor(
      processor.name,
      {
        get: () => new PlannedProcessor(processor, probe()),
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
  for (const [store, users] of stores) topology.addStateStore(Stores.keyValue(store, string, double), ...users)
  return topology
}
