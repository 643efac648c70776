import type { OffsetReset, Position } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { LogReport } from '../LogReport.js'

export interface StartPosition extends Position {
  /** Where the partition's readable records ended when asked. */
  readonly end: number
}

/**
 * Where an application begins in each partition: its committed position, or `reset` where there is none.
 *
 * @param resets topics that have another one in its place
 */
export async function startPositions(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
  reset: OffsetReset,
  report: LogReport,
  resets: ReadonlyMap<string, OffsetReset> = new Map(),
): Promise<readonly StartPosition[]> {
  const committed = new Map<string, number>()
  for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
    for (const { partition, offset } of partitions) committed.set(`${topic} ${partition}`, Number(offset))
  }
  const positions: StartPosition[] = []
  for (const topic of topics) {
    const bounds = (await admin.fetchTopicOffsets(topic)).sort((a, b) => a.partition - b.partition)
    for (const { partition, low, high } of bounds) {
      const known = committed.get(`${topic} ${partition}`) ?? -1
      const range = { low: Number(low), high: Number(high) }
      const offset = startOf(known, range, resets.get(topic) ?? reset)
      if (known >= 0 && offset !== known) report('warn', gap(topic, partition, known, range, offset))
      positions.push({ topic, partition, offset, done: [], end: range.high })
    }
  }
  return positions
}

/** A negative committed offset means: none. One that the partition does not hold any more is treated as none. */
export function startOf(
  committed: number,
  { low, high }: { readonly low: number; readonly high: number },
  reset: OffsetReset,
): number {
  if (committed >= low && committed <= high) return committed
  if (committed >= 0) return low
  return reset === 'earliest' ? low : high
}

function gap(
  topic: string,
  partition: number,
  known: number,
  range: { low: number; high: number },
  start: number,
): string {
  const detail =
    known < range.low
      ? `${range.low - known} records behind the committed position are deleted`
      : `it ends at ${range.high}: it was made anew`
  return `Topic "${topic}" partition ${partition}: the committed position ${known} is not in it (${detail}); reading goes on at ${start}`
}
