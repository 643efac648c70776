import type { FileHandle } from 'node:fs/promises'
import { BufferSource } from './EntrySource.js'
import { EntryView } from './entry.js'
import type { OrderedRun } from './KeyOrder.js'
import { pageChecksum, type Run, RunDamaged, readChecksum } from './Run.js'
import type { Section } from './runIndex.js'

/** So much is read at once. */
const CHUNK_BYTES = 256 * 1024

/** Entries to be merged, upwards. What `next` has not in memory `fill` reads, without holding anybody up. */
export interface MergeSource extends EntryView {
  /** @returns false when there is none, or when `fill` is due */
  next(): boolean
  /** @returns false at the end */
  fill(): Promise<boolean>
}

export class BufferMergeSource extends BufferSource implements MergeSource {
  constructor(run: OrderedRun) {
    super(run, { from: undefined, reverse: false })
  }

  fill(): Promise<boolean> {
    return Promise.resolve(false)
  }
}

/** A section of a run, read page after page, past the cache. */
export class RunMergeSource extends EntryView implements MergeSource {
  #chunk = new Uint8Array(0)
  /** Where the pages of the chunk begin in the file. */
  #chunkStart = 0
  /** The next page; those below `#filled` are in the chunk. */
  #page: number
  #filled: number
  #at = 0
  #pageEnd = 0

  constructor(
    private readonly run: Run,
    private readonly section: Section,
    private readonly file: FileHandle,
  ) {
    super()
    this.#page = section.firstPage
    this.#filled = section.firstPage
  }

  next(): boolean {
    if (this.#at >= this.#pageEnd) {
      if (this.#page >= this.#filled) return false
      this.#open()
    }
    this.set(this.#chunk, this.#at)
    this.#at = this.end
    return true
  }

  async fill(): Promise<boolean> {
    const last = this.section.firstPage + this.section.pages
    if (this.#page >= last) return false
    const { offsets } = this.run.index
    const start = offsets[this.#page] as number
    let to = this.#page + 1
    while (to < last && (offsets[to + 1] as number) - start <= CHUNK_BYTES) to++
    const length = (offsets[to] as number) - start
    if (this.#chunk.length < length) this.#chunk = new Uint8Array(Math.max(length, CHUNK_BYTES))
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.file.read(this.#chunk, read, length - read, start + read)
      if (bytesRead === 0) throw new RunDamaged(`the file of run ${this.run.head.run} ends too early`)
      read += bytesRead
    }
    this.#chunkStart = start
    this.#filled = to
    this.#at = this.#pageEnd
    return this.next()
  }

  #open(): void {
    const { offsets } = this.run.index
    this.#at = (offsets[this.#page] as number) - this.#chunkStart
    this.#pageEnd = (offsets[this.#page + 1] as number) - this.#chunkStart - 4
    const checksum = pageChecksum(this.run.head.run, this.#page, this.#chunk.subarray(this.#at, this.#pageEnd))
    if (checksum !== readChecksum(this.#chunk, this.#pageEnd)) throw new RunDamaged('the checksum of a page is wrong')
    this.#page++
  }
}
