import type { EventHub } from '../../events/EventHub.js'
import type { StateBackend } from '../../state/StateBackend.js'
import type { Counters } from '../Counters.js'
import type { ReferenceClock } from '../clocks/ReferenceClock.js'
import type { EngineOptions } from '../EngineApi.js'
import type { EpochLine } from '../epoch/EpochLine.js'
import type { Position } from '../RecordLog.js'
import type { FaultCoordinates } from '../restart/RestartBudget.js'
import type { Schedules } from '../ticks/Schedules.js'

/** What outlives an incarnation: the engine lends it to one after the other. */
export interface Lasting {
  readonly options: EngineOptions
  readonly events: EventHub
  readonly counters: Counters
  readonly reference: ReferenceClock
  readonly epochs: EpochLine
  readonly backend: StateBackend
  /** The record that has ended two incarnations: the epoch is cut just before it, so that what lies before commits (E4). */
  cutBefore: FaultCoordinates | undefined
  /** Until an incarnation has been opened: only the first one can miss state that was in another process's memory. */
  isFirst: boolean
  /** Where the scheduled sources stand (P1). */
  readonly schedules: Schedules
  /** The timer that has ended the last incarnation (E4). */
  failedTimer(): FaultCoordinates | undefined
  onCommitted(positions: readonly Position[], failedTimerFired: boolean): void
}
