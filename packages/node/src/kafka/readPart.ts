import type { FetchedBatch, LogRecord, TopicPartition } from '@lanescope/core'
import type { KafkaClient } from './KafkaClient.js'
import type { RepairedBatch } from './loadKafkaJs.js'
import { withDeadline } from './withDeadline.js'

const READ_MS = 10_000

export interface PartToRead extends TopicPartition {
  readonly from: number
  /** Where readable records end; the part ends there at the latest. */
  readonly end: number
  readonly max: number
  /** A group of its own, which leaves nothing behind: it commits no positions. */
  readonly groupId: string
}

/** Some records of one partition, read by a consumer that is made for it. For people who look, not for the engine. */
export async function readPart(client: KafkaClient, part: PartToRead): Promise<FetchedBatch> {
  const { topic, partition, from, end, max } = part
  const records: LogRecord[] = []
  let nextOffset = from
  const result = () => ({ topic, partition, records, nextOffset, lastStableOffset: end })
  if (from >= end || max <= 0) return result()
  const consumer = client.kafka.consumer({ groupId: part.groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false })
  const done = new Promise<void>((resolve, reject) => {
    const advance = (next: number) => {
      nextOffset = Math.max(nextOffset, next)
      if (nextOffset >= end || records.length >= max) resolve()
    }
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      const others = (payload.memberAssignment[topic] ?? []).filter((other) => other !== partition)
      consumer.pause([{ topic, partitions: others }])
      consumer.seek({ topic, partition, offset: String(from) })
    })
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) reject(payload.error)
    })
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      if (payload.partition === partition && records.length < max) advance(Number(payload.lastOffset) + 1)
    })
    const take = async (messages: readonly LogRecord[], next: number) => {
      const wanted = messages.filter(({ offset }) => offset >= nextOffset).slice(0, max - records.length)
      records.push(...wanted)
      advance(wanted.length < messages.length ? (wanted.at(-1)?.offset ?? nextOffset - 1) + 1 : next)
    }
    consumer
      .connect()
      .then(() => consumer.subscribe({ topics: [topic], fromBeginning: true }))
      .then(() =>
        consumer.run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            if (batch.partition !== partition || records.length >= max) return
            await take((batch as unknown as RepairedBatch).messages, Number(batch.lastOffset()) + 1)
          },
        }),
      )
      .catch(reject)
  })
  try {
    await withDeadline(client.clock, READ_MS, done, () => new Error(`no answer within ${READ_MS / 1000} s`))
    return result()
  } finally {
    await consumer.disconnect()
  }
}
