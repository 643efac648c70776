import type { OutputRecord } from '@lanescope/core'
import type { Message, TopicMessages } from 'kafkajs'

/** Records by topic, as kafkajs sends them. */
export function toTopicMessages(records: readonly OutputRecord[]): TopicMessages[] {
  const messages = new Map<string, Message[]>()
  for (const record of records) {
    const list = messages.get(record.topic)
    if (list === undefined) messages.set(record.topic, [toMessage(record)])
    else list.push(toMessage(record))
  }
  return [...messages].map(([topic, list]) => ({ topic, messages: list }))
}

/** Every record has its partition; kafkajs's own choice would be made anew at each retry, and costs more than the send. */
export const givenPartition = () => (given: { readonly message: Message }) => given.message.partition as number

function toMessage({ key, value, partition, timestamp, headers }: OutputRecord): Message {
  return {
    key: key === null ? null : bufferOf(key),
    value: value === null ? null : bufferOf(value),
    partition,
    timestamp: String(timestamp),
    headers: toHeaders(headers),
  }
}

/** kafkajs keeps headers by name: several of one name stay in order, and it cannot write null, which goes out empty. */
function toHeaders(headers: OutputRecord['headers']): Record<string, Buffer[]> {
  const byName: Record<string, Buffer[]> = Object.create(null)
  for (const { key, value } of headers) {
    const values = byName[key] ?? []
    values.push(value === null ? Buffer.alloc(0) : bufferOf(value))
    byName[key] = values
  }
  return byName
}

/** A plain Uint8Array would go out as text. The bytes are shared, not copied. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
