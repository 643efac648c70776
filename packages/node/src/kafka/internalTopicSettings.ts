import { StreamError, type TopicConfig } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'

/** Lists that Kafka takes in any order. */
const LISTS = new Set(['cleanup.policy'])

/** Where a setting comes from that was given to the topic itself. */
const OF_THE_TOPIC = 1

/** As the client is told them. */
export function configEntriesOf(config: TopicConfig): { name: string; value: string }[] {
  return Object.entries(config).map(([name, value]) => ({ name, value }))
}

/**
 * Holds a topic that was there before against what it has to have, and sets what is not so (E12, F6): else a record that
 * the input was allowed to have would end the run at its commit, or state that nobody has written for a while would be gone.
 *
 * @throws StreamError TOPIC_INVALID with what to set, where it may not be set from here
 */
export async function repairInternalTopic(
  client: KafkaClient,
  admin: Admin,
  topic: string,
  needed: TopicConfig,
): Promise<void> {
  const resource = { type: client.kafkajs.ConfigResourceTypes.TOPIC, name: topic }
  const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false })
  const entries = resources[0]?.configEntries ?? []
  const valueOf = (name: string) => entries.find(({ configName }) => configName === name)?.configValue
  const wrong = configEntriesOf(needed).filter(({ name, value }) => {
    const found = valueOf(name)
    return found !== undefined && comparable(name, found) !== comparable(name, value)
  })
  if (wrong.length === 0) return
  const names = new Set(wrong.map(({ name }) => name))
  // Kafka takes the list for all that the topic has of its own: what is not in it goes back to the default.
  const kept = entries
    .filter(({ configName, configSource }) => (configSource as number) === OF_THE_TOPIC && !names.has(configName))
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }))
  const told = wrong.map(({ name, value }) => `${name}=${value} (it is ${valueOf(name)})`).join(', ')
  try {
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ ...resource, configEntries: [...kept, ...wrong] }],
    })
  } catch (error) {
    throw new StreamError(
      `The internal topic "${topic}" needs ${told}, and this login may not set it: ${String(error)}. Set it with ` +
        'kafka-configs.sh --alter, or let the login alter the settings of this topic.',
      { code: 'TOPIC_INVALID', kind: 'operational', retriable: false, context: { topic }, cause: error },
    )
  }
  client.report('warn', `Set ${told} on the internal topic "${topic}"`)
}

function comparable(name: string, value: string): string {
  return LISTS.has(name) ? value.split(',').sort().join(',') : value
}
