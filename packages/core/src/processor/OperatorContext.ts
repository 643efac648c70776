import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { CallbackContext } from './contexts.js'

/**
 * What the DSL's own operators may ask for beyond what users' processors can. The runtime's contexts implement it.
 *
 * @internal
 */
export interface OperatorContext<KI, KO, VO> extends CallbackContext<KI, KO, VO> {
  /**
   * Notes that a usable record of this time reached the node, and gives the clock by which it is judged late (W3):
   * the event clock as it was when the record was read (`watermark`), or the greatest time that reached the node,
   * this one included (`stream-time`). All lanes of the node share it.
   */
  observe(timestamp: number): number
  /** Counts and events one dropped record or window (G3). */
  drop(reason: DropReason, detail: string): void
  /** Counts and events what Kafka Streams would lose without a word (G3). */
  silentLoss(reason: SilentLossReason, detail: string): void
  /** The source record behind this callback; null for timers. */
  readonly coordinates: RecordCoordinates | null
}
