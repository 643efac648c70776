import type { Position } from '../RecordLog.js'

/**
 * Which records of one partition are done (E8): all below `offset`, and a set above it.
 * Records finish out of order because their lanes run apart.
 */
export class PartitionProgress {
  #offset: number
  readonly #done: Set<number>
  /** The offset after the last record that was read; gaps below it are compacted or control records. */
  #read: number
  /** Offsets handed to lanes and not done, in ascending order of hand-over. */
  readonly #open = new Set<number>()

  constructor(
    readonly topic: string,
    readonly partition: number,
    start: Position,
  ) {
    this.#offset = start.offset
    this.#read = start.offset
    this.#done = new Set(start.done)
  }

  get offset(): number {
    return this.#offset
  }

  /** Whether a record of this offset is to be skipped: it was done before the restart, or read before. */
  isDone(offset: number): boolean {
    return offset < this.#offset || this.#done.has(offset)
  }

  /** A record leaves the reader for a lane. Offsets come in ascending order. */
  begin(offset: number): void {
    this.#open.add(offset)
    this.#read = offset + 1
  }

  finish(offset: number): void {
    this.#open.delete(offset)
    if (this.#open.size > 0) this.#done.add(offset)
    this.#settle()
  }

  /** A record that never enters a lane: dropped, refused, or done before. */
  skip(offset: number): void {
    this.begin(offset)
    this.finish(offset)
  }

  /** Nothing is left below this offset: the reader has passed control records or a compacted gap. */
  passed(nextOffset: number): void {
    if (nextOffset > this.#read) this.#read = nextOffset
    this.#settle()
  }

  position(): Position {
    return {
      topic: this.topic,
      partition: this.partition,
      offset: this.#offset,
      done: [...this.#done].sort((a, b) => a - b),
    }
  }

  #settle(): void {
    // The lowest open offset is the first in insertion order, because they are begun in ascending order.
    const lowest = this.#open.values().next()
    const offset = lowest.done ? this.#read : lowest.value
    if (this.#done.size > 0) for (let done = this.#offset; done < offset; done++) this.#done.delete(done)
    if (offset > this.#offset) this.#offset = offset
  }
}
