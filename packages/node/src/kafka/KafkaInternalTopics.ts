import type { InternalTopicSettings, InternalTopics, LogRecord, ReplaySpan } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import { configEntriesOf, repairInternalTopic } from './internalTopicSettings.js'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka, rootOf } from './kafkaErrors.js'
import { makeTopic } from './makeTopic.js'
import type { OffsetAdmin } from './OffsetAdmin.js'
import { replaySpans, type TakeRecords } from './replaySpans.js'
import { topicNames } from './topicInfos.js'
import { withRetries } from './withRetries.js'

/** Markers of transactions stand between records, and those of aborted ones in numbers: so far back is looked first. */
const LOOK_BACK = 16

/** The engine's own topics on a Kafka cluster. */
export class KafkaInternalTopics implements InternalTopics {
  constructor(
    private readonly client: KafkaClient,
    private readonly admin: Admin,
    private readonly offsets: OffsetAdmin,
  ) {}

  ensure(topic: string, partitions: number, { needed, initial }: InternalTopicSettings): Promise<number> {
    return this.#asking(topic, async () => {
      if (!(await topicNames(this.admin)).includes(topic)) {
        const configEntries = configEntriesOf({ ...initial, ...needed })
        await makeTopic(this.admin, this.client.clock, {
          topic,
          numPartitions: partitions,
          replicationFactor: -1,
          configEntries,
        })
        return partitions
      }
      await repairInternalTopic(this.client, this.admin, topic, needed)
      const { topics } = await this.admin.fetchTopicMetadata({ topics: [topic] })
      return topics[0]?.partitions.length ?? 0
    })
  }

  bounds(topic: string): Promise<readonly { readonly start: number; readonly end: number }[]> {
    return this.#asking(topic, async () => {
      const found = await this.offsets.ask((admin) => admin.fetchTopicOffsets(topic))
      return found
        .sort((a, b) => a.partition - b.partition)
        .map(({ low, high }) => ({ start: Number(low), end: Number(high) }))
    })
  }

  async last(topic: string): Promise<LogRecord | undefined> {
    const [bounds] = await this.bounds(topic)
    if (bounds === undefined) return undefined
    let last: LogRecord | undefined
    for (let back = LOOK_BACK; last === undefined; back *= 8) {
      const from = Math.max(bounds.start, bounds.end - back)
      await this.replay(topic, [{ partition: 0, from, to: bounds.end }], async (_, records) => {
        last = records.at(-1) ?? last
      })
      if (from === bounds.start) break
    }
    return last
  }

  deleteBelow(topic: string, offsets: readonly number[]): Promise<void> {
    return this.#asking(topic, () => this.offsets.ask((admin) => deleteBelow(admin, topic, offsets)))
  }

  replay(topic: string, spans: readonly ReplaySpan[], take: TakeRecords): Promise<void> {
    return this.#asking(topic, () => replaySpans(this.client, topic, spans, take))
  }

  async #asking<T>(topic: string, work: () => Promise<T>): Promise<T> {
    try {
      return await withRetries(this.client.clock, work, ['OFFSET_OUT_OF_RANGE'])
    } catch (error) {
      throw fromKafka(error, this.client.servers, { topic })
    }
  }
}

async function deleteBelow(admin: Admin, topic: string, offsets: readonly number[]): Promise<void> {
  // Asked for anew each time: the broker refuses an offset past its end, and kafkajs finds no leader without it.
  const found = await admin.fetchTopicOffsets(topic)
  const partitions = found.flatMap(({ partition, low, high }) => {
    const offset = Math.min(offsets[partition] ?? 0, Number(high))
    return offset > Number(low) ? [{ partition, offset: String(offset) }] : []
  })
  if (partitions.length === 0) return
  try {
    await admin.deleteTopicRecords({ topic, partitions })
  } catch (error) {
    throw ofPartition(error)
  }
}

/** What the broker says of a partition; kafkajs says "Error while deleting records", and what of only in a field. */
function ofPartition(error: unknown): unknown {
  const { partitions } = rootOf(error) as { readonly partitions?: readonly { readonly error?: unknown }[] }
  return partitions?.find((partition) => partition.error !== undefined)?.error ?? error
}
