import type { Cancellable, Clock, TopicPartition } from '@lanescope/core'
import type { KafkaClient } from '../KafkaClient.js'
import { type Broker, clusterOf, type FetchedTopic, type KafkaCluster } from '../KafkaCluster.js'
import { PositionLostError } from '../PositionLostError.js'
import type { DecodedBatches } from '../records/decodeRecordBatches.js'
import { type FetchedPart, fetchedPart } from './fetchedPart.js'

/** A partition that has gained room waits for the fetch in flight, so that must be short. */
const FETCH_WAIT_MS = 100
const MOST_BYTES = 16 * 1024 * 1024
const READ_COMMITTED = 1
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000

export interface Wanted extends TopicPartition {
  readonly offset: number
  /** About how much of it; a batch that is larger comes whole all the same. */
  readonly bytes: number
}

/** What is read of kafkajs's errors. */
interface FetchError extends TopicPartition {
  readonly name: string
  readonly host?: string
  readonly port?: number
}

export interface FetchFeed {
  /** What has room for more. */
  wanted(): readonly Wanted[]
  take(place: TopicPartition, part: FetchedPart): void
  /** @returns whether to ask again, after a pause and with news of the leaders */
  onFailed(error: unknown): Promise<boolean>
}

/**
 * Reads partitions from their leaders, one request to a broker at a time, for as long as somebody has room.
 *
 * kafkajs's consumer has a loop of its own for this, which is not used: while all partitions are paused it sleeps through
 * the wait of a fetch, what it has fetched of a partition that was paused meanwhile is thrown away, and heartbeats queue
 * behind the fetch.
 */
export class PartitionFetcher {
  readonly #asked = new Set<string>()
  #isClosed = false
  #failures = 0
  #pause: Cancellable | undefined

  private constructor(
    private readonly cluster: KafkaCluster,
    private readonly clock: Clock,
    private readonly feed: FetchFeed,
  ) {}

  /** Nothing is asked for before `ask`. */
  static async open(
    { kafka, clock }: KafkaClient,
    topics: readonly string[],
    feed: FetchFeed,
  ): Promise<PartitionFetcher> {
    const cluster = clusterOf(kafka)
    await cluster.connect()
    try {
      await cluster.addMultipleTargetTopics([...topics])
    } catch (error) {
      await cluster.disconnect()
      throw error
    }
    return new PartitionFetcher(cluster, clock, feed)
  }

  /** To be called when a partition has got room. Its brokers that have been asked already are asked again once they answer. */
  ask(): void {
    if (this.#isClosed || this.#pause !== undefined) return
    const wanted = this.feed.wanted()
    if (wanted.length === 0) return
    const { byLeader, isComplete } = this.#byLeader(wanted)
    for (const [leader, parts] of byLeader) if (!this.#asked.has(leader)) void this.#fetch(leader, parts)
    if (!isComplete) this.#afterPause()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#pause?.cancel()
    await this.cluster.disconnect()
  }

  /** A partition without a leader, or of which nothing is known yet, is asked for later. */
  #byLeader(wanted: readonly Wanted[]) {
    const leaders = new Map<string, Map<number, number>>()
    const byLeader = new Map<string, Wanted[]>()
    let isComplete = true
    for (const part of wanted) {
      let ofTopic = leaders.get(part.topic)
      if (ofTopic === undefined) {
        const found = this.cluster.findTopicPartitionMetadata(part.topic)
        ofTopic = new Map(found.map(({ partitionId, leader }) => [partitionId, leader]))
        leaders.set(part.topic, ofTopic)
      }
      const leader = ofTopic.get(part.partition) ?? -1
      if (leader < 0) {
        isComplete = false
        continue
      }
      const parts = byLeader.get(String(leader))
      if (parts === undefined) byLeader.set(String(leader), [part])
      else parts.push(part)
    }
    return { byLeader, isComplete }
  }

  async #fetch(leader: string, parts: readonly Wanted[]): Promise<void> {
    this.#asked.add(leader)
    try {
      await this.cluster.refreshMetadataIfNecessary()
      const broker = await this.cluster.findBroker({ nodeId: leader })
      if (this.#isClosed) return
      const responses = await request(broker, parts)
      if (this.#isClosed) return
      this.#failures = 0
      this.#hand(parts, responses)
    } catch (error) {
      if (this.#isClosed) return
      if (!(await this.#mayGoOn(error))) return
      this.#afterPause()
    } finally {
      this.#asked.delete(leader)
    }
    this.ask()
  }

  #hand(parts: readonly Wanted[], responses: readonly FetchedTopic<DecodedBatches>[]): void {
    const from = new Map(parts.map(({ topic, partition, offset }) => [`${topic} ${partition}`, offset]))
    for (const { topicName: topic, partitions } of responses) {
      for (const found of partitions) {
        const place = { topic, partition: found.partition }
        const offset = from.get(`${topic} ${found.partition}`)
        if (offset !== undefined) this.feed.take(place, fetchedPart(place, offset, found))
      }
    }
  }

  async #mayGoOn(error: unknown): Promise<boolean> {
    const { name, topic, partition, ...broker } = error as FetchError
    if (name === 'KafkaJSConnectionClosedError') this.cluster.removeBroker(broker)
    return this.feed.onFailed(name === 'KafkaJSOffsetOutOfRange' ? new PositionLostError({ topic, partition }) : error)
  }

  #afterPause(): void {
    if (this.#isClosed || this.#pause !== undefined) return
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS)
    this.#pause = this.clock.after(ms, () => {
      const again = () => {
        this.#pause = undefined
        this.ask()
      }
      // Whoever has not heard of the change yet says so at the next fetch.
      this.cluster.refreshMetadata().then(again, again)
    })
  }
}

async function request(broker: Broker, parts: readonly Wanted[]): Promise<readonly FetchedTopic<DecodedBatches>[]> {
  const topics = new Map<string, { partition: number; fetchOffset: string; maxBytes: number }[]>()
  for (const { topic, partition, offset, bytes } of parts) {
    const asked = { partition, fetchOffset: String(offset), maxBytes: bytes }
    const partitions = topics.get(topic)
    if (partitions === undefined) topics.set(topic, [asked])
    else partitions.push(asked)
  }
  const { responses } = await broker.fetch({
    maxWaitTime: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytes: MOST_BYTES,
    isolationLevel: READ_COMMITTED,
    topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
  })
  return responses as readonly FetchedTopic<DecodedBatches>[]
}
