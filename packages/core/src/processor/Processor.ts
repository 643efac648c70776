import type { Record } from '../model/Record.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { Timer, TimerDomain } from '../timers/Timer.js'
import type { CallbackContext, ProcessorContext } from './contexts.js'

/**
 * User code at a node. One instance runs on each lane (L6): its fields are lane-local.
 *
 * Callbacks for one key never overlap (L1). Each may be async: the lane takes its next item only
 * when the returned promise has settled.
 */
export interface Processor<KI, VI, KO = KI, VO = VI> {
  /** Called once an instance, before any record. */
  init?(context: ProcessorContext): void | Promise<void>
  process(record: Record<KI, VI>, ctx: CallbackContext<KI, KO, VO>): void | Promise<void>
  /** Called when a keyed timer is due (T5). Headers of what it forwards are empty unless given (T11). */
  onTimer?(timer: Timer<NonNullable<KI>>, ctx: CallbackContext<KI, KO, VO>): void | Promise<void>
  close?(): void | Promise<void>
}

/** Makes one processor a lane, and says what the engine must know before any exists. */
export interface ProcessorSupplier<KI, VI, KO = KI, VO = VI> {
  /** A new instance at each call; the same one twice is refused. */
  get(): Processor<KI, VI, KO, VO>
  /** Stores that come along and are connected to this processor. */
  readonly stores?: readonly StoreBuilder<any, any>[]
  /** It never changes a record's key, so it keeps its lane and opens no boundary (B6); checked at `forward`. */
  readonly sameKey?: true
  /** Its callbacks never return a promise; one that does is refused. Costs nothing (L8, L10). */
  readonly sync?: true
  /** The timer domains it uses; registering in another is refused (T1). */
  readonly timers?: readonly TimerDomain[]
}
