import { type Outputs, type Position, StreamError, visitOutputs } from '@lanescope/core'
import type { Producer, Transaction } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka, partitionUnknown, rootOf, whereOf } from './kafkaErrors.js'
import { givenPartition, RecordRuns, unsent } from './RecordRuns.js'
import { withRetries } from './withRetries.js'

/** The broker refuses the first partition of a transaction until the last one's markers are written: 5 ms, not 300. */
const RETRY = { initialRetryTime: 5, retries: 30, maxRetryTime: 500 } as const

/**
 * One transactional producer, for one epoch at a time (E1). One id for an application: there is one instance of it
 * (E5), and the id fences whoever was it before.
 *
 * After any failure the producer is thrown away: kafkajs leaves it in a state in which every call throws, and whether the
 * transaction counts is open. A new one with the same id settles that at `fence`, and the epoch record tells (E9).
 */
export class TransactionalWriter {
  #producer: Producer | undefined
  /** Begun by the client; the broker hears of it with the first record. */
  #transaction: Transaction | undefined

  constructor(
    private readonly client: KafkaClient,
    private readonly applicationId: string,
    private readonly timeoutMs: number,
    private readonly maxBytesOf: (topic: string) => number,
  ) {}

  /** Ends what an earlier producer of the application has left open, and keeps it from going on. */
  async fence(): Promise<void> {
    await this.#asking(async () => {
      const producer = this.client.kafka.producer({
        transactionalId: this.applicationId,
        transactionTimeout: this.timeoutMs,
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: givenPartition,
        retry: { ...RETRY },
      })
      this.#producer = producer
      await producer.connect()
      this.#transaction = await producer.transaction()
    })
  }

  /** All of it or none. Never two at once, and never again after it has failed. */
  async commit(outputs: Outputs, positions: readonly Position[]): Promise<void> {
    // Before anything is waited for, so that the outputs themselves can go.
    const runs = new RecordRuns(this.maxBytesOf)
    visitOutputs(outputs, (output) => runs.add(output))
    await this.#asking(async () => {
      const transaction = this.#transaction ?? (await this.#fenced().transaction())
      this.#transaction = undefined
      // The records before the offsets: kafkajs does not retry the other order on CONCURRENT_TRANSACTIONS.
      for (const { runs: round, topicMessages } of runs.rounds()) {
        const { compression, servers } = this.client
        const [lost] = unsent(round, await transaction.sendBatch({ topicMessages, acks: -1, compression }))
        if (lost !== undefined) throw partitionUnknown(servers, lost)
      }
      if (positions.length > 0) await this.#sendOffsets(transaction, positions)
      await transaction.commit()
    })
  }

  async close(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    this.#transaction = undefined
    try {
      await producer?.disconnect()
    } catch (error) {
      this.client.report('info', `Kafka producer: ${String(error)}`)
    }
  }

  async #sendOffsets(transaction: Transaction, positions: readonly Position[]): Promise<void> {
    const topics = new Map<string, { partition: number; offset: string }[]>()
    for (const { topic, partition, offset } of positions) {
      const list = topics.get(topic) ?? []
      topics.set(topic, list)
      list.push({ partition, offset: String(offset) })
    }
    const offsets = {
      consumerGroupId: this.applicationId,
      topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
    }
    // kafkajs looks for other names of a coordinator that is new or moves, and so gives up at once.
    await withRetries(this.client.clock, () => transaction.sendOffsets(offsets))
  }

  #fenced(): Producer {
    if (this.#producer !== undefined) return this.#producer
    throw new StreamError(`The producer of "${this.applicationId}" is gone after a failure; open a new session`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
    })
  }

  async #asking(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await this.close()
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): StreamError {
    const { servers } = this.client
    if (rootOf(error).type !== 'INVALID_PRODUCER_EPOCH') return asOpen(fromKafka(error, servers))
    // The broker says the same when a transaction was open for too long: only a new start can tell the two apart (E5).
    return new StreamError(
      `${whereOf(servers)} takes no more records from this producer of "${this.applicationId}": its transaction was open for ` +
        `more than producer.transaction.timeout.ms = ${this.timeoutMs}, or another instance has taken over.`,
      { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true, cause: error },
    )
  }
}

/** A record that the broker refuses will be refused again. All else is tried anew: the epoch is done again if it did not count. */
function asOpen(error: StreamError): StreamError {
  if (error.retriable || error.code === 'PRODUCTION_FAILED' || error.code === 'TOPIC_MISSING') return error
  const { code, kind, context, message } = error
  return new StreamError(message, { code, kind, retriable: true, context, cause: error.cause })
}
