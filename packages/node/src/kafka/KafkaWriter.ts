import type { OutputRecord } from '@lanescope/core'
import type { Producer, RecordMetadata } from 'kafkajs'
import { cutBatches } from './cutBatches.js'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka } from './kafkaErrors.js'
import { givenPartition, toTopicMessages } from './toTopicMessages.js'

export interface Placed {
  readonly partition: number
  readonly offset: number
}

/**
 * One producer, used by one send at a time: two at once on an idempotent producer lose and double records without an
 * error when an answer is lost. After a failure it is replaced, since its sequence numbers are then unknown.
 */
export class KafkaWriter {
  #producer: Producer | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly client: KafkaClient,
    private readonly maxBytesOf: (topic: string) => number,
  ) {}

  /** Resolves once every record is on all in-sync replicas: where each went, in the order given. */
  write(records: readonly OutputRecord[]): Promise<readonly Placed[]> {
    const turn = this.#queue.then(() => this.#write(records))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#drop()
  }

  async #write(records: readonly OutputRecord[]): Promise<readonly Placed[]> {
    const placed: Placed[] = new Array(records.length)
    for (const batch of cutBatches(records, this.maxBytesOf)) {
      const answers = await this.#send(batch.map((index) => records[index] as OutputRecord))
      placeAll(batch, records, answers, placed)
    }
    return placed
  }

  async #send(records: readonly OutputRecord[]): Promise<RecordMetadata[]> {
    const topicMessages = toTopicMessages(records)
    try {
      const producer = await this.#connected()
      return await producer.sendBatch({ topicMessages, acks: -1, compression: this.client.compression })
    } catch (error) {
      await this.#drop()
      const topic = records[0]?.topic
      throw fromKafka(error, this.client.servers, topic === undefined || topicMessages.length > 1 ? {} : { topic })
    }
  }

  async #connected(): Promise<Producer> {
    if (this.#producer !== undefined) return this.#producer
    const producer = this.client.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: givenPartition,
      // Given, since an idempotent producer otherwise retries for ever.
      retry: { ...RETRIES_OF_A_SEND },
    })
    await producer.connect()
    this.#producer = producer
    return producer
  }

  async #drop(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    try {
      await producer?.disconnect()
    } catch (error) {
      this.client.report('info', `Kafka producer: ${String(error)}`)
    }
  }
}

/** About 15 s: a broker's restart passes unnoticed. */
const RETRIES_OF_A_SEND = { initialRetryTime: 20, retries: 20, maxRetryTime: 1000 } as const

/** The broker answers with the first offset of each partition. */
function placeAll(
  batch: readonly number[],
  records: readonly OutputRecord[],
  answers: readonly RecordMetadata[],
  placed: Placed[],
): void {
  const next = new Map(answers.map((answer) => [`${answer.topicName} ${answer.partition}`, Number(answer.baseOffset)]))
  for (const index of batch) {
    const { topic, partition } = records[index] as OutputRecord
    const key = `${topic} ${partition}`
    const offset = next.get(key) ?? -1
    placed[index] = { partition, offset }
    next.set(key, offset + 1)
  }
}
