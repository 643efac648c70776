import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { matches } from '../../topology/matches.js'
import type { OffsetReset } from '../RecordLog.js'

/**
 * Where single topics begin that have no committed position: as their `Consumed` says, and from the beginning where a
 * topic fills a store on its own (P2). Positions of global topics are never committed: each start reads them anew.
 *
 * @param sources all topics that are read, those that patterns have found among them
 */
export function offsetResets(topology: CompiledTopology, sources: readonly string[]): ReadonlyMap<string, OffsetReset> {
  const resets = new Map<string, OffsetReset>()
  for (const { source } of topology.nodes) {
    const { offsetReset, pattern } = source ?? {}
    if (offsetReset === undefined) continue
    const found = pattern === undefined ? [] : sources.filter((topic) => matches(pattern, topic))
    for (const topic of [...found, ...(source?.topics ?? [])]) resets.set(topic, offsetReset)
  }
  return resets
}

/** Whether no source names this topic, so that a pattern has found it (P3). */
export function isByPattern(topology: CompiledTopology, topic: string): boolean {
  return !topology.nodes.some(({ source }) => source?.topics?.includes(topic))
}
