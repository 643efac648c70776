import type { FetchedBatch, LogRecord, TopicPartition } from '@lanescope/core'
import type { FetchedPart } from './fetching/fetchedPart.js'
import type { PackedBatch } from './records/PackedBatch.js'

/** What has come of one partition and is not taken yet: bytes, of which records are made when they are taken. */
export class PartitionBuffer {
  #batches: PackedBatch[] = []
  #first = 0
  #bytes = 0
  /** Records below it have been there already. */
  #next: number
  /** Behind everything that has come, also what a reader is not shown. */
  #end: number
  #lastStable: number
  /** Records that have come again since the last take. */
  #reread = 0
  #told: { readonly next: number; readonly lastStable: number } | undefined

  constructor(
    readonly place: TopicPartition,
    private readonly start: number,
    lastStable: number,
  ) {
    this.#next = start
    this.#end = start
    this.#lastStable = Math.max(start, lastStable)
  }

  /** The offset to be asked for next. */
  get end(): number {
    return this.#end
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether a fetch would tell something new: records, or another position or end. */
  get hasNews(): boolean {
    return (
      this.#bytes > 0 ||
      this.#reread > 0 ||
      this.#told?.next !== this.#end ||
      this.#told.lastStable !== this.#lastStable
    )
  }

  /**
   * Takes in what a fetch has brought. Records that were there before are dropped: while a partition moves, its old leader
   * and its new one may both be asked for it.
   */
  push({ batches, next, lastStable }: FetchedPart): void {
    for (const batch of batches) {
      if (batch.isDone) continue
      if (batch.lastOffset < this.#end) {
        this.#reread += batch.left
        continue
      }
      this.#batches.push(batch)
      this.#bytes += batch.size
    }
    this.#end = Math.max(this.#end, next)
    this.#lastStable = Math.max(this.#lastStable, this.#end, lastStable)
  }

  take(max: number): FetchedBatch {
    const records: LogRecord[] = []
    while (records.length < max && this.#first < this.#batches.length) {
      const batch = this.#batches[this.#first] as PackedBatch
      this.#bytes -= batch.size
      const passed = batch.take(this.#next, records, max)
      // A broker gives the whole batch that a position lies in: what comes before the first position has never been here.
      if (batch.firstOffset >= this.start) this.#reread += passed
      this.#bytes += batch.size
      this.#next = Math.max(this.#next, (records.at(-1)?.offset ?? -1) + 1)
      if (batch.isDone) this.#first++
    }
    const isEmpty = this.#first === this.#batches.length
    // What is through must not be held by the list for as long as more keeps coming.
    if (isEmpty || this.#first > this.#batches.length / 2) {
      this.#batches = this.#batches.slice(this.#first)
      this.#first = 0
    }
    if (isEmpty) this.#next = this.#end
    this.#told = { next: this.#next, lastStable: this.#lastStable }
    const reread = this.#reread
    this.#reread = 0
    return {
      ...this.place,
      records,
      nextOffset: this.#next,
      lastStableOffset: this.#lastStable,
      ...(reread === 0 ? {} : { reread }),
    }
  }
}
