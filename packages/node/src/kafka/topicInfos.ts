import type { TopicInfo } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'

const MAX_BYTES = 'max.message.bytes'
const AFTER_MAX = 'message.timestamp.after.max.ms'
const BEFORE_MAX = 'message.timestamp.before.max.ms'
const TIMESTAMP_TYPE = 'message.timestamp.type'
const INTERNAL = new Set(['__consumer_offsets', '__transaction_state', '__share_group_state'])

/** Names of all topics but the broker's own. */
export async function topicNames(admin: Admin): Promise<readonly string[]> {
  return (await admin.listTopics()).filter((topic) => !INTERNAL.has(topic)).sort()
}

/** Partitions and limits of topics that exist, in the order given. */
export async function topicInfos(
  client: KafkaClient,
  admin: Admin,
  names: readonly string[],
): Promise<readonly TopicInfo[]> {
  if (names.length === 0) return []
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] })
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]))
  const limits = await readLimits(client, admin, names)
  return names.map((topic) => ({ topic, partitions: counts.get(topic) ?? 0, ...limits.get(topic) }))
}

type Limits = Pick<TopicInfo, 'maxMessageBytes' | 'maxTimestampAheadMs' | 'maxTimestampBehindMs'>

async function readLimits(
  client: KafkaClient,
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, Limits>> {
  const type = client.kafkajs.ConfigResourceTypes.TOPIC
  const configNames = [MAX_BYTES, AFTER_MAX, BEFORE_MAX, TIMESTAMP_TYPE]
  try {
    const { resources } = await admin.describeConfigs({
      resources: names.map((name) => ({ type, name, configNames })),
      includeSynonyms: false,
    })
    return new Map(resources.map(({ resourceName, configEntries }) => [resourceName, toLimits(configEntries)]))
  } catch (error) {
    // A login that may read and write a topic need not be allowed to see its settings.
    client.report(
      'warn',
      `Kafka does not tell the limits of the topics, so the broker alone checks them: ${String(error)}`,
    )
    return new Map()
  }
}

function toLimits(entries: readonly { readonly configName: string; readonly configValue: string }[]): Limits {
  const of = (name: string) => entries.find(({ configName }) => configName === name)?.configValue
  const maxBytes = Number(of(MAX_BYTES) ?? Number.NaN)
  // With LogAppendTime the broker stamps records itself, and takes any time.
  const takesAny = of(TIMESTAMP_TYPE) === 'LogAppendTime'
  const [ahead, behind] = [AFTER_MAX, BEFORE_MAX].map((name) =>
    takesAny ? Number.NaN : Number(of(name) ?? Number.NaN),
  )
  return {
    ...(Number.isSafeInteger(maxBytes) ? { maxMessageBytes: maxBytes } : {}),
    ...(Number.isSafeInteger(ahead) ? { maxTimestampAheadMs: ahead as number } : {}),
    ...(Number.isSafeInteger(behind) ? { maxTimestampBehindMs: behind as number } : {}),
  }
}
