import type { Clock } from '@lanescope/core'
import type { Admin, ITopicConfig } from 'kafkajs'
import { withRetries } from './withRetries.js'

/**
 * Makes a topic, and waits until each partition has its leader. kafkajs waits, too, but takes the first "unknown topic"
 * of a broker that lags behind for the last word.
 *
 * @returns false when it was there before
 */
export async function makeTopic(admin: Admin, clock: Clock, topic: ITopicConfig): Promise<boolean> {
  const isNew = await admin.createTopics({ waitForLeaders: false, topics: [topic] })
  await withRetries(clock, () => admin.fetchTopicMetadata({ topics: [topic.topic] }), ['UNKNOWN_TOPIC_OR_PARTITION'])
  return isNew
}
