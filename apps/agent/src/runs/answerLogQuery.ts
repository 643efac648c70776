import { fromHex, isInternalTopic, type LogAdmin, type LogRecord, type RecordLog, toHex } from '@lanescope/core'
import type { Replies, WireRecord } from '@lanescope/shared'
import type { ChildQuery, ChildQueryType } from './childProtocol.js'

/** Records that one request may read. */
const MOST_RECORDS = 1_000

/** What pages ask of a project's log. */
export type LogQuery = Exclude<ChildQuery, { readonly type: 'preview-future' }>

/** Answers from a log, whoever has it open: the process of a run, or the agent while there is none. */
export async function answerLogQuery(
  query: LogQuery,
  log: LogAdmin & Pick<RecordLog, 'kind'>,
): Promise<Replies[ChildQueryType]> {
  switch (query.type) {
    case 'list-topics': {
      const topics = (await log.listTopics()).filter(({ topic }) => !isInternalTopic(topic))
      return { topics: topics.map(({ topic, partitions }) => ({ topic, partitions })), log: log.kind }
    }
    case 'create-topics': {
      const before = new Set((await log.listTopics()).map(({ topic }) => topic))
      for (const { topic, partitions } of query.topics) await log.createTopic(topic, partitions)
      return { created: query.topics.map(({ topic }) => topic).filter((topic) => !before.has(topic)) }
    }
    case 'read-topic': {
      const { topic, partition, fromOffset, max } = query
      const batch = await log.read(topic, partition, fromOffset, Math.min(max, MOST_RECORDS))
      return {
        records: batch.records.map((record) => toWireRecord(topic, partition, record)),
        nextOffset: batch.nextOffset,
        end: batch.lastStableOffset,
      }
    }
    case 'produce': {
      const { topic, partition, timestamp } = query
      const [appended] = await log.append([
        { topic, partition, timestamp, key: bytesOf(query.key), value: bytesOf(query.value), headers: [] },
      ])
      if (appended === undefined) throw new Error(`The log did not say where it put a record for ${topic}`)
      return { partition: appended.partition, offset: appended.offset }
    }
  }
}

function toWireRecord(topic: string, partition: number, record: LogRecord): WireRecord {
  const { offset, timestamp, key, value, headers } = record
  return {
    topic,
    partition,
    offset,
    timestamp,
    key: hexOf(key),
    value: hexOf(value),
    headers: headers.map((header) => [header.key, hexOf(header.value)] as const),
  }
}

function hexOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : toHex(bytes)
}

function bytesOf(hex: string | null): Uint8Array | null {
  return hex === null ? null : fromHex(hex)
}
