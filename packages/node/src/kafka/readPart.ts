import type { FetchedBatch, LogRecord, TopicPartition } from '@lanescope/core'
import type { KafkaClient } from './KafkaClient.js'
import { replaySpans } from './replaySpans.js'
import { withDeadline } from './withDeadline.js'

const READ_MS = 10_000

export interface PartToRead extends TopicPartition {
  readonly from: number
  /** Where readable records end; the part ends there at the latest. */
  readonly end: number
  readonly max: number
}

/** Some records of one partition. For people who look, not for the engine. */
export function readPart(client: KafkaClient, part: PartToRead): Promise<FetchedBatch> {
  const late = () => new Error(`no answer within ${READ_MS / 1000} s`)
  return withDeadline(client.clock, READ_MS, find(client, part), late)
}

async function find(client: KafkaClient, { topic, partition, from, end, max }: PartToRead): Promise<FetchedBatch> {
  const records: LogRecord[] = []
  let read = from
  for (let step = max; records.length < max && read < end; step *= 2) {
    // Between offsets there may be fewer records: markers, and what compaction has taken away.
    const to = Math.min(end, read + step)
    await replaySpans(client, topic, [{ partition, from: read, to }], async (_, found) => {
      records.push(...found)
    })
    read = to
  }
  const nextOffset = records[max]?.offset ?? read
  return { topic, partition, records: records.slice(0, max), nextOffset, lastStableOffset: end }
}
