import type { RecordCoordinates } from '../../model/Record.js'
import type { LogRecord } from '../RecordLog.js'

/** A record as it was read: its coordinates, its event time, and its raw bytes for a dead letter (G1). */
export class SourceRecord implements RecordCoordinates {
  readonly #raw: LogRecord
  #readOrder = -1

  constructor(
    readonly topic: string,
    readonly partition: number,
    readonly offset: number,
    /** The extracted event time in ms. */
    readonly timestamp: number,
    raw: LogRecord,
  ) {
    // Private, because this goes into events and error contexts as coordinates: a copy of it must be no more than those.
    this.#raw = raw
  }

  /** The how manieth record of the run it is, over all partitions: sub-topologies that share a store take it in this order. */
  get readOrder(): number {
    return this.#readOrder
  }

  readAs(order: number): void {
    this.#readOrder = order
  }

  get raw(): LogRecord {
    return this.#raw
  }

  /** Bytes of its key and value. */
  get size(): number {
    return (this.#raw.key?.length ?? 0) + (this.#raw.value?.length ?? 0)
  }
}
