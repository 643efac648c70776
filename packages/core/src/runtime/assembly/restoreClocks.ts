import { emulates } from '../../topology/emulates.js'
import type { SavedClocks } from '../epoch/EpochRecord.js'
import type { TopologyRunner } from '../TopologyRunner.js'

/**
 * Sets the clocks to what the last commit left (W6), so that a restart neither drops what was in time nor sends a final
 * result twice. Each node goes on from the clock that it had seen. Nodes of one group share a source clock, which stamps
 * what is read: it goes on from the smallest of theirs, so that nothing read again is late that was in time before.
 * Kafka Streams forgets them, and keeps the times of partitions and of what stores have seen: that is
 * `compat.clock-restart`.
 */
export function restoreClocks(runner: TopologyRunner, { nodes, observed }: SavedClocks): void {
  if (emulates(runner.config, 'clock-restart')) return
  const groups = new Map<number, number>()
  for (const node of runner.nodes.values()) {
    node.observed = Math.max(node.observed, observed[node.name] ?? -1)
    const clock = nodes[node.name]
    if (clock === undefined) continue
    runner.clocks.restore(node.clockGroup, node.subTopology.index, clock)
    groups.set(node.clockGroup, Math.min(groups.get(node.clockGroup) ?? clock, clock))
  }
  for (const [group, clock] of groups) runner.clocks.advance(group, clock)
}
