import type { EventHub } from '../events/EventHub.js'
import type { ByteStores } from '../state/StoreBuilder.js'
import type { Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import type { CompiledBoundary, CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import type { Counters } from './Counters.js'
import type { WorkItem } from './nodes/WorkItem.js'
import type { TopicInfo } from './RecordLog.js'
import type { FaultCoordinates } from './restart/RestartBudget.js'

/** What a running topology is made of, and whom it tells. */
export interface RunnerOptions {
  readonly compiled: CompiledTopology
  readonly config: EngineConfig
  readonly clock: Clock
  readonly random: Random
  readonly events: EventHub
  readonly topics: ReadonlyMap<string, TopicInfo>
  /** Counted on over all incarnations; new ones unless given. */
  readonly counters?: Counters
  /** Where the stores keep their bytes. */
  readonly byteStores: ByteStores
  /** As the test driver runs (D1): one running lane, one clock, every record checked (A6). */
  readonly driver: boolean
  /** A record crosses to a lane, where Kafka's driver would write it to a repartition topic and read it again (D1). */
  readonly onCrossing?: (item: WorkItem, boundary: CompiledBoundary) => void
  /** The run cannot go on. Called once. */
  readonly onFailed: (error: unknown) => void
  /** Something has finished: there may be room, or an epoch to cut. */
  readonly onProgress: () => void
  /** A processing-time timer is to fire at this wall-clock time. */
  readonly onPlanned?: (at: number) => void
  /** The timer that has ended the last incarnation: the epoch that it fires in is told by it (E4). */
  readonly watchedTimer?: FaultCoordinates | undefined
  /** The timer that has ended two incarnations, until it has got through: nothing of an epoch is to be lost with it (E4). */
  readonly blamedTimer?: () => FaultCoordinates | undefined
  /** That timer is due, and waits on its lane for the epoch to be cut. */
  readonly onTimerWaits?: () => void
}
