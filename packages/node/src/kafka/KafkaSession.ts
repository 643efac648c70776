import {
  type EpochCommit,
  type FetchedBatch,
  FetchLoop,
  type FetchRequest,
  type LogSession,
  type Position,
  StreamError,
  topicMissing,
} from '@lanescope/core'
import type { Admin, Batch, Consumer } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import type { KafkaWriter } from './KafkaWriter.js'
import { fromKafka, rootOf, takenByAnother, whereOf } from './kafkaErrors.js'
import type { RepairedBatch } from './loadKafkaJs.js'
import { PartitionBuffer } from './PartitionBuffer.js'
import type { StartPosition } from './startPositions.js'
import type { TransactionalWriter } from './TransactionalWriter.js'
import { topicNames } from './topicInfos.js'
import { withDeadline } from './withDeadline.js'

/** A member that stops answering is thrown out of the group after this time. */
export const SESSION_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 1_000
/** `seek` and `pause` wait for the fetch in flight, so that must be short. */
const FETCH_WAIT_MS = 100
const JOIN_MS = 30_000
const LEAVE_MS = 5_000

/** What an epoch's outputs and positions go through. */
export type SessionWriter =
  | { readonly kind: 'idempotent'; readonly writer: KafkaWriter }
  | { readonly kind: 'transactional'; readonly writer: TransactionalWriter }

export interface KafkaSessionOptions {
  readonly client: KafkaClient
  readonly admin: Admin
  readonly writer: SessionWriter
  readonly applicationId: string
  readonly start: readonly StartPosition[]
  readonly reset: 'earliest' | 'latest'
}

/**
 * Reads through a consumer group of one member, which fills a bounded buffer for each partition; heartbeats go on
 * whatever the lanes do. A second member is an error: one instance is the design.
 */
export class KafkaSession implements LogSession {
  readonly assignment: readonly Position[]
  readonly #buffers = new Map<string, PartitionBuffer>()
  readonly #paused = new Set<PartitionBuffer>()
  readonly #loop: FetchLoop
  readonly #consumer: Consumer
  #first = 0
  #commits = 0
  #failure: StreamError | undefined
  #closed: Promise<void> | undefined

  private constructor(private readonly options: KafkaSessionOptions) {
    const { client, applicationId, start } = options
    this.assignment = start.map(({ topic, partition, offset, done }) => ({ topic, partition, offset, done }))
    for (const { topic, partition, offset, end } of start) {
      this.#buffers.set(keyOf(topic, partition), new PartitionBuffer({ topic, partition }, offset, end))
    }
    this.#loop = new FetchLoop(client.clock)
    this.#consumer = client.kafka.consumer({
      groupId: applicationId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      readUncommitted: false,
      allowAutoTopicCreation: false,
    })
  }

  static async open(options: KafkaSessionOptions): Promise<KafkaSession> {
    const session = new KafkaSession(options)
    try {
      await session.#join()
      return session
    } catch (error) {
      await session.close()
      throw fromKafka(error, options.client.servers)
    }
  }

  async fetch(request: FetchRequest): Promise<readonly FetchedBatch[]> {
    this.#check()
    return this.#loop.run(request, () => {
      if (this.#failure !== undefined) throw this.#failure
      return this.#collect(request)
    })
  }

  async commit({ outputs, positions }: EpochCommit): Promise<void> {
    this.#check()
    const { kind, writer } = this.options.writer
    if (kind === 'transactional') return writer.commit([...outputs], positions)
    await writer.write([...outputs])
    if (positions.length === 0) return
    const before = this.#commits
    try {
      await this.#consumer.commitOffsets(
        positions.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })),
      )
    } catch (error) {
      throw this.#failure ?? fromKafka(error, this.options.client.servers)
    }
    // kafkajs resolves without having committed anything while its consumer is between a crash and its restart.
    if (this.#commits === before) {
      throw new StreamError(
        `${whereOf(this.options.client.servers)} has not taken the positions: the consumer lost its connection. What was written since the last commit is done again`,
        { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true },
      )
    }
  }

  wakeUp(): void {
    this.#loop.wakeUp()
  }

  close(): Promise<void> {
    this.#closed ??= this.#leave()
    return this.#closed
  }

  async #join(): Promise<void> {
    const { client, start, reset } = this.options
    const topics = [...new Set(start.map(({ topic }) => topic))]
    const joined = new Promise<void>((resolve, reject) => this.#listen(resolve, reject))
    // Whoever awaits it may have given up before, on the deadline.
    joined.catch(() => undefined)
    await this.#consumer.connect()
    await this.#consumer.subscribe({ topics, fromBeginning: reset === 'earliest' })
    await this.#consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => this.#onBatch(batch),
    })
    await withDeadline(
      client.clock,
      JOIN_MS,
      joined,
      () => new Error(`the consumer group did not form within ${JOIN_MS / 1000} s`),
    )
  }

  #listen(onJoined: () => void, onFailed: (error: StreamError) => void): void {
    const { events } = this.#consumer
    const fail = (error: StreamError) => {
      this.#fail(error)
      onFailed(error)
    }
    this.#consumer.on(events.GROUP_JOIN, ({ payload }) => {
      if (this.#ownsAll(payload.memberAssignment)) {
        this.#seekAll()
        onJoined()
      } else fail(takenByAnother(this.options.applicationId, 'another member'))
    })
    this.#consumer.on(events.CRASH, ({ payload }) => this.#onCrash(payload.error, payload.restart, fail))
    this.#consumer.on(events.COMMIT_OFFSETS, () => {
      this.#commits++
    })
    // The one place that tells how far a batch goes of which a reader is shown nothing.
    this.#consumer.on(events.END_BATCH_PROCESS, ({ payload }) => {
      const next = Number(payload.lastOffset) + 1
      this.#buffers.get(keyOf(payload.topic, payload.partition))?.push([], next, next)
      this.#loop.stir()
    })
  }

  #onBatch(batch: Batch): void {
    const buffer = this.#buffers.get(keyOf(batch.topic, batch.partition))
    if (buffer === undefined) return
    const { messages, lastStableOffset } = batch as unknown as RepairedBatch
    buffer.push(messages, Number(batch.lastOffset()) + 1, Number(lastStableOffset))
    if (buffer.isFull) this.#pause(buffer)
    this.#loop.stir()
  }

  #collect({ maxRecords, paused }: FetchRequest): readonly FetchedBatch[] {
    const held = new Set(paused.map(({ topic, partition }) => keyOf(topic, partition)))
    const all = [...this.#buffers.values()]
    const inTurn = [...all.slice(this.#first), ...all.slice(0, this.#first)]
    this.#first = (this.#first + 1) % Math.max(1, all.length)
    const news = inTurn.filter(({ place, hasNews }) => hasNews && !held.has(keyOf(place.topic, place.partition)))
    const share = Math.max(1, Math.floor(maxRecords / Math.max(1, news.length)))
    return news.map((buffer) => {
      const batch = buffer.take(share)
      if (this.#paused.has(buffer) && buffer.hasRoom) this.#resume(buffer)
      return batch
    })
  }

  #pause(buffer: PartitionBuffer): void {
    const { topic, partition } = buffer.place
    this.#paused.add(buffer)
    this.#consumer.pause([{ topic, partitions: [partition] }])
  }

  #resume(buffer: PartitionBuffer): void {
    if (this.#closed !== undefined) return
    const { topic, partition } = buffer.place
    this.#paused.delete(buffer)
    this.#consumer.resume([{ topic, partitions: [partition] }])
  }

  #ownsAll(assigned: { readonly [topic: string]: readonly number[] }): boolean {
    return this.assignment.every(({ topic, partition }) => assigned[topic]?.includes(partition))
  }

  /** The engine owns the position (E10): after a join, reading goes on behind what has come. */
  #seekAll(): void {
    for (const { place, end } of this.#buffers.values()) this.#consumer.seek({ ...place, offset: String(end) })
  }

  async #onCrash(error: Error, restarts: boolean, fail: (error: StreamError) => void): Promise<void> {
    const { client, admin } = this.options
    const type = rootOf(error).type
    if (type === 'UNKNOWN_TOPIC_OR_PARTITION') {
      const existing = new Set(await topicNames(admin))
      const missing = [...new Set(this.assignment.map(({ topic }) => topic))].filter((topic) => !existing.has(topic))
      if (missing.length > 0) return fail(topicMissing(missing, whereOf(client.servers)))
    }
    if (!restarts) return fail(fromKafka(error, client.servers))
    client.report('warn', `Kafka consumer of "${this.options.applicationId}" starts again: ${rootOf(error).message}`)
  }

  #fail(error: StreamError): void {
    this.#failure ??= error
    this.#loop.wakeUp()
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#closed === undefined) return
    throw new StreamError(`The log session of "${this.options.applicationId}" is closed`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
    })
  }

  async #leave(): Promise<void> {
    this.#loop.wakeUp()
    const { client, writer } = this.options
    try {
      await withDeadline(
        client.clock,
        LEAVE_MS,
        Promise.all([this.#consumer.disconnect(), writer.writer.close()]),
        () => new Error(`the broker did not take leave within ${LEAVE_MS / 1000} s`),
      )
    } catch (error) {
      client.report('warn', `Kafka consumer of "${this.options.applicationId}": ${(error as Error).message}`)
    }
  }
}

function keyOf(topic: string, partition: number): string {
  return `${topic} ${partition}`
}
