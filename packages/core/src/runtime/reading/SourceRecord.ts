import type { RecordCoordinates } from '../../model/Record.js'
import type { LogRecord } from '../RecordLog.js'

/** A record as it was read: its coordinates, its event time, and its raw bytes for a dead letter (G1). */
export class SourceRecord implements RecordCoordinates {
  constructor(
    readonly topic: string,
    readonly partition: number,
    readonly offset: number,
    /** The extracted event time in ms. */
    readonly timestamp: number,
    readonly raw: LogRecord,
  ) {}
}
