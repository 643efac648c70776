import type { Clock } from '../../time/Clock.js'
import type { LogRecord } from '../RecordLog.js'
import type { EntryPlace, Journal } from './Journal.js'
import {
  type CommittedProgress,
  decodeEntry,
  decodeRecords,
  encodeKept,
  type JournalEntry,
  type KeptChunk,
  type WriteEntry,
} from './journalEntry.js'
import type { LogIndex } from './LogIndex.js'
import type { PartitionLog } from './PartitionLog.js'

/**
 * How long a deletion stays, in ms: it is to be seen by whoever goes on from an earlier state, and no state is older than
 * half of this (E11). What is Kafka's `delete.retention.ms`; longer, because a project may lie for a weekend.
 */
export const TOMBSTONES_MS = 7 * 24 * 60 * 60 * 1000
/** A file is written anew when so much of it is of no use. */
const WASTE = 0.25
/** Lanes run between two pieces of about this length (L12). */
const PIECE_MS = 5

/** Offsets of a chunk that nothing needs; most chunks of an epoch go as a whole. */
type Dead = ReadonlySet<number> | 'all'

/** What of one file is of no use. */
interface Waste {
  bytes: number
  /** By where a chunk lies. */
  readonly chunks: Map<number, Dead>
}

/**
 * Takes out of a journal what later entries have taken the place of: all but the last record of a key in topics that keep
 * that alone, what lies before the start of a partition, positions that have moved on (E12). Offsets stay what they are.
 */
export class Thinning {
  #stopped = false
  #pieceStarted = 0

  constructor(
    private readonly journal: Journal,
    private readonly index: LogIndex,
    private readonly clock: Clock,
    /** Puts entries in the place of a segment's, when nobody else writes. */
    private readonly replace: (segment: number, payloads: readonly Uint8Array[]) => Promise<void>,
  ) {}

  /** Ends with the file that is being written. */
  stop(): void {
    this.#stopped = true
  }

  /** Goes through the closed files once. */
  async run(): Promise<void> {
    this.#pieceStarted = this.clock.monotonic()
    const segments = await this.journal.closed()
    const wasted = new Map<number, Waste>()
    for (const segment of segments) {
      wasted.set(segment, { bytes: this.index.progressBytes(segment), chunks: new Map() })
    }
    for (const topic of this.index.thinned) {
      for (const log of this.index.partitions(topic)) {
        if (this.#stopped) return
        await this.#findDead(log, this.index.compacts(topic) === true, wasted)
      }
    }
    for (const [segment, { bytes, chunks }] of wasted) {
      if (this.#stopped) return
      // Files of the user's topics alone are not looked at.
      if (bytes > 0 && bytes > WASTE * (await this.journal.size(segment))) await this.#rewrite(segment, chunks)
    }
  }

  /** From the newest record to the oldest: the first one of a key that is met is the last one written. */
  async #findDead(log: PartitionLog, compact: boolean, wasted: ReadonlyMap<number, Waste>): Promise<void> {
    const seen = new Set<string>()
    const { start, end, chunks } = log
    const oldest = this.clock.now() - TOMBSTONES_MS
    for (const chunk of chunks.toReversed()) {
      const offsets: number[] = []
      const records = compact || chunk.base < start ? await log.records(chunk) : []
      for (const record of records.toReversed()) {
        const isGone = record.offset < start || (compact && isReplaced(record, seen, oldest))
        // The last record of all says where the partition goes on.
        if (isGone && record.offset !== end - 1) offsets.push(record.offset)
      }
      const waste = wasted.get(chunk.segment)
      if (offsets.length > 0 && waste !== undefined) {
        waste.bytes += (chunk.length * offsets.length) / chunk.count
        waste.chunks.set(chunk.at, offsets.length === chunk.count ? 'all' : new Set(offsets))
      }
      await this.#breathe()
    }
  }

  async #rewrite(segment: number, dead: ReadonlyMap<number, Dead>): Promise<void> {
    const kept: Uint8Array[] = []
    for await (const { at, payload } of this.journal.payloads(segment)) {
      const left = this.#leftOf(decodeEntry(payload), payload, { segment, at }, dead)
      if (left !== undefined) kept.push(left)
      await this.#breathe()
    }
    await this.replace(segment, kept)
  }

  /** @returns undefined when nothing is left of the entry */
  #leftOf(
    entry: JournalEntry,
    payload: Uint8Array,
    place: EntryPlace,
    dead: ReadonlyMap<number, Dead>,
  ): Uint8Array | undefined {
    if (entry.kind === 'start') return this.index.partition(entry).start === entry.offset ? payload : undefined
    if (entry.kind !== 'write') return payload
    const chunks = leftChunks(entry, payload, place, dead)
    const progress = this.#lastOf(entry.progress, place)
    return chunks.length === 0 && progress === undefined ? undefined : encodeKept(chunks, progress)
  }

  #lastOf(progress: CommittedProgress | undefined, place: EntryPlace): CommittedProgress | undefined {
    if (progress === undefined) return undefined
    const positions = this.index.lastPositions(progress, place)
    return positions.length === 0 ? undefined : { ...progress, positions }
  }

  async #breathe(): Promise<void> {
    if (this.clock.monotonic() - this.#pieceStarted < PIECE_MS) return
    await this.clock.yield()
    this.#pieceStarted = this.clock.monotonic()
  }
}

/** @param seen keys of later records; this one's is added */
function isReplaced({ key, value, timestamp }: LogRecord, seen: Set<string>, oldest: number): boolean {
  if (key === null) return false
  const text = latin1(key)
  if (seen.has(text)) return true
  seen.add(text)
  return value === null && timestamp < oldest
}

function leftChunks(
  entry: WriteEntry,
  payload: Uint8Array,
  place: EntryPlace,
  dead: ReadonlyMap<number, Dead>,
): readonly KeptChunk[] {
  const left: KeptChunk[] = []
  for (const head of entry.chunks) {
    const { topic, partition, base, count, next, isSparse, at, length } = head
    const bytes = payload.subarray(at, at + length)
    const gone = dead.get(place.at + at)
    if (gone === undefined) {
      left.push({ topic, partition, base, count, next, isSparse, bytes })
      continue
    }
    if (gone === 'all') continue
    const records = decodeRecords(bytes, head).filter(({ offset }) => !gone.has(offset))
    if (records.length > 0) left.push({ topic, partition, records })
  }
  return left
}

/** Bytes as a text that is equal for equal bytes alone. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
