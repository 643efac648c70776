import { type LogAdmin, type RecordLog, topicMissing } from '@lanescope/core'

/**
 * Makes the topics that are missing, or refuses to start without them.
 *
 * @param wayOut what to do where they may not be made
 * @throws StreamError TOPIC_MISSING naming all that are missing
 */
export async function ensureTopics(
  log: RecordLog & LogAdmin,
  wanted: readonly { readonly topic: string; readonly partitions: number }[],
  mayCreate: boolean,
  wayOut = 'create them there, or start with --create-topics',
): Promise<void> {
  const existing = new Set((await log.topics(wanted.map(({ topic }) => topic))).map(({ topic }) => topic))
  const missing = wanted.filter(({ topic }) => !existing.has(topic))
  if (missing.length > 0 && !mayCreate) {
    throw topicMissing(
      missing.map(({ topic }) => topic),
      'the Kafka cluster',
      wayOut,
    )
  }
  for (const { topic, partitions } of missing) await log.createTopic(topic, partitions)
}
