import type { FetchedBatch, LogRecord, TopicPartition } from '@lanescope/core'

/** A partition pauses above the first bound, and resumes below half of it. */
const MOST_RECORDS = 2_000
const MOST_BYTES = 8 * 1024 * 1024

/** Records of one partition that have come and are not fetched yet. */
export class PartitionBuffer {
  #records: LogRecord[] = []
  #taken = 0
  #bytes = 0
  /** Behind everything that has come, also what a reader is not shown. */
  #end: number
  #lastStable: number
  #told: { readonly next: number; readonly lastStable: number } | undefined

  constructor(
    readonly place: TopicPartition,
    start: number,
    lastStable: number,
  ) {
    this.#end = start
    this.#lastStable = Math.max(start, lastStable)
  }

  /** The offset that the consumer goes on at, after a rejoin. */
  get end(): number {
    return this.#end
  }

  get isFull(): boolean {
    return this.#size >= MOST_RECORDS || this.#bytes >= MOST_BYTES
  }

  get hasRoom(): boolean {
    return this.#size < MOST_RECORDS / 2 && this.#bytes < MOST_BYTES / 2
  }

  /** Whether a fetch would tell something new: records, or another position or end. */
  get hasNews(): boolean {
    return this.#size > 0 || this.#told?.next !== this.#end || this.#told.lastStable !== this.#lastStable
  }

  /**
   * Takes in what the consumer has read. Records that were there before are dropped: after a rejoin it may begin at an
   * older position.
   *
   * @param next the offset behind the batch, with what a reader is not shown
   */
  push(records: readonly LogRecord[], next: number, lastStable: number): void {
    for (const record of records) {
      if (record.offset < this.#end) continue
      this.#records.push(record)
      this.#bytes += sizeOf(record)
    }
    this.#end = Math.max(this.#end, next)
    this.#lastStable = Math.max(this.#lastStable, this.#end, lastStable)
  }

  take(max: number): FetchedBatch {
    const records = this.#records.slice(this.#taken, this.#taken + max)
    this.#taken += records.length
    for (const record of records) this.#bytes -= sizeOf(record)
    if (this.#size === 0) {
      this.#records = []
      this.#taken = 0
    }
    const next = this.#records[this.#taken]?.offset ?? this.#end
    this.#told = { next, lastStable: this.#lastStable }
    return { ...this.place, records, nextOffset: next, lastStableOffset: this.#lastStable }
  }

  get #size(): number {
    return this.#records.length - this.#taken
  }
}

function sizeOf({ key, value }: LogRecord): number {
  return (key?.length ?? 0) + (value?.length ?? 0)
}
