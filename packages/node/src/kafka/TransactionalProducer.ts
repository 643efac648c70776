import type { TopicPartition } from '@lanescope/core'
import type { KafkaClient } from './KafkaClient.js'
import { type Broker, clusterOf, type KafkaCluster, type TransactionFields } from './KafkaCluster.js'
import { partitionUnknown, rootOf } from './kafkaErrors.js'
import type { RecordRun } from './records/RecordRun.js'
import { PASSING } from './withRetries.js'

const GROUP = 0
const TRANSACTION = 1
/** How long it is tried anew: a broker's restart passes unnoticed. */
const PATIENCE_MS = 15_000
/** The broker refuses the first partition of a transaction until the last one's markers are written: a few ms. */
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500
const SEQUENCES = 2 ** 31

export type Offsets = readonly {
  readonly topic: string
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
}[]

/**
 * One transactional id's requests to the brokers, each tried anew while that may help.
 *
 * In place of kafkajs's producer: that one asks who the coordinator is before each of its requests and makes them one
 * after the other, so that a commit waits for nine answers, and gives up where a coordinator moves.
 *
 * A request that is repeated does nothing twice: the broker knows a batch by its sequence number, and a transaction that
 * it has ended already by the producer's epoch. After an error that comes through, the producer is of no more use.
 */
export class TransactionalProducer {
  readonly #cluster: KafkaCluster
  readonly #coordinators = new Map<number, Promise<Broker>>()
  readonly #sequences = new Map<string, number>()
  #fields: TransactionFields | undefined
  #isClosed = false

  constructor(
    private readonly client: KafkaClient,
    private readonly transactionalId: string,
  ) {
    this.#cluster = clusterOf(client.kafka)
  }

  /** Ends what an earlier producer with this id has left open, and keeps it from going on. */
  async init(transactionTimeout: number): Promise<void> {
    const { transactionalId } = this
    await this.#cluster.connect()
    const { producerId, producerEpoch } = await this.#askCoordinator(TRANSACTION, (broker) =>
      broker.initProducerId({ transactionalId, transactionTimeout }),
    )
    this.#fields = { transactionalId, producerId, producerEpoch }
  }

  async addPartitions(partitions: readonly TopicPartition[]): Promise<void> {
    const topics = new Map<string, Set<number>>()
    for (const { topic, partition } of partitions) {
      const known = topics.get(topic)
      if (known === undefined) topics.set(topic, new Set([partition]))
      else known.add(partition)
    }
    const list = [...topics].map(([topic, set]) => ({ topic, partitions: [...set] }))
    await this.#askCoordinator(TRANSACTION, (broker) => broker.addPartitionsToTxn({ ...this.#open, topics: list }))
  }

  /** Positions of a group that has the name of the transactional id. */
  async sendOffsets(topics: Offsets): Promise<void> {
    const groupId = this.transactionalId
    await this.#askCoordinator(TRANSACTION, (broker) => broker.addOffsetsToTxn({ ...this.#open, groupId }))
    await this.#askCoordinator(GROUP, (broker) => broker.txnOffsetCommit({ ...this.#open, groupId, topics }))
  }

  /** Sends one run of each of several partitions, which have been added. Not twice at once. */
  async produce(runs: readonly RecordRun[]): Promise<void> {
    await this.#trying(async () => {
      await this.#cluster.addMultipleTargetTopics([...new Set(runs.map(({ topic }) => topic))])
      const sent = [...this.#byLeader(runs)].map(([leader, some]) => this.#produceTo(leader, some))
      await Promise.all(sent)
    })
    for (const { topic, partition, length } of runs) {
      const place = `${topic} ${partition}`
      this.#sequences.set(place, ((this.#sequences.get(place) ?? 0) + length) % SEQUENCES)
    }
  }

  async commit(): Promise<void> {
    await this.#askCoordinator(TRANSACTION, (broker) => broker.endTxn({ ...this.#open, transactionResult: true }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#cluster.disconnect()
  }

  get #open(): TransactionFields {
    return this.#fields as TransactionFields
  }

  #byLeader(runs: readonly RecordRun[]): ReadonlyMap<number, readonly RecordRun[]> {
    const byLeader = new Map<number, RecordRun[]>()
    const leaders = new Map<string, ReadonlyMap<number, number>>()
    for (const run of runs) {
      let known = leaders.get(run.topic)
      if (known === undefined) {
        const found = this.#cluster.findTopicPartitionMetadata(run.topic)
        known = new Map(found.map(({ partitionId, leader }) => [partitionId, leader]))
        leaders.set(run.topic, known)
      }
      const leader = known.get(run.partition) ?? -1
      if (leader < 0) throw partitionUnknown(this.client.servers, run)
      const some = byLeader.get(leader)
      if (some === undefined) byLeader.set(leader, [run])
      else some.push(run)
    }
    return byLeader
  }

  async #produceTo(leader: number, runs: readonly RecordRun[]): Promise<void> {
    const broker = await this.#cluster.findBroker({ nodeId: String(leader) })
    const topics = new Map<string, { partition: number; firstSequence: number; messages: RecordRun }[]>()
    for (const run of runs) {
      const { topic, partition } = run
      const data = { partition, firstSequence: this.#sequences.get(`${topic} ${partition}`) ?? 0, messages: run }
      const known = topics.get(topic)
      if (known === undefined) topics.set(topic, [data])
      else known.push(data)
    }
    await broker.produce({
      ...this.#open,
      acks: -1,
      compression: this.client.compression,
      topicData: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
    })
  }

  #askCoordinator<T>(coordinatorType: number, request: (broker: Broker) => Promise<T>): Promise<T> {
    return this.#trying(async () => {
      let broker = this.#coordinators.get(coordinatorType)
      if (broker === undefined) {
        broker = this.#cluster.findGroupCoordinator({ groupId: this.transactionalId, coordinatorType })
        this.#coordinators.set(coordinatorType, broker)
      }
      return request(await broker)
    })
  }

  async #trying<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.client
    const deadline = clock.monotonic() + PATIENCE_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await work()
      } catch (error) {
        if (this.#isClosed || !mayPass(error) || clock.monotonic() >= deadline) throw error
        await this.#lookAgain(error)
      }
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
    }
  }

  /** Who leads, and who coordinates, may be another by now. */
  async #lookAgain(error: unknown): Promise<void> {
    const { name, type, host, port } = error as KafkaJsError
    if (type === 'CONCURRENT_TRANSACTIONS') return
    this.#coordinators.clear()
    if (name === 'KafkaJSConnectionClosedError') this.#cluster.removeBroker({ host, port })
    try {
      await this.#cluster.refreshMetadata()
    } catch (inner) {
      if (!mayPass(inner)) throw inner
    }
  }
}

interface KafkaJsError {
  readonly name: string
  readonly type?: string
  readonly host?: string
  readonly port?: number
}

function mayPass(error: unknown): boolean {
  const root = rootOf(error)
  return (
    PASSING.has(root.type ?? '') || (error as { retriable?: boolean }).retriable === true || root.retriable === true
  )
}
