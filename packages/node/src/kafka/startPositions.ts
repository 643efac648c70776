import type { OffsetReset, StartingPosition } from '@lanescope/core'
import type { Admin } from 'kafkajs'

export type StartPosition = StartingPosition & {
  /** Where the partition's readable records ended when asked. */
  readonly end: number
}

interface Range {
  readonly low: number
  readonly high: number
}

/**
 * Where an application begins in each partition (E13): its committed position, `reset` in a topic that it has not read
 * before, and the beginning of a partition that the topic did not have then.
 *
 * @param resets topics that have another one in its place
 * @param found topics that a pattern has found: such a one has come later where others have positions (P3)
 */
export async function startPositions(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
  reset: OffsetReset,
  resets: ReadonlyMap<string, OffsetReset> = new Map(),
  found: ReadonlySet<string> = new Set(),
): Promise<readonly StartPosition[]> {
  const committed = new Map<string, number>()
  const knownTopics = new Set<string>()
  for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
    for (const { partition, offset } of partitions) {
      committed.set(`${topic} ${partition}`, Number(offset))
      if (Number(offset) >= 0) knownTopics.add(topic)
    }
  }
  const positions: StartPosition[] = []
  for (const topic of topics) {
    const isLater = knownTopics.has(topic) || (knownTopics.size > 0 && found.has(topic))
    const resetOfTopic = isLater ? 'earliest' : (resets.get(topic) ?? reset)
    const bounds = (await admin.fetchTopicOffsets(topic)).sort((a, b) => a.partition - b.partition)
    for (const { partition, low, high } of bounds) {
      const known = committed.get(`${topic} ${partition}`) ?? -1
      const range = { low: Number(low), high: Number(high) }
      positions.push({ topic, partition, ...startOf(known, range, resetOfTopic), done: [], end: range.high })
    }
  }
  return positions
}

/** A negative committed offset means: none. One that the partition does not hold is told of, and its beginning given. */
export function startOf(
  committed: number,
  { low, high }: Range,
  reset: OffsetReset,
): Pick<StartingPosition, 'offset' | 'outside'> {
  if (committed >= low && committed <= high) return { offset: committed }
  if (committed >= 0) return { offset: low, outside: { committed, start: low, end: high } }
  return { offset: reset === 'earliest' ? low : high }
}
