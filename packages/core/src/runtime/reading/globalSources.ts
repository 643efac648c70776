import type { EpochState } from '../../state/epoch/EpochState.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'

/** Global stores are filled from the beginning of their topics at each start (P2): what an earlier one left goes. */
export function clearGlobalStores(topology: CompiledTopology, state: EpochState): void {
  for (const { name, global } of topology.stores) {
    if (!global) continue
    state.store(name).clear()
    // Neither a slash nor a colon is part of a store's name.
    for (const part of [...state.names(`${name}/`), ...state.names(`${name}:`)]) state.store(part).clear()
  }
}
