import type { TopicPartition } from '../../model/TopicPartition.js'
import type { LogRecord, OutputRecord, Position } from '../RecordLog.js'
import { ByteReader } from './ByteReader.js'
import { ByteWriter } from './ByteWriter.js'

// The journal holds these kinds of entries: a topic was made; a write (an append, or an epoch's commit: all of its
// outputs and positions in one entry, which is what makes a commit atomic); what is left of a write once others have
// taken the place of some of it; how a topic is thinned out; where a partition begins. Changing a number here needs a
// new format version in Journal.ts.
const TOPIC = 1
const WRITE = 2
const KEPT = 3
const RULE = 4
const START = 5

/** Records of one partition that lie together; read and decoded as a whole, so it is kept small. */
export interface ChunkHead extends TopicPartition {
  /** Of the first record. */
  readonly base: number
  readonly count: number
  /** The offset behind the last record. */
  readonly next: number
  /** Whether records are missing in between, so that each carries its offset. */
  readonly isSparse: boolean
  /** Where its records lie within the entry. */
  readonly at: number
  readonly length: number
}

/** What an application has committed with a write. */
export interface CommittedProgress {
  readonly application: string
  readonly epoch: number
  readonly positions: readonly Position[]
}

export type JournalEntry =
  | { readonly kind: 'topic'; readonly topic: string; readonly partitions: number }
  | WriteEntry
  | { readonly kind: 'rule'; readonly topic: string; readonly compact: boolean }
  | { readonly kind: 'start'; readonly topic: string; readonly partition: number; readonly offset: number }

export interface WriteEntry {
  readonly kind: 'write'
  readonly chunks: readonly ChunkHead[]
  readonly progress: CommittedProgress | undefined
}

/** Records that go to one partition, in order; the first gets offset `base`. */
export interface PartitionWrite extends TopicPartition {
  readonly base: number
  readonly records: readonly Omit<OutputRecord, 'topic' | 'partition'>[]
}

const CHUNK_RECORDS = 500
const CHUNK_BYTES = 256 * 1024

export function encodeTopic(topic: string, partitions: number): Uint8Array {
  const out = new ByteWriter(64)
  out.u8(TOPIC)
  out.string(topic)
  out.u32(partitions)
  return out.finish()
}

export function encodeWrite(writes: readonly PartitionWrite[], progress: CommittedProgress | undefined): Uint8Array {
  const out = new ByteWriter(4096)
  out.u8(WRITE)
  encodeProgress(out, progress)
  for (const write of writes) encodeChunks(out, write)
  return out.finish()
}

/** Records that are left of a chunk, or a chunk as it was, in the bytes of its records. */
export type KeptChunk = TopicPartition &
  (
    | { readonly records: readonly LogRecord[] }
    | (Pick<ChunkHead, 'base' | 'count' | 'next' | 'isSparse'> & { readonly bytes: Uint8Array })
  )

/** What is left of a write. */
export function encodeKept(chunks: readonly KeptChunk[], progress: CommittedProgress | undefined): Uint8Array {
  const out = new ByteWriter(4096)
  out.u8(KEPT)
  encodeProgress(out, progress)
  for (const chunk of chunks) encodeKeptChunk(out, chunk)
  return out.finish()
}

/** Whether a topic keeps the last record of a key alone, or is only cut at its beginning. */
export function encodeRule(topic: string, compact: boolean): Uint8Array {
  const out = new ByteWriter(64)
  out.u8(RULE)
  out.string(topic)
  out.u8(compact ? 1 : 0)
  return out.finish()
}

/** The first offset that a partition is to hold. */
export function encodeStart(topic: string, partition: number, offset: number): Uint8Array {
  const out = new ByteWriter(64)
  out.u8(START)
  out.string(topic)
  out.u32(partition)
  out.number(offset)
  return out.finish()
}

/** @throws RangeError when the bytes are not an entry */
export function decodeEntry(payload: Uint8Array): JournalEntry {
  const source = new ByteReader(payload)
  const kind = source.u8()
  if (kind === TOPIC) return { kind: 'topic', topic: source.string(), partitions: source.u32() }
  if (kind === RULE) return { kind: 'rule', topic: source.string(), compact: source.u8() === 1 }
  if (kind === START) {
    return { kind: 'start', topic: source.string(), partition: source.u32(), offset: source.number() }
  }
  if (kind !== WRITE && kind !== KEPT) throw new RangeError(`Entry kind ${kind} is unknown`)
  const progress = decodeProgress(source)
  const chunks: ChunkHead[] = []
  while (!source.done) chunks.push(decodeHead(source, kind === KEPT))
  return { kind: 'write', chunks, progress }
}

function decodeHead(source: ByteReader, isKept: boolean): ChunkHead {
  const topic = source.string()
  const partition = source.u32()
  const base = source.number()
  const count = source.u32()
  const isSparse = isKept && source.u8() === 1
  const next = isKept ? source.number() : base + count
  const length = source.u32()
  const { at } = source
  source.skip(length)
  return { topic, partition, base, count, next, isSparse, at, length }
}

export function decodeRecords(
  bytes: Uint8Array,
  { base, count, isSparse }: Pick<ChunkHead, 'base' | 'count' | 'isSparse'>,
): LogRecord[] {
  const source = new ByteReader(bytes)
  const records: LogRecord[] = []
  for (let i = 0; i < count; i++) {
    const offset = isSparse ? source.number() : base + i
    const timestamp = source.number()
    const key = source.nullable()
    const value = source.nullable()
    const headers = Array.from({ length: source.u32() }, () => ({ key: source.string(), value: source.nullable() }))
    records.push({ offset, timestamp, key, value, headers })
  }
  return records
}

function encodeChunks(out: ByteWriter, write: PartitionWrite): void {
  let next = 0
  while (next < write.records.length) {
    out.string(write.topic)
    out.u32(write.partition)
    out.number(write.base + next)
    const countAt = out.size
    out.u32(0)
    out.u32(0)
    const start = out.size
    const first = next
    while (next < write.records.length && next - first < CHUNK_RECORDS && out.size - start < CHUNK_BYTES) {
      encodeRecord(out, write.records[next] as PartitionWrite['records'][number])
      next++
    }
    out.patchU32(countAt, next - first)
    out.patchU32(countAt + 4, out.size - start)
  }
}

function encodeKeptChunk(out: ByteWriter, chunk: KeptChunk): void {
  const isSparse = 'records' in chunk || chunk.isSparse
  const [base, count] =
    'records' in chunk ? [chunk.records[0]?.offset ?? 0, chunk.records.length] : [chunk.base, chunk.count]
  out.string(chunk.topic)
  out.u32(chunk.partition)
  out.number(base)
  out.u32(count)
  out.u8(isSparse ? 1 : 0)
  if (!('records' in chunk)) {
    out.number(chunk.next)
    out.u32(chunk.bytes.length)
    out.bytes(chunk.bytes)
    return
  }
  out.number((chunk.records.at(-1)?.offset ?? -1) + 1)
  const lengthAt = out.size
  out.u32(0)
  for (const record of chunk.records) {
    out.number(record.offset)
    encodeRecord(out, record)
  }
  out.patchU32(lengthAt, out.size - lengthAt - 4)
}

function encodeRecord(out: ByteWriter, record: PartitionWrite['records'][number]): void {
  out.number(record.timestamp)
  out.nullable(record.key)
  out.nullable(record.value)
  out.u32(record.headers.length)
  for (const header of record.headers) {
    out.string(header.key)
    out.nullable(header.value)
  }
}

function encodeProgress(out: ByteWriter, progress: CommittedProgress | undefined): void {
  out.u8(progress === undefined ? 0 : 1)
  if (progress === undefined) return
  out.string(progress.application)
  out.number(progress.epoch)
  out.u32(progress.positions.length)
  for (const position of progress.positions) {
    out.string(position.topic)
    out.u32(position.partition)
    out.number(position.offset)
    out.u32(position.done.length)
    for (const offset of position.done) out.number(offset)
  }
}

function decodeProgress(source: ByteReader): CommittedProgress | undefined {
  if (source.u8() === 0) return undefined
  const application = source.string()
  const epoch = source.number()
  const positions = Array.from({ length: source.u32() }, () => ({
    topic: source.string(),
    partition: source.u32(),
    offset: source.number(),
    done: Array.from({ length: source.u32() }, () => source.number()),
  }))
  return { application, epoch, positions }
}
