import type { ByteEntry, ByteRange } from '@lanescope/core'
import type { EntrySource, Place } from './EntrySource.js'
import { isBefore } from './entry.js'

/** What a range is read from. */
export interface Sources {
  /** Changes whenever what follows does. */
  readonly version: number
  /** The newest first: of a key the first that has it counts. */
  sources(place: Place): EntrySource[]
  /** Nothing is there below this key: a range need not pass by what is deleted there. */
  emptyBelow: Uint8Array | undefined
  /** What a read that failed is to throw. */
  failed(error: unknown): Error
}

/**
 * Merges what is in memory and in runs. It is live: after a commit, or once runs have been merged, it finds its place
 * again by the last key it gave.
 */
export class MergedRange implements Iterator<ByteEntry> {
  #version = Number.NaN
  #sources: EntrySource[] = []
  #last: Uint8Array | undefined
  #done = false
  readonly #sign: number
  /** Whether the range began before all entries, and has only passed by deleted ones since. */
  #isAtHead = false

  constructor(
    private readonly store: Sources,
    private readonly range: ByteRange,
  ) {
    this.#sign = range.reverse ? -1 : 1
  }

  next(): IteratorResult<ByteEntry> {
    try {
      return this.#next()
    } catch (error) {
      throw this.store.failed(error)
    }
  }

  #next(): IteratorResult<ByteEntry> {
    if (!this.#done && this.#version !== this.store.version) this.#open()
    while (!this.#done) {
      const next = this.#least()
      if (next === undefined || this.#isBeyond(next)) break
      const entry: ByteEntry | undefined = next.isDeleted ? undefined : [next.key, next.value]
      this.#passBy(next)
      if (entry === undefined) continue
      if (this.#isAtHead) this.store.emptyBelow = entry[0]
      this.#isAtHead = false
      this.#last = entry[0]
      return { done: false, value: entry }
    }
    this.#done = true
    this.#sources = []
    return { done: true, value: undefined }
  }

  #open(): void {
    this.#version = this.store.version
    const { to, reverse = false } = this.range
    const last = this.#last
    this.#isAtHead = !reverse && last === undefined && !this.#beginsWithin()
    const from = this.#isAtHead ? this.store.emptyBelow : this.range.from
    this.#sources = this.store
      .sources({ from: last ?? (reverse ? to : from), reverse })
      .filter(
        (source) => source.next() && (reverse || last === undefined || source.compareKey(last) > 0 || source.next()),
      )
  }

  /** Whether entries may lie below it. */
  #beginsWithin(): boolean {
    const { from } = this.range
    const { emptyBelow } = this.store
    return from !== undefined && (emptyBelow === undefined || isBefore(emptyBelow, from))
  }

  /** The source that stands on the next key; of several the newest. */
  #least(): EntrySource | undefined {
    let least = this.#sources[0]
    for (let i = 1; i < this.#sources.length; i++) {
      const source = this.#sources[i] as EntrySource
      if (this.#sign * source.compare(least as EntrySource) < 0) least = source
    }
    return least
  }

  #isBeyond(entry: EntrySource): boolean {
    const { from, to, reverse } = this.range
    if (reverse) return from !== undefined && entry.compareKey(from) < 0
    return to !== undefined && entry.compareKey(to) >= 0
  }

  /** Steps all that stand on its key beyond it, itself as the last one. */
  #passBy(passed: EntrySource): void {
    for (let i = this.#sources.length - 1; i >= 0; i--) {
      const source = this.#sources[i] as EntrySource
      if (source !== passed && source.compare(passed) === 0 && !source.next()) this.#sources.splice(i, 1)
    }
    if (!passed.next()) this.#sources.splice(this.#sources.indexOf(passed), 1)
  }
}
