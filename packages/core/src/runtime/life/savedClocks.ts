import type { SavedClocks } from '../epoch/EpochRecord.js'
import type { SourceReaders } from '../reading/SourceReaders.js'
import type { TopologyRunner } from '../TopologyRunner.js'

/** The clocks as of a cut (W6): what a restart goes on from. */
export function savedClocks(runner: TopologyRunner, readers: SourceReaders): SavedClocks {
  const nodes: { [node: string]: number } = {}
  const observed: { [node: string]: number } = {}
  for (const node of runner.nodes.values()) {
    nodes[node.name] = runner.clocks.eventClock(node.clockGroup, node.subTopology.index)
    if (node.observed >= 0) observed[node.name] = node.observed
  }
  const stores: { [store: string]: number } = {}
  for (const store of runner.stores.values()) {
    if (store.observed !== undefined) stores[store.name] = store.observed
  }
  const partitions = readers.all.map((reader) => ({
    topic: reader.clock.topic,
    partition: reader.clock.partition,
    maxTimestamp: reader.committedTime(),
  }))
  return { partitions, nodes, observed, stores }
}
