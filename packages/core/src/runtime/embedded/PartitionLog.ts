import type { LogRecord } from '../RecordLog.js'
import { type ChunkHead, decodeRecords } from './journalEntry.js'

interface StoredChunk {
  readonly base: number
  readonly count: number
  readonly segment: number
  readonly at: number
  readonly length: number
}

/** Reads a part of a journal's segment. */
export type ChunkReader = (segment: number, at: number, length: number) => Promise<Uint8Array>

/** Where the records of one partition lie in the journal. Offsets have no gaps. */
export class PartitionLog {
  readonly #chunks: StoredChunk[] = []
  #end = 0
  /** The chunk read last: a reader that takes less than a chunk at a time decodes it once. */
  #decoded: { readonly chunk: StoredChunk; readonly records: readonly LogRecord[] } | undefined

  constructor(private readonly readChunk: ChunkReader) {}

  /** The offset that the next record gets. */
  get end(): number {
    return this.#end
  }

  /** @returns false when it does not continue what is there */
  add(head: ChunkHead, segment: number, entryAt: number): boolean {
    if (head.base !== this.#end) return false
    this.#chunks.push({
      base: head.base,
      count: head.count,
      segment,
      at: entryAt + head.at,
      length: head.length,
    })
    this.#end = head.base + head.count
    return true
  }

  /** The records from `from` on, at most `max`. */
  async read(from: number, max: number): Promise<LogRecord[]> {
    const found: LogRecord[] = []
    const end = this.#end
    let next = from
    while (found.length < max && next < end) {
      const chunk = this.#chunkAt(next)
      const records = await this.#records(chunk)
      const first = next - chunk.base
      const taken = records.slice(first, first + max - found.length)
      found.push(...taken)
      next += taken.length
    }
    return found
  }

  /** The last chunk that begins at or below the offset. */
  #chunkAt(offset: number): StoredChunk {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#chunks[middle] as StoredChunk).base <= offset) low = middle
      else high = middle - 1
    }
    return this.#chunks[low] as StoredChunk
  }

  async #records(chunk: StoredChunk): Promise<readonly LogRecord[]> {
    if (this.#decoded?.chunk === chunk) return this.#decoded.records
    const bytes = await this.readChunk(chunk.segment, chunk.at, chunk.length)
    const records = decodeRecords(bytes, chunk.base, chunk.count)
    this.#decoded = { chunk, records }
    return records
  }
}
