import type { LogRecord } from '../RecordLog.js'
import { type ChunkHead, decodeRecords } from './journalEntry.js'
import type { Moves } from './Moves.js'

export interface StoredChunk {
  readonly base: number
  readonly count: number
  /** The offset behind its last record. */
  readonly next: number
  readonly isSparse: boolean
  readonly segment: number
  readonly at: number
  readonly length: number
}

/** Reads a part of a journal's segment. */
export type ChunkReader = (segment: number, at: number, length: number) => Promise<Uint8Array>

export interface ReadRecords {
  readonly records: LogRecord[]
  /** The offset to read on at. */
  readonly next: number
}

/** Where the records of one partition lie in the journal. Where the topic is thinned out, offsets have gaps. */
export class PartitionLog {
  #chunks: StoredChunk[] = []
  #start = 0
  #end = 0
  #hasGaps = false
  /** The chunk read last: a reader that takes less than a chunk at a time decodes it once. */
  #decoded: { readonly chunk: StoredChunk; readonly records: readonly LogRecord[] } | undefined

  constructor(
    private readonly readChunk: ChunkReader,
    private readonly moves: Moves,
  ) {}

  /** What lies below it may be gone, and is not read any more. */
  get start(): number {
    return this.#start
  }

  /** The offset that the next record gets. */
  get end(): number {
    return this.#end
  }

  /** Whether records are missing between others. */
  get hasGaps(): boolean {
    return this.#hasGaps
  }

  /** Of its records, in the journal. */
  get bytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, 0)
  }

  get chunks(): readonly StoredChunk[] {
    return this.#chunks
  }

  isIn(segment: number): boolean {
    return this.#chunks.some((chunk) => chunk.segment === segment)
  }

  /** @returns false when it does not come behind what is there */
  add(head: ChunkHead, segment: number, entryAt: number): boolean {
    if (head.base < this.#end) return false
    if (head.base > this.#end || head.isSparse) this.#hasGaps = true
    this.#chunks.push(storedChunk(head, segment, entryAt))
    this.#end = head.next
    return true
  }

  /** Nothing below is to be read any more. It never goes back. */
  startAt(offset: number): void {
    this.#start = Math.max(this.#start, offset)
  }

  /** The chunks of a segment lie elsewhere now, or are less. */
  relocate(segment: number, chunks: readonly StoredChunk[]): void {
    const others = this.#chunks.filter((chunk) => chunk.segment !== segment)
    this.#chunks = [...others, ...chunks].sort((a, b) => a.base - b.base)
    this.#hasGaps = true
  }

  /** The records from `from` on, at most `max`. */
  read(from: number, max: number): Promise<ReadRecords> {
    return this.moves.reading(() => this.#read(from, max))
  }

  /** All records of a chunk, those below the start as well. */
  records(chunk: StoredChunk): Promise<readonly LogRecord[]> {
    return this.#records(chunk)
  }

  async #read(from: number, max: number): Promise<ReadRecords> {
    const found: LogRecord[] = []
    const end = this.#end
    let next = Math.max(from, this.#start)
    let index = this.#chunkAt(next)
    while (found.length < max && next < end) {
      const chunk = this.#chunks[index]
      if (chunk === undefined) next = end
      else if (chunk.next <= next) index++
      else {
        const records = await this.#records(chunk)
        const first = chunk.isSparse ? indexFrom(records, next) : Math.max(0, next - chunk.base)
        const taken = records.slice(first, first + max - found.length)
        found.push(...taken)
        next = first + taken.length === records.length ? chunk.next : (taken.at(-1) as LogRecord).offset + 1
      }
    }
    return { records: found, next }
  }

  /** The last chunk that begins at or below the offset. */
  #chunkAt(offset: number): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#chunks[middle] as StoredChunk).base <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  async #records(chunk: StoredChunk): Promise<readonly LogRecord[]> {
    if (this.#decoded?.chunk === chunk) return this.#decoded.records
    const bytes = await this.readChunk(chunk.segment, chunk.at, chunk.length)
    const records = decodeRecords(bytes, chunk)
    this.#decoded = { chunk, records }
    return records
  }
}

export function storedChunk(head: ChunkHead, segment: number, entryAt: number): StoredChunk {
  const { base, count, next, isSparse, length } = head
  return { base, count, next, isSparse, segment, at: entryAt + head.at, length }
}

/** The first record at or behind the offset. */
function indexFrom(records: readonly LogRecord[], offset: number): number {
  const index = records.findIndex((record) => record.offset >= offset)
  return index < 0 ? records.length : index
}
