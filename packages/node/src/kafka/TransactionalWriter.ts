import { type Outputs, type Position, StreamError, visitOutputs } from '@lanescope/core'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka, rootOf, whereOf } from './kafkaErrors.js'
import { RecordRuns } from './RecordRuns.js'
import type { RecordRun } from './records/RecordRun.js'
import { TransactionalProducer } from './TransactionalProducer.js'

/**
 * One transactional producer, for one epoch at a time (E1). One id for an application: there is one instance of it
 * (E5), and the id fences whoever was it before.
 *
 * After any failure the producer is thrown away: whether the transaction counts is open then. A new one with the same id
 * settles that at `fence`, and the epoch record tells (E9).
 */
export class TransactionalWriter {
  #producer: TransactionalProducer | undefined

  constructor(
    private readonly client: KafkaClient,
    private readonly applicationId: string,
    private readonly timeoutMs: number,
    private readonly maxBytesOf: (topic: string) => number,
  ) {}

  /** Ends what an earlier producer of the application has left open, and keeps it from going on. */
  async fence(): Promise<void> {
    await this.#asking(async () => {
      this.#producer = new TransactionalProducer(this.client, this.applicationId)
      await this.#producer.init(this.timeoutMs)
    })
  }

  /** All of it or none. Never two at once, and never again after it has failed. */
  async commit(outputs: Outputs, positions: readonly Position[]): Promise<void> {
    // Before anything is waited for, so that the outputs themselves can go.
    const runs = new RecordRuns(this.maxBytesOf)
    visitOutputs(outputs, (output) => runs.add(output))
    const rounds = [...runs.rounds()].map(({ runs: round }) => round)
    const producer = this.#fenced()
    await this.#asking(async () => {
      if (rounds.length > 0) await producer.addPartitions(rounds.flat())
      await Promise.all([produceAll(producer, rounds), sendOffsets(producer, positions)])
      if (rounds.length > 0 || positions.length > 0) await producer.commit()
    })
  }

  async close(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    try {
      await producer?.close()
    } catch (error) {
      this.client.report('info', `Kafka producer: ${String(error)}`)
    }
  }

  #fenced(): TransactionalProducer {
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

/** One round after the other, so that each partition keeps its order. */
async function produceAll(producer: TransactionalProducer, rounds: readonly (readonly RecordRun[])[]): Promise<void> {
  for (const round of rounds) await producer.produce(round)
}

async function sendOffsets(producer: TransactionalProducer, positions: readonly Position[]): Promise<void> {
  if (positions.length === 0) return
  const topics = new Map<string, { partition: number; offset: string }[]>()
  for (const { topic, partition, offset } of positions) {
    const list = topics.get(topic) ?? []
    topics.set(topic, list)
    list.push({ partition, offset: String(offset) })
  }
  await producer.sendOffsets([...topics].map(([topic, partitions]) => ({ topic, partitions })))
}
