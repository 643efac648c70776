import type { Replies, WireRecord } from '@lanescope/shared'

export interface Page {
  readonly records: readonly WireRecord[]
  /** Of the topic, as far as is known without reading it all: transactions and compaction leave offsets without one. */
  readonly total: number
  /** Of one partition: where the next page begins, and where the log ends. */
  readonly next?: { readonly offset: number; readonly end: number }
}

/** Asks for records of a partition from an offset on. */
export type Ask = (partition: number, fromOffset: number, max: number) => Promise<Replies['read-topic']>

const PAGE = 100

export async function readFrom(ask: Ask, partition: number, fromOffset: number): Promise<Page> {
  const { records, nextOffset, end } = await ask(partition, fromOffset, PAGE)
  return {
    records,
    total: end,
    next: { offset: nextOffset, end },
  }
}

/** The last records of every partition, by time, the newest first; about twice a page in all. */
export async function readNewest(ask: Ask, partitions: number): Promise<Page> {
  const each = Math.min(PAGE, Math.max(2, Math.floor((2 * PAGE) / partitions)))
  const read = await Promise.all(Array.from({ length: partitions }, (_, partition) => readLast(ask, partition, each)))
  const records = read.flatMap((one) => one.records).sort(newestFirst)
  return { records, total: read.reduce((sum, one) => sum + one.total, 0) }
}

async function readLast(
  ask: Ask,
  partition: number,
  most: number,
): Promise<{ records: readonly WireRecord[]; total: number }> {
  const first = await ask(partition, 0, most)
  if (first.nextOffset >= first.end) return { records: first.records, total: first.records.length }
  const { records, end } = await ask(partition, Math.max(0, first.end - most), most)
  return { records, total: end }
}

/** Of one time, those of one partition as they were written, the last first. */
function newestFirst(one: WireRecord, other: WireRecord): number {
  return other.timestamp - one.timestamp || one.partition - other.partition || other.offset - one.offset
}
