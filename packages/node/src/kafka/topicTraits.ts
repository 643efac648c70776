import { isInternalTopic, type TopicTraits } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import { topicIds } from './topicIds.js'

const DELETE_RETENTION = 'delete.retention.ms'
/** Kafka's own default. */
const DEFAULT_RETENTION_MS = 86_400_000

/** What decides whether something that was kept of these topics is still good (E11, E13). */
export async function topicTraits(
  client: KafkaClient,
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, TopicTraits>> {
  const ids = await topicIds(client, names)
  const retentions = await readRetentions(client, admin, names.filter(isInternalTopic))
  return new Map(
    names.map((topic) => {
      const id = ids.get(topic)
      const deleteRetentionMs = retentions.get(topic)
      return [
        topic,
        { ...(id === undefined ? {} : { id }), ...(deleteRetentionMs === undefined ? {} : { deleteRetentionMs }) },
      ]
    }),
  )
}

/** Of changelogs alone: of no other topic is anything kept that a tombstone could be missing in. */
async function readRetentions(
  client: KafkaClient,
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map()
  const type = client.kafkajs.ConfigResourceTypes.TOPIC
  try {
    const { resources } = await admin.describeConfigs({
      resources: names.map((name) => ({ type, name, configNames: [DELETE_RETENTION] })),
      includeSynonyms: false,
    })
    return new Map(
      resources.map(({ resourceName, configEntries }) => {
        const told = configEntries.find(({ configName }) => configName === DELETE_RETENTION)?.configValue
        return [resourceName, told === undefined ? DEFAULT_RETENTION_MS : Number(told)]
      }),
    )
  } catch (error) {
    client.report(
      'warn',
      `Kafka does not tell ${DELETE_RETENTION} of the changelogs, so it is taken for ${DEFAULT_RETENTION_MS}: ${String(error)}`,
    )
    return new Map(names.map((name) => [name, DEFAULT_RETENTION_MS]))
  }
}
