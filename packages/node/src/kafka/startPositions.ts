import type { LastRead, OffsetReset, StartingPosition } from '@lanescope/core'
import type { Admin } from 'kafkajs'

export type StartPosition = StartingPosition & {
  /** Where the partition's readable records ended when asked. */
  readonly end: number
}

interface Range {
  readonly low: number
  readonly high: number
}

export interface StartOptions {
  readonly reset: OffsetReset
  /** Topics that have another one in its place. */
  readonly resets?: ReadonlyMap<string, OffsetReset> | undefined
  /** Topics that a pattern has found: such a one has come later where others have positions (P3). */
  readonly found?: ReadonlySet<string> | undefined
  /** Which topics the names stand for now. */
  readonly ids?: ReadonlyMap<string, string>
  /** What the last epoch read, and of which topics. */
  readonly lastRead?: ReadonlyMap<string, LastRead> | undefined
}

/**
 * Where an application begins in each partition (E13): its committed position, `reset` in a topic that it has not read
 * before, and the beginning of a partition that the topic did not have then, or of a topic that was made anew.
 */
export async function startPositions(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
  { reset, resets, found, ids, lastRead }: StartOptions,
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
    const isLater = knownTopics.has(topic) || (knownTopics.size > 0 && found?.has(topic) === true)
    const resetOfTopic = isLater ? 'earliest' : (resets?.get(topic) ?? reset)
    const topicId = ids?.get(topic)
    const before = lastRead?.get(topic)
    const madeAnew = before !== undefined && topicId !== undefined && before.topicId !== topicId
    const bounds = (await admin.fetchTopicOffsets(topic)).sort((a, b) => a.partition - b.partition)
    for (const { partition, low, high } of bounds) {
      const known = committed.get(`${topic} ${partition}`) ?? -1
      const range = { low: Number(low), high: Number(high) }
      const start = madeAnew ? startAnew(before.offsets[partition] ?? 0, range) : startOf(known, range, resetOfTopic)
      positions.push({
        topic,
        partition,
        ...start,
        done: [],
        end: range.high,
        ...(topicId === undefined ? {} : { topicId }),
      })
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

/** What was read was of another topic, whatever this one holds at that offset. */
function startAnew(read: number, { low, high }: Range): Pick<StartingPosition, 'offset' | 'outside'> {
  if (read === 0) return { offset: low }
  return { offset: low, outside: { committed: read, start: low, end: high, madeAnew: true } }
}
