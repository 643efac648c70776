import type { EpochState } from '../../state/epoch/EpochState.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { OffsetReset } from '../RecordLog.js'

/**
 * Where single topics begin that have no committed position: as their `Consumed` says, and from the beginning where a
 * topic fills a store on its own (P2). Positions of global topics are never committed: each start reads them anew.
 */
export function offsetResets(topology: CompiledTopology): ReadonlyMap<string, OffsetReset> {
  const resets = new Map<string, OffsetReset>()
  for (const { source } of topology.nodes) {
    const { offsetReset } = source ?? {}
    if (offsetReset !== undefined) for (const topic of source?.topics ?? []) resets.set(topic, offsetReset)
  }
  return resets
}

/** Global stores are filled from the beginning of their topics at each start (P2): what an earlier one left goes. */
export function clearGlobalStores(topology: CompiledTopology, state: EpochState): void {
  for (const { name, global } of topology.stores) {
    if (!global) continue
    state.store(name).clear()
    // Neither a slash nor a colon is part of a store's name.
    for (const part of [...state.names(`${name}/`), ...state.names(`${name}:`)]) state.store(part).clear()
  }
}
