import type { TopicPartition } from '@lanescope/core'
import type { Broker } from '../KafkaCluster.js'
import { PositionLostError } from '../PositionLostError.js'
import { type DecodedBatches, decodeRecordBatches } from '../records/decodeRecordBatches.js'
import { FlexibleReader, FlexibleWriter } from '../records/flexible.js'
import type { CodecOf } from '../records/recordBatch.js'
import { FetchRefusedError } from './FetchRefusedError.js'

const FETCH = 1
/** The versions that ask for topics by name and by id: all since Kafka 3.1 know both. */
const BY_NAME = 12
const BY_ID = 13
const READ_COMMITTED = 1
/** A partition that has gained room waits for the fetch in flight, so that must be short. */
const FETCH_WAIT_MS = 100
const MOST_BYTES = 16 * 1024 * 1024
const NONE = -1
const OFFSET_OUT_OF_RANGE = 1

export interface Wanted extends TopicPartition {
  readonly offset: number
  /** About how much of it; a batch that is larger comes whole all the same. */
  readonly bytes: number
}

/** What came of one partition. */
export interface Fetched {
  readonly place: TopicPartition
  readonly lastStableOffset: number
  readonly abortedTransactions: readonly AbortedTransaction[]
  readonly messages: DecodedBatches
}

export interface AbortedTransaction {
  readonly producerId: string
  readonly firstOffset: number
}

/** Topics by their names: 16 bytes each. */
export type RawTopicIds = ReadonlyMap<string, Buffer>

interface Answer {
  readonly clientSideThrottleTime: number
  readonly parts: readonly Part[]
}

interface Part extends Omit<Fetched, 'messages'> {
  readonly error: number
  readonly records: Buffer
}

/**
 * Asks one broker for committed records of partitions that it leads.
 *
 * Where the ids of all topics are known, it asks by them, so that a topic which was deleted and made anew gives an error
 * and no record (E13). kafkajs asks by name alone: whatever is there under it comes.
 *
 * @throws PositionLostError, FetchRefusedError of the first partition with an error, or an error of the connection
 */
export async function fetchFrom(
  broker: Broker,
  parts: readonly Wanted[],
  ids: RawTopicIds,
  codecOf: CodecOf,
): Promise<readonly Fetched[]> {
  const isById = parts.every(({ topic }) => ids.has(topic)) && (broker.versions[FETCH]?.maxVersion ?? 0) >= BY_ID
  const known = isById ? ids : undefined
  const names = new Map([...(known ?? [])].map(([name, id]) => [id.toString('hex'), name]))
  try {
    const answer = await broker.connectionPool.send<Answer>({
      request: {
        apiKey: FETCH,
        apiVersion: isById ? BY_ID : BY_NAME,
        apiName: 'Fetch',
        encode: async () => ({ parts: [encodeFetch(parts, known)] }),
      },
      response: { decode: async (payload) => decodeFetch(payload, isById ? names : undefined), parse: refused },
    })
    return await Promise.all(
      answer.parts.map(async ({ error, records, ...part }) => ({
        ...part,
        messages: await decodeRecordBatches(records, codecOf),
      })),
    )
  } catch (error) {
    if ((error as Error).name === 'KafkaJSConnectionClosedError') await broker.disconnect()
    throw error
  }
}

/**
 * Fetch request 12, or 13 where ids are given, with the end of its head: the tagged fields, of which there are none.
 * Partitions keep their order, since a broker fills its answer from the first on.
 */
export function encodeFetch(parts: readonly Wanted[], ids: RawTopicIds | undefined): Buffer {
  const writer = new FlexibleWriter().tags()
  writer.int32(NONE).int32(FETCH_WAIT_MS).int32(1).int32(MOST_BYTES).bytes(Buffer.of(READ_COMMITTED))
  // No session: each request names all of its partitions.
  writer.int32(0).int32(NONE)
  const topics = inRuns(parts)
  writer.length(topics.length)
  for (const { topic, partitions } of topics) {
    const id = ids?.get(topic)
    if (id === undefined) writer.text(topic)
    else writer.bytes(id)
    writer.length(partitions.length)
    for (const { partition, offset, bytes } of partitions) {
      // The leader's epoch, and that of the last record, which only replicas and careful clients check.
      writer.int32(partition).int32(NONE).int64(offset).int32(NONE).int64(NONE).int32(bytes).tags()
    }
    writer.tags()
  }
  // Forgotten topics, of which a session would have some, and no rack.
  return writer.length(0).text('').tags().buffer
}

/** One topic may come several times. */
function inRuns(parts: readonly Wanted[]) {
  const runs: { readonly topic: string; readonly partitions: Wanted[] }[] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last?.topic === part.topic) last.partitions.push(part)
    else runs.push({ topic: part.topic, partitions: [part] })
  }
  return runs
}

/**
 * A Fetch response 12, or 13 where names by id are given (in hex), from behind its correlation id.
 *
 * @throws RangeError where it ends within a field, or tells of a topic that was not asked for
 */
export function decodeFetch(payload: Buffer, names: ReadonlyMap<string, string> | undefined): Answer {
  const reader = new FlexibleReader(payload)
  reader.tags()
  const clientSideThrottleTime = reader.int32()
  const error = reader.int16()
  if (error !== 0) throw new FetchRefusedError(error)
  reader.int32()
  const parts: Part[] = []
  for (let topics = reader.length(); topics > 0; topics--) {
    const topic = names === undefined ? reader.text() : names.get(reader.bytes(16).toString('hex'))
    if (topic === undefined || topic === null) throw new RangeError('The answer to a fetch is of another topic')
    for (let left = reader.length(); left > 0; left--) parts.push(decodePart(reader, topic))
    reader.tags()
  }
  return { clientSideThrottleTime, parts }
}

function decodePart(reader: FlexibleReader, topic: string): Part {
  const partition = reader.int32()
  const error = reader.int16()
  // The high watermark, beyond which lie records that are not on all replicas.
  reader.int64()
  const lastStableOffset = reader.int64()
  reader.int64()
  const abortedTransactions: AbortedTransaction[] = []
  for (let left = reader.length(); left > 0; left--) {
    abortedTransactions.push({ producerId: reader.id64(), firstOffset: reader.int64() })
    reader.tags()
  }
  // A replica that is nearer.
  reader.int32()
  const records = reader.bytes(reader.length())
  reader.tags()
  return { place: { topic, partition }, error, lastStableOffset, abortedTransactions, records }
}

async function refused(answer: Answer): Promise<Answer> {
  const bad = answer.parts.find(({ error }) => error !== 0)
  if (bad === undefined) return answer
  throw bad.error === OFFSET_OUT_OF_RANGE
    ? new PositionLostError(bad.place)
    : new FetchRefusedError(bad.error, bad.place)
}
