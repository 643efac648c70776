import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { Serde } from '../serde/Serde.js'
import type { Cancellable } from '../time/Clock.js'
import type {
  CallbackContext,
  ForwardedRecord,
  ProcessorContext,
  PunctuationOptions,
  PunctuationType,
  Punctuator,
} from './contexts.js'

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
  /**
   * As `forward` to all children, on the lane that these bytes hash to (L2): at once when that is this lane, else as an
   * item of that lane, in the order of the calls. For what a scan of a whole node finds (W5).
   */
  forwardOnLaneOf(laneBytes: Uint8Array, record: ForwardedRecord<KO, VO>): void | Promise<void>
  /** Counts and events one dropped record or window (G3). */
  drop(reason: DropReason, detail: string): void
  /** Counts and events what Kafka Streams would lose without a word (G3). */
  silentLoss(reason: SilentLossReason, detail: string): void
  /** Writes one WARN line, at most once per node and minute: for what is odd and loses nothing. */
  warn(message: string): void
  /** How the keys and values are written that a node of the topology receives; undefined where nothing says so. */
  serdesOf(node: string): { readonly key: Serde<any> | undefined; readonly value: Serde<any> | undefined }
  /** Whether Kafka Streams is emulated to the letter, failures included (`compat: kafka-streams`). */
  readonly emulatesKafka: boolean
  /** The source record behind this callback; null for timers. */
  readonly coordinates: RecordCoordinates | null
}

/**
 * What the DSL's own operators get in `init`.
 *
 * @internal
 */
export interface OperatorInit extends ProcessorContext {
  /**
   * Whether each record moves the clock of the nodes that it reaches, as in Kafka Streams: in the test driver under
   * `stream-time` (W2). Scans on the clock then run within the record that moves it. Elsewhere they are schedules of
   * the whole node, by the event clock (W5, W7).
   */
  readonly clocksFollowRecords: boolean
  schedule(intervalMs: number, type: PunctuationType, callback: Punctuator, options?: ScheduleOptions): Cancellable
}

/** @internal */
export interface ScheduleOptions extends PunctuationOptions {
  /** Asked when it is due by its clock: whether there is anything to do. It must be cheap. */
  readonly when?: (now: number) => boolean
}
