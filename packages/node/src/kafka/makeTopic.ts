import type { Clock } from '@lanescope/core'
import type { Admin, ITopicConfig } from 'kafkajs'
import { rootOf } from './kafkaErrors.js'

const LEADERS_MS = 10_000
const ASK_AGAIN_MS = 20
/** What a broker says of a topic that it has made and not yet heard of. */
const NOT_YET = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

/**
 * Makes a topic, and waits until each partition has its leader. kafkajs waits, too, but takes the first "unknown topic"
 * of a broker that lags behind for the last word.
 *
 * @returns false when it was there before
 */
export async function makeTopic(admin: Admin, clock: Clock, topic: ITopicConfig): Promise<boolean> {
  const isNew = await admin.createTopics({ waitForLeaders: false, topics: [topic] })
  const deadline = clock.monotonic() + LEADERS_MS
  for (;;) {
    if (await hasLeaders(admin, topic.topic, clock.monotonic() >= deadline)) return isNew
    await new Promise<void>((resolve) => clock.after(ASK_AGAIN_MS, resolve))
  }
}

async function hasLeaders(admin: Admin, topic: string, isLast: boolean): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    return topics[0]?.partitions.every(({ leader }) => leader >= 0) ?? false
  } catch (error) {
    if (isLast || !NOT_YET.has(rootOf(error).type ?? '')) throw error
    return false
  }
}
