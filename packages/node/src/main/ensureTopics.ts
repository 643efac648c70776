import { type LogAdmin, type RecordLog, topicMissing } from '@lanescope/core'

/** @throws StreamError TOPIC_MISSING naming all that are missing and the flag that makes them */
export async function ensureTopics(
  log: RecordLog & LogAdmin,
  wanted: readonly { readonly topic: string; readonly partitions: number }[],
  mayCreate: boolean,
): Promise<void> {
  const existing = new Set((await log.topics(wanted.map(({ topic }) => topic))).map(({ topic }) => topic))
  const missing = wanted.filter(({ topic }) => !existing.has(topic))
  if (missing.length > 0 && !mayCreate) {
    throw topicMissing(
      missing.map(({ topic }) => topic),
      'the Kafka cluster',
      'create them there, or start with --create-topics',
    )
  }
  for (const { topic, partitions } of missing) await log.createTopic(topic, partitions)
}
