import { keyText } from '../model/keyText.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { StoreAccess, StoreEnvironment } from './StoreBuilder.js'

/** A put that is lost, and the clock that lost it. Times in ms. */
export interface LostPut {
  readonly key: unknown
  /** A window's start, a session's end. */
  readonly time: number
  readonly observed: number
  readonly readableAbove: number
  /** The record that moved the clock there. */
  readonly movedBy: RecordCoordinates | null
}

/** Tells what a window store loses: counted, evented, logged once per minute, never silent (S3, G3). */
export class WindowReports {
  constructor(
    private readonly store: string,
    private readonly environment: StoreEnvironment,
    /** What the time of an entry is: a window's start, a session's end. */
    private readonly timeName: 'windowStart' | 'sessionEnd',
  ) {}

  /** A put whose window has expired. */
  refused(put: LostPut, access: StoreAccess): void {
    const detail = `Skipping record for expired segment. ${this.#where(put)}`
    this.environment.countDropped('expired_segment')
    if (this.environment.listening('record-dropped')) {
      this.environment.emit({
        type: 'record-dropped',
        reason: 'expired_segment',
        node: access.node,
        store: this.store,
        coordinates: access.cause(),
        detail,
        movedBy: put.movedBy,
      })
    }
    this.environment.warn(`expired_segment ${this.store}`, detail)
  }

  /** A put that is taken and can never be read (`kafka-streams.md` A.2). Kafka Streams counts it nowhere. */
  greyZone(put: LostPut, access: StoreAccess): void {
    const why = put.time < 0 ? 'it starts before 0' : 'it is older than the retention, though its segment still lives'
    const detail = `Took a window that can never be read: ${why}. ${this.#where(put)}`
    this.environment.countSilentLoss('grey_zone')
    if (this.environment.listening('silent-loss')) {
      const coordinates = access.cause()
      this.environment.emit({ type: 'silent-loss', reason: 'grey_zone', node: access.node, coordinates, detail })
    }
    this.environment.warn(`grey_zone ${this.store}`, detail)
  }

  #where({ key, time, observed, readableAbove, movedBy }: LostPut): string {
    const mover = movedBy
      ? `topic=[${movedBy.topic}] partition=[${movedBy.partition}] offset=[${movedBy.offset}] timestamp=[${movedBy.timestamp}]`
      : '[none]'
    return (
      `store=[${this.store}] key=[${keyText(key)}] ${this.timeName}=[${time}] readableAbove=[${readableAbove}] ` +
      `observed=[${observed}] movedBy: ${mover}`
    )
  }
}
