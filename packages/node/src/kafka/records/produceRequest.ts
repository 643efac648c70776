import type { BatchCodec, RecordRun } from './RecordRun.js'

/** What kafkajs gives for a Produce request; the messages of a partition are a run, as it was sent. */
interface ProduceFields {
  readonly acks: number
  readonly timeout: number
  readonly transactionalId?: string | null
  readonly producerId?: { toString(): string }
  readonly producerEpoch?: number
  readonly compression?: number
  readonly topicData: readonly {
    readonly topic: string
    readonly partitions: readonly {
      readonly partition: number
      readonly firstSequence?: number
      readonly messages: RecordRun
    }[]
  }[]
}

const PRODUCE = 0

/** kafkajs's encoder, as far as it is used here. */
interface Encoder {
  writeString(text: string | null): Encoder
  writeInt16(value: number): Encoder
  writeInt32(value: number): Encoder
  readonly buffer: Buffer
}

/**
 * Produce requests from version 3 on, in place of kafkajs's own: that one makes several objects of each record, sorts
 * timestamps as text, and cannot write a header without a value. Batches are parts of the request, not copied into it.
 */
export function produceRequest(newEncoder: () => Encoder, codecOf: (number: number) => BatchCodec | undefined) {
  return ({
    acks,
    timeout,
    transactionalId = null,
    producerId = '-1',
    producerEpoch = 0,
    compression = 0,
    topicData,
  }: ProduceFields) => ({
    apiKey: PRODUCE,
    apiVersion: 3,
    apiName: 'Produce',
    expectResponse: () => acks !== 0,
    encode: async () => {
      const codec = codecOf(compression)
      const parts: Buffer[] = []
      let encoder = newEncoder().writeString(transactionalId).writeInt16(acks).writeInt32(timeout)
      encoder.writeInt32(topicData.length)
      for (const { topic, partitions } of topicData) {
        encoder.writeString(topic).writeInt32(partitions.length)
        for (const { partition, messages, firstSequence = 0 } of partitions) {
          const producer = {
            producerId: BigInt(producerId.toString()),
            producerEpoch,
            firstSequence,
            isTransactional: transactionalId !== null,
          }
          const batch = await messages.encode(producer, codec)
          encoder.writeInt32(partition).writeInt32(batch.length)
          parts.push(encoder.buffer, batch)
          encoder = newEncoder()
        }
      }
      parts.push(encoder.buffer)
      return { parts }
    },
  })
}
