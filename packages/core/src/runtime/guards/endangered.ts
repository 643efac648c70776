import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { EndangeredNode } from './FutureGuard.js'

/** What a source's records can destroy by their time alone: nodes below it that keep windows or event-time timers (F3). */
export function endangeredBelow(runner: TopologyRunner, source: string): readonly EndangeredNode[] {
  const below: EndangeredNode[] = []
  const made = runner.nodes.get(source)
  const reached = made?.compiled.source?.schedule === undefined ? undefined : reachedFrom(made)
  for (const node of runner.nodes.values()) {
    // A schedule is no topic source of anything (W2); what its records reach is asked of the edges.
    if (!(reached === undefined ? node.compiled.sources.includes(source) : reached.has(node))) continue
    const stores = node.compiled.stores
      .map((name) => runner.stores.get(name))
      .filter((store): store is StoreInstance<unknown, unknown> => store?.inspect().windowed !== undefined)
    const timers = node.compiled.timers.includes('event-time') ? node.timers : undefined
    if (stores.length === 0 && timers === undefined) continue
    below.push({
      node: node.compiled,
      clock: () =>
        // In the driver under `stream-time` a node goes by what has reached it alone (W2).
        runner.options.driver && runner.config['time.mode'] === 'stream-time'
          ? node.observed
          : runner.clocks.reached(node.clockGroup, node.subTopology.index),
      clockGroup: node.clockGroup,
      stores,
      dueTimers: timers === undefined ? undefined : (clock) => timers.countDue('event-time', clock),
    })
  }
  return below
}

function reachedFrom(source: NodeRuntime): ReadonlySet<NodeRuntime> {
  const reached = new Set([source])
  for (const node of reached) for (const { child } of node.children) reached.add(child)
  return reached
}
