import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { matches } from '../../topology/matches.js'

/** How far ahead the source that reads a topic lets records in (F2), in ms; undefined where it declares no bound. */
export function maxAheadMsOf(compiled: CompiledTopology, topic: string): number | undefined {
  for (const { source } of compiled.nodes) {
    if (source === undefined) continue
    if (source.topics.includes(topic) || (source.pattern && matches(source.pattern, topic))) return source.maxAheadMs
  }
  return undefined
}
