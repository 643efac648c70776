import { type OutputRecord, type Outputs, visitOutputs } from '@lanescope/core'
import type { Producer, RecordMetadata } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka, partitionUnknown, rootOf } from './kafkaErrors.js'
import { byTopic, givenPartition, RecordRuns, unsent } from './RecordRuns.js'
import type { RecordRun } from './records/RecordRun.js'

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
  /** What it has been asked to send to. */
  readonly #topics = new Set<string>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly client: KafkaClient,
    private readonly maxBytesOf: (topic: string) => number,
  ) {}

  /** Resolves once every record is on all in-sync replicas. */
  async write(outputs: Outputs): Promise<void> {
    await this.#inTurn(async () => {
      const runs = new RecordRuns(this.maxBytesOf)
      visitOutputs(outputs, (output) => runs.add(output))
      await this.#send(runs)
    })
  }

  /** As `write`. @returns where each went, in the order given */
  append(records: readonly OutputRecord[]): Promise<readonly Placed[]> {
    return this.#inTurn(async () => {
      const runs = new RecordRuns(this.maxBytesOf)
      const places: { readonly run: RecordRun; readonly at: number }[] = []
      visitOutputs(records, (output) => {
        const run = runs.add(output)
        places.push({ run, at: run.length - 1 })
      })
      await this.#send(runs)
      return places.map(({ run, at }) => ({ partition: run.partition, offset: run.baseOffset + at }))
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#drop()
  }

  async #send(all: RecordRuns): Promise<void> {
    for (const { runs } of all.rounds()) {
      const left = await this.#sendRound(runs)
      if (left.length === 0) continue
      // A new producer asks for the partitions anew.
      await this.#drop()
      const [lost] = await this.#sendRound(left)
      if (lost !== undefined) throw partitionUnknown(this.client.servers, lost)
    }
  }

  /** @returns what was not sent, because this producer does not know the partition */
  async #sendRound(runs: readonly RecordRun[]): Promise<readonly RecordRun[]> {
    const topicMessages = byTopic(runs)
    const topics = topicMessages.map(({ topic }) => topic)
    // A producer asks about a topic that is new to it before it sends anything.
    const isFirst = this.#producer !== undefined && topics.some((topic) => !this.#topics.has(topic))
    try {
      const producer = await this.#connected()
      for (const topic of topics) this.#topics.add(topic)
      const answers = await producer.sendBatch({ topicMessages, acks: -1, compression: this.client.compression })
      place(runs, answers)
      return unsent(runs, answers)
    } catch (error) {
      await this.#drop()
      // It asks about all topics that it has ever sent to, and it may be another one of them that is gone.
      if (isFirst && rootOf(error).type === 'UNKNOWN_TOPIC_OR_PARTITION') return this.#sendRound(runs)
      const [topic] = topics
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
    this.#topics.clear()
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
function place(runs: readonly RecordRun[], answers: readonly RecordMetadata[]): void {
  const offsets = new Map(answers.map((answer) => [`${answer.topicName} ${answer.partition}`, answer.baseOffset]))
  for (const run of runs) run.baseOffset = Number(offsets.get(`${run.topic} ${run.partition}`) ?? -1)
}
