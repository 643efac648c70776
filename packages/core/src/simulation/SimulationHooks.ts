import type { EngineApi } from '../runtime/EngineApi.js'
import type { ByteStores } from '../state/StoreBuilder.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { SchedulerOptions } from './SimulationScheduler.js'
import type { Tape } from './Tape.js'
import type { World } from './World.js'

/** What a simulated run lends to its recorder, or takes from its replay (D3). */
export interface SimulationHooks {
  readonly scheduler?: Pick<SchedulerOptions, 'script' | 'beforePick' | 'waitsOutside' | 'onOutside' | 'onPick'>
  readonly tape?: Tape
  /** An engine was made; a run that crashes makes several. */
  readonly onMade?: (made: MadeEngine) => void
}

export interface MadeEngine {
  readonly engine: EngineApi
  readonly compiled: CompiledTopology
  readonly world: World
  /** The byte stores of its present incarnation; undefined before the first, and where the topology has no stores. */
  byteStores(): ByteStores | undefined
}
