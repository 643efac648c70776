import type { StartingPosition, StreamError, TopicPartition } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import { heldAllTheSame, madeAnew, positionLost, topicGone } from './kafkaErrors.js'
import { topicNames } from './topicInfos.js'

/** A fetch was answered so by a broker that does not have the topic: it is deleted, made anew, or not known yet. */
export const NOT_THERE: ReadonlySet<string> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'UNKNOWN_TOPIC_ID',
  'INCONSISTENT_TOPIC_ID',
])

/** What of a topic can be asked for again when a fetch of it has failed. */
export interface TopicQuestions {
  readonly client: KafkaClient
  readonly admin: Admin
  readonly topics: readonly string[]
  /** Which topics the names stand for now; empty where the brokers do not tell. */
  readonly topicIds: () => Promise<ReadonlyMap<string, string>>
  /** What a topic holds now. */
  readonly bounds: (topic: string) => Promise<readonly PartitionBounds[]>
}

interface PartitionBounds {
  readonly partition: number
  readonly low: string
  readonly high: string
}

/**
 * What a broker does not have, where that is not a matter of time: another topic under the name, or none (E13). Undefined
 * where the brokers have just not heard of it yet.
 */
export async function whatIsGone(
  { client, admin, topics, topicIds }: TopicQuestions,
  assignment: readonly StartingPosition[],
): Promise<StreamError | undefined> {
  const ids = await topicIds()
  const other = assignment.find(
    ({ topic, topicId }) => topicId !== undefined && ids.has(topic) && ids.get(topic) !== topicId,
  )
  if (other !== undefined) return madeAnew(client.servers, other.topic, client.options.acceptsGaps === true)
  const existing = new Set(await topicNames(admin))
  const missing = topics.filter((topic) => !existing.has(topic))
  return missing.length === 0 ? undefined : topicGone(client.servers, missing)
}

/**
 * Why a partition did not give its next position: it is not there, or its leader has just been chosen and says once that
 * it holds nothing.
 *
 * @param at the position
 */
export async function whyLost(
  { client, bounds }: TopicQuestions,
  place: TopicPartition,
  at: number | undefined,
): Promise<StreamError> {
  const held = (await bounds(place.topic)).find(({ partition }) => partition === place.partition)
  const isHeld = at !== undefined && held !== undefined && at >= Number(held.low) && at <= Number(held.high)
  return isHeld
    ? heldAllTheSame(client.servers, place)
    : positionLost(client.servers, place, at, client.options.acceptsGaps === true)
}
