import type { TopicPartition } from '../../model/TopicPartition.js'
import type { LogRecord, OutputRecord, Position } from '../RecordLog.js'
import { ByteReader } from './ByteReader.js'
import { ByteWriter } from './ByteWriter.js'

// The journal holds two kinds of entries: a topic was made, and a write (an append, or an epoch's commit: all of its
// outputs and positions in one entry, which is what makes a commit atomic). Changing a number here needs a new
// format version in Journal.ts.
const TOPIC = 1
const WRITE = 2

/** Records of one partition that lie together; read and decoded as a whole, so it is kept small. */
export interface ChunkHead extends TopicPartition {
  readonly base: number
  readonly count: number
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
  | { readonly kind: 'write'; readonly chunks: readonly ChunkHead[]; readonly progress: CommittedProgress | undefined }

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

/** @throws RangeError when the bytes are not an entry */
export function decodeEntry(payload: Uint8Array): JournalEntry {
  const source = new ByteReader(payload)
  const kind = source.u8()
  if (kind === TOPIC) return { kind: 'topic', topic: source.string(), partitions: source.u32() }
  if (kind !== WRITE) throw new RangeError(`Entry kind ${kind} is unknown`)
  const progress = decodeProgress(source)
  const chunks: ChunkHead[] = []
  while (!source.done) {
    const head = {
      topic: source.string(),
      partition: source.u32(),
      base: source.number(),
      count: source.u32(),
      length: source.u32(),
      at: source.at,
    }
    source.skip(head.length)
    chunks.push(head)
  }
  return { kind: 'write', chunks, progress }
}

export function decodeRecords(bytes: Uint8Array, base: number, count: number): LogRecord[] {
  const source = new ByteReader(bytes)
  const records: LogRecord[] = []
  for (let i = 0; i < count; i++) {
    const timestamp = source.number()
    const key = source.nullable()
    const value = source.nullable()
    const headers = Array.from({ length: source.u32() }, () => ({ key: source.string(), value: source.nullable() }))
    records.push({ offset: base + i, timestamp, key, value, headers })
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
