import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { EndangeredNode } from './FutureGuard.js'

/** What a source's records can destroy by their time alone: nodes below it that keep windows or event-time timers (F3). */
export function endangeredBelow(runner: TopologyRunner, source: string): readonly EndangeredNode[] {
  const below: EndangeredNode[] = []
  for (const node of runner.nodes.values()) {
    if (!node.compiled.sources.includes(source)) continue
    const stores = node.compiled.stores
      .map((name) => runner.stores.get(name))
      .filter((store): store is StoreInstance<unknown, unknown> => store?.inspect().windowed !== undefined)
    const timers = node.compiled.timers.includes('event-time') ? node.timers : undefined
    if (stores.length === 0 && timers === undefined) continue
    below.push({
      node: node.compiled,
      clock: () =>
        runner.options.driver
          ? Math.max(node.observed, runner.clocks.sourceClock(node.clockGroup))
          : runner.clocks.sourceClock(node.clockGroup),
      stores,
      dueTimers: timers === undefined ? undefined : (clock) => timers.countDue('event-time', clock),
    })
  }
  return below
}
