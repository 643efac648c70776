import { randomUUID } from 'node:crypto'
import type { LogRecord, ReplaySpan } from '@lanescope/core'
import type { KafkaClient } from './KafkaClient.js'
import type { RepairedBatch } from './loadKafkaJs.js'

/** A broker that says nothing for so long is taken for gone. */
const SILENT_MS = 30_000

export type TakeRecords = (partition: number, records: readonly LogRecord[], next: number) => Promise<void>

/**
 * Reads spans of a topic's partitions, committed records only, by a consumer that is made for it and commits nothing.
 *
 * @throws what `take` throws, or an error of kafkajs
 */
export async function replaySpans(
  client: KafkaClient,
  topic: string,
  spans: readonly ReplaySpan[],
  take: TakeRecords,
): Promise<void> {
  const left = new Map(spans.filter(({ from, to }) => from < to).map((span) => [span.partition, { ...span }]))
  if (left.size === 0) return
  const consumer = client.kafka.consumer({
    groupId: `lanescope-replay-${randomUUID()}`,
    maxWaitTimeInMs: 100,
    maxBytesPerPartition: 5 * 1024 * 1024,
    allowAutoTopicCreation: false,
  })
  const { events } = consumer
  let watchdog = client.clock.after(SILENT_MS, () => undefined)
  try {
    await new Promise<void>((resolve, reject) => {
      const alive = () => {
        watchdog.cancel()
        watchdog = client.clock.after(SILENT_MS, () =>
          reject(new Error(`nothing came of "${topic}" within ${SILENT_MS / 1000} s`)),
        )
      }
      const passed = (partition: number, next: number) => {
        alive()
        const span = left.get(partition)
        if (span === undefined) return
        span.from = Math.max(span.from, next)
        if (span.from < span.to) return
        left.delete(partition)
        consumer.pause([{ topic, partitions: [partition] }])
        if (left.size === 0) resolve()
      }
      consumer.on(events.GROUP_JOIN, ({ payload }) => {
        const assigned = payload.memberAssignment[topic] ?? []
        consumer.pause([{ topic, partitions: assigned.filter((partition) => !left.has(partition)) }])
        for (const { partition, from } of left.values()) consumer.seek({ topic, partition, offset: String(from) })
      })
      consumer.on(events.CRASH, ({ payload }) => {
        if (!payload.restart) reject(payload.error)
      })
      // Also of a batch of which a reader is shown nothing.
      consumer.on(events.END_BATCH_PROCESS, ({ payload }) => passed(payload.partition, Number(payload.lastOffset) + 1))
      alive()
      consumer
        .connect()
        .then(() => consumer.subscribe({ topics: [topic], fromBeginning: true }))
        .then(() =>
          consumer.run({
            autoCommit: false,
            eachBatch: async ({ batch }) => {
              const span = left.get(batch.partition)
              if (span === undefined) return
              const records = (batch as unknown as RepairedBatch).messages.filter(
                ({ offset }) => offset >= span.from && offset < span.to,
              )
              const next = Math.min(span.to, Number(batch.lastOffset()) + 1)
              try {
                await take(batch.partition, records, next)
              } catch (error) {
                reject(error)
                return
              }
              passed(batch.partition, next)
            },
          }),
        )
        .catch(reject)
    })
  } finally {
    watchdog.cancel()
    await consumer.disconnect()
  }
}
