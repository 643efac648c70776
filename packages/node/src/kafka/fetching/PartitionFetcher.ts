import type { Cancellable, Clock, TopicPartition } from '@lanescope/core'
import type { BrokerWatch } from '../BrokerWatch.js'
import type { KafkaClient } from '../KafkaClient.js'
import { clusterOf, type KafkaCluster } from '../KafkaCluster.js'
import { rootOf } from '../kafkaErrors.js'
import type { CodecOf } from '../records/recordBatch.js'
import { type FetchedPart, fetchedPart } from './fetchedPart.js'
import { type Fetched, fetchFrom, type RawTopicIds, type Wanted } from './fetchRequest.js'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000
/** As Kafka has it. */
const NO_LEADER = '-1'

/** What is read of kafkajs's errors. */
interface ConnectionError {
  readonly name: string
  readonly host?: string
  readonly port?: number
}

const noIds: RawTopicIds = new Map()

export interface FetchFeed {
  /** Is told whether the brokers answer. */
  readonly watch?: BrokerWatch
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
  #turn = 0
  #pause: Cancellable | undefined

  private constructor(
    private readonly cluster: KafkaCluster,
    private readonly clock: Clock,
    private readonly feed: FetchFeed,
    private readonly ids: RawTopicIds,
    private readonly codecOf: CodecOf,
  ) {}

  /**
   * Nothing is asked for before `ask`.
   *
   * @param ids of the topics, where no other ones of their names are to be read (E13)
   */
  static async open(
    { kafka, clock, codecOf }: KafkaClient,
    topics: readonly string[],
    feed: FetchFeed,
    ids = noIds,
  ): Promise<PartitionFetcher> {
    const cluster = clusterOf(kafka)
    await cluster.connect()
    try {
      await cluster.addMultipleTargetTopics([...topics])
    } catch (error) {
      await cluster.disconnect()
      throw error
    }
    return new PartitionFetcher(cluster, clock, feed, ids, codecOf)
  }

  /** To be called when a partition has got room. Its brokers that have been asked already are asked again once they answer. */
  ask(): void {
    if (this.#isClosed || this.#pause !== undefined) return
    const all = this.feed.wanted()
    if (all.length === 0) return
    // A broker fills its answer from the first on, and everybody is to be the first in turn.
    const first = this.#turn++ % all.length
    const wanted = first === 0 ? all : [...all.slice(first), ...all.slice(0, first)]
    const { byLeader, isComplete } = this.#byLeader(wanted)
    const { watch } = this.feed
    watch?.onlyNeeds((leader) => (leader === NO_LEADER ? !isComplete : byLeader.has(leader)))
    for (const [leader, parts] of byLeader) if (!this.#asked.has(leader)) void this.#fetch(leader, parts)
    if (isComplete) return
    watch?.fails(NO_LEADER, 'a partition has no leader')
    this.#afterPause()
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
    const { watch } = this.feed
    this.#asked.add(leader)
    watch?.asks(leader)
    try {
      await this.cluster.refreshMetadataIfNecessary()
      const broker = await this.cluster.findBroker({ nodeId: leader })
      if (this.#isClosed) return
      const fetched = await fetchFrom(broker, parts, this.ids, this.codecOf)
      if (this.#isClosed) return
      this.#failures = 0
      watch?.answers(leader)
      this.#hand(parts, fetched)
    } catch (error) {
      if (this.#isClosed) return
      watch?.fails(leader, `broker ${leader}: ${rootOf(error).message}`)
      if (!(await this.#mayGoOn(error))) return
      this.#afterPause()
    } finally {
      this.#asked.delete(leader)
    }
    this.ask()
  }

  #hand(parts: readonly Wanted[], found: readonly Fetched[]): void {
    const from = new Map(parts.map(({ topic, partition, offset }) => [`${topic} ${partition}`, offset]))
    for (const fetched of found) {
      const { topic, partition } = fetched.place
      const offset = from.get(`${topic} ${partition}`)
      if (offset !== undefined) this.feed.take(fetched.place, fetchedPart(offset, fetched))
    }
  }

  async #mayGoOn(error: unknown): Promise<boolean> {
    const { name, ...broker } = error as ConnectionError
    if (name === 'KafkaJSConnectionClosedError') this.cluster.removeBroker(broker)
    return this.feed.onFailed(error)
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
