import { RingQueue } from '../../lanes/RingQueue.js'
import type { Position } from '../RecordLog.js'

/**
 * Which records of one partition are done (E8): all below `offset`, and a set above it.
 * Records finish out of order because their lanes run apart; in order, as synchronous work does, nothing is kept.
 */
export class PartitionProgress {
  #offset: number
  /** The offset after the last record that was read; gaps below it are compacted or control records. */
  #read: number
  /** The first offset that is with the lanes; undefined when none is. */
  #lowest: number | undefined
  /** Those begun after it, in ascending order; among them some that are done already. */
  readonly #begun = new RingQueue<number>()
  /** Done, and above `#offset`. */
  readonly #done: Set<number>
  /** What was done before the restart, ascending: a log may have lost some of them since. */
  readonly #restored: number[]

  constructor(
    readonly topic: string,
    readonly partition: number,
    start: Position,
  ) {
    this.#offset = start.offset
    this.#read = start.offset
    this.#done = new Set(start.done)
    this.#restored = [...this.#done].sort((a, b) => a - b)
  }

  get offset(): number {
    return this.#offset
  }

  /** Whether this offset has passed here before (E10): the log has gone back. */
  isReread(offset: number): boolean {
    return offset < this.#read
  }

  /** Whether it was done before the restart (E8). */
  isDone(offset: number): boolean {
    return offset < this.#offset || this.#done.has(offset)
  }

  /** A record leaves the reader for a lane. Offsets come in ascending order. */
  begin(offset: number): void {
    if (this.#lowest === undefined) this.#lowest = offset
    else this.#begun.push(offset)
    this.#read = offset + 1
  }

  finish(offset: number): void {
    if (offset !== this.#lowest) {
      this.#done.add(offset)
      return
    }
    this.#lowest = this.#begun.shift()
    while (this.#lowest !== undefined && this.#done.delete(this.#lowest)) this.#lowest = this.#begun.shift()
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
    const offset = this.#lowest ?? this.#read
    if (offset > this.#offset) this.#offset = offset
    // `offset` is the lowest that is not done: what was done before the restart may follow it directly.
    for (let next = this.#restored[0]; next !== undefined && next <= this.#offset; next = this.#restored[0]) {
      this.#restored.shift()
      this.#done.delete(next)
      if (next === this.#offset) this.#offset++
    }
  }
}
