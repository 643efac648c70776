import type { LogAdmin, RecordLog } from '@lanescope/core'
import type { WireTopic } from '@lanescope/shared'
import { AgentError } from '../../AgentError.js'

/**
 * Sees to it that the topics of a topology exist. On the embedded log it makes those that are missing: nobody else
 * could. On Kafka it makes none but the generators' own: whoever runs the cluster is asked.
 *
 * @throws AgentError TOPIC_MISSING with `topics` in its context: those to make, with their partitions
 */
export async function ensureTopics(
  log: RecordLog & LogAdmin,
  topics: readonly WireTopic[],
  generated: ReadonlySet<string>,
): Promise<void> {
  const there = new Set((await log.topics(topics.map(({ topic }) => topic))).map(({ topic }) => topic))
  const missing = topics.filter(({ topic }) => !there.has(topic))
  const ours = missing.filter(({ topic }) => log.kind === 'embedded' || generated.has(topic))
  const theirs = missing.filter((topic) => !ours.includes(topic))
  if (theirs.length > 0) throw topicsMissing(theirs)
  for (const { topic, partitions } of ours) await log.createTopic(topic, partitions)
}

function topicsMissing(topics: readonly WireTopic[]): AgentError {
  const names = topics.map(({ topic }) => `"${topic}"`).join(', ')
  const [verb, them] = topics.length === 1 ? ['does', 'it'] : ['do', 'them']
  return new AgentError(
    `${topics.length === 1 ? 'The topic' : 'The topics'} ${names} ${verb} not exist on Kafka; create ${them} and run again`,
    {
      code: 'TOPIC_MISSING',
      kind: 'operational',
      retriable: true,
      context: { topics },
    },
  )
}
