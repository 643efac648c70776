import type { OutputRecord } from '@lanescope/core'
import type { Message, TopicMessages } from 'kafkajs'

/**
 * Records by topic, as they are: kafkajs asks of a message that it has a value, and hands it through to the encoder of
 * `loadKafkaJs`, which takes the engine's own records.
 */
export function toTopicMessages(records: readonly OutputRecord[]): TopicMessages[] {
  const byTopic = new Map<string, OutputRecord[]>()
  for (const record of records) {
    const list = byTopic.get(record.topic)
    if (list === undefined) byTopic.set(record.topic, [record])
    else list.push(record)
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages: messages as unknown as Message[] }))
}

/** Every record has its partition. */
export const givenPartition = () => (given: { readonly message: Message }) => given.message.partition as number
