import { randomUUID } from 'node:crypto'
import {
  type EpochCommit,
  type FetchedBatch,
  FetchLoop,
  type FetchRequest,
  type LogSession,
  type StartingPosition,
  StreamError,
  type TopicPartition,
  topicMissing,
} from '@lanescope/core'
import type { Admin, Consumer } from 'kafkajs'
import { PartitionFetcher, type Wanted } from './fetching/PartitionFetcher.js'
import type { KafkaClient } from './KafkaClient.js'
import type { KafkaWriter } from './KafkaWriter.js'
import { fromKafka, joinedAnew, madeAnew, rootOf, takenByAnother, whereOf } from './kafkaErrors.js'
import { memberText } from './memberText.js'
import { oldestTakesAll } from './oldestTakesAll.js'
import { PartitionBuffer } from './PartitionBuffer.js'
import { PositionLostError } from './PositionLostError.js'
import type { StartPosition } from './startPositions.js'
import type { TransactionalWriter } from './TransactionalWriter.js'
import { topicNames } from './topicInfos.js'
import { withDeadline } from './withDeadline.js'
import { PASSING } from './withRetries.js'

/** A member that stops answering is thrown out of the group after this time. */
export const SESSION_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 1_000
/** The consumer only holds the place in the group. */
const IDLE_WAIT_MS = 100
/** A partition is asked for while it has less than this waiting; together they have `MOST_WAITING`. */
const WAITING_BYTES = 512 * 1024
const MOST_WAITING_BYTES = 32 * 1024 * 1024
const LEAST_WAITING_BYTES = 32 * 1024
const JOIN_MS = 30_000
const LEAVE_MS = 5_000
const ASK_AGAIN_MS = 200

/** What an epoch's outputs and positions go through. */
export type SessionWriter =
  | { readonly kind: 'idempotent'; readonly writer: KafkaWriter }
  | { readonly kind: 'transactional'; readonly writer: TransactionalWriter }

export interface KafkaSessionOptions {
  readonly client: KafkaClient
  readonly admin: Admin
  readonly applicationId: string
  readonly topics: readonly string[]
  readonly reset: 'earliest' | 'latest'
  /** Keeps whoever was the application before from writing on. Called once the group has given this session everything. */
  readonly fence: () => Promise<SessionWriter>
  /** Called after the fence: a transaction that an earlier instance left open could move the positions still. */
  readonly positions: () => Promise<readonly StartPosition[]>
  /** Which topics the names stand for now; empty where the brokers do not tell. */
  readonly topicIds: () => Promise<ReadonlyMap<string, string>>
}

/**
 * A consumer group of one member, whose partitions are read into bounded buffers; heartbeats go on whatever the lanes do.
 * One instance is the design: the oldest member has every partition, and whoever gets none ends.
 */
export class KafkaSession implements LogSession {
  assignment: readonly StartingPosition[] = []
  readonly #buffers = new Map<string, PartitionBuffer>()
  readonly #loop: FetchLoop
  readonly #consumer: Consumer
  #fetcher: PartitionFetcher | undefined
  #first = 0
  #commits = 0
  #failure: StreamError | undefined
  #closed: Promise<void> | undefined
  #writer: SessionWriter | undefined
  #memberId = ''
  /** Who else was in the group when it was last formed. */
  #others: readonly string[] = []
  /** Whether it is known where to read. */
  #begun = false

  private constructor(private readonly options: KafkaSessionOptions) {
    const { client, applicationId } = options
    this.#loop = new FetchLoop(client.clock)
    this.#consumer = client.kafka.consumer({
      groupId: applicationId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: IDLE_WAIT_MS,
      readUncommitted: false,
      allowAutoTopicCreation: false,
      partitionAssigners: [
        oldestTakesAll(client.kafkajs, randomUUID(), (others) => {
          this.#others = others
        }),
      ],
    })
  }

  /**
   * Joins, fences, and only then asks where to read (E5): who is not given the partitions disturbs nobody.
   *
   * @throws StreamError LOG_LOCKED naming who has them
   */
  static async open(options: KafkaSessionOptions): Promise<KafkaSession> {
    const session = new KafkaSession(options)
    try {
      await session.#join()
      session.#writer = await options.fence()
      await session.#begin(await options.positions())
      session.#check()
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
    const { kind, writer } = this.#writer as SessionWriter
    if (kind === 'transactional') return writer.commit(outputs, positions)
    await writer.write(outputs)
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
    const { client, topics, reset } = this.options
    const joined = new Promise<void>((resolve, reject) => this.#listen(resolve, reject))
    // Whoever awaits it may have given up before, on the deadline.
    joined.catch(() => undefined)
    await this.#consumer.connect()
    await this.#consumer.subscribe({ topics: [...topics], fromBeginning: reset === 'earliest' })
    await this.#consumer.run({
      autoCommit: false,
      eachBatch: async () => undefined,
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
    this.#consumer.on(events.GROUP_JOIN, async ({ payload }) => {
      const { memberId, memberAssignment } = payload
      this.#memberId = memberId
      const lost = await this.#whatIsLost(memberAssignment)
      if (lost !== undefined) return fail(lost)
      // What is read is asked for beside the consumer, from where the engine is (E10).
      this.#consumer.pause(Object.keys(memberAssignment).map((topic) => ({ topic })))
      onJoined()
    })
    this.#consumer.on(events.CRASH, ({ payload }) => this.#onCrash(payload.error, payload.restart, fail))
    this.#consumer.on(events.COMMIT_OFFSETS, () => {
      this.#commits++
    })
  }

  async #begin(start: readonly StartPosition[]): Promise<void> {
    this.assignment = start.map(({ end, ...position }) => position)
    for (const { topic, partition, offset, end } of start) {
      this.#buffers.set(keyOf(topic, partition), new PartitionBuffer({ topic, partition }, offset, end))
    }
    this.#begun = true
    this.#fetcher = await PartitionFetcher.open(this.options.client, this.options.topics, {
      wanted: () => this.#wanted(),
      take: ({ topic, partition }, part) => {
        this.#buffers.get(keyOf(topic, partition))?.push(part)
        this.#loop.stir()
      },
      onFailed: (error) => this.#onFetchFailed(error as Error),
    })
    this.#fetcher.ask()
  }

  #wanted(): readonly Wanted[] {
    if (this.#failure !== undefined) return []
    const share = MOST_WAITING_BYTES / Math.max(1, this.#buffers.size)
    const bytes = Math.max(LEAST_WAITING_BYTES, Math.min(WAITING_BYTES, share))
    const wanted: Wanted[] = []
    for (const { place, end, bytes: waiting } of this.#buffers.values()) {
      if (waiting < bytes) wanted.push({ ...place, offset: end, bytes })
    }
    return wanted
  }

  #collect({ maxRecords, paused }: FetchRequest): readonly FetchedBatch[] {
    const held = new Set(paused.map(({ topic, partition }) => keyOf(topic, partition)))
    const all = [...this.#buffers.values()]
    const inTurn = [...all.slice(this.#first), ...all.slice(0, this.#first)]
    this.#first = (this.#first + 1) % Math.max(1, all.length)
    const news = inTurn.filter(({ place, hasNews }) => hasNews && !held.has(keyOf(place.topic, place.partition)))
    const share = Math.max(1, Math.floor(maxRecords / Math.max(1, news.length)))
    const batches = news.map((buffer) => buffer.take(share))
    this.#fetcher?.ask()
    return batches
  }

  /**
   * What a join has brought that this session cannot go on with. Before it reads, whoever gets nothing leaves it to the
   * other (E5). Later, the live epochs are over, and all is asked anew (E10): somebody else may have committed positions.
   */
  async #whatIsLost(assigned: { readonly [topic: string]: readonly number[] }): Promise<StreamError | undefined> {
    const { applicationId, topics } = this.options
    if (!this.#begun) {
      if (topics.every((topic) => assigned[topic] !== undefined)) return undefined
      return takenByAnother(applicationId, await this.#holder())
    }
    const missing = this.assignment.find(({ topic, partition }) => !assigned[topic]?.includes(partition))
    if (missing !== undefined) {
      return joinedAnew(applicationId, `without partition ${missing.partition} of "${missing.topic}"`)
    }
    return this.#others.length === 0 ? undefined : joinedAnew(applicationId, `beside ${this.#others.join(', ')}`)
  }

  /** Who has the partitions in place of this session. */
  async #holder(): Promise<string> {
    const { admin, applicationId } = this.options
    const { groups } = await admin.describeGroups([applicationId])
    const other = groups[0]?.members.find(({ memberId }) => memberId !== this.#memberId)
    return other === undefined ? 'another member' : memberText(other)
  }

  #onCrash(error: Error, restarts: boolean, fail: (error: StreamError) => void): void {
    const { client, applicationId } = this.options
    if (restarts) client.report('warn', `Kafka consumer of "${applicationId}" starts again: ${rootOf(error).message}`)
    else fail(fromKafka(error, client.servers))
  }

  /** @returns whether reading may go on */
  async #onFetchFailed(error: Error): Promise<boolean> {
    const { client, admin, topics } = this.options
    if (error instanceof PositionLostError) {
      const { place } = error
      this.#fail((await this.#isHeld(place)) ? this.#heldAllTheSame(place) : this.#positionLost(place))
      return false
    }
    if (error instanceof StreamError) {
      this.#fail(error)
      return false
    }
    const { type } = rootOf(error)
    if (type !== 'UNKNOWN_TOPIC_OR_PARTITION') return this.#mayPass(error) && this.#isSame()
    try {
      const existing = new Set(await topicNames(admin))
      const missing = topics.filter((topic) => !existing.has(topic))
      if (missing.length > 0) this.#fail(topicMissing(missing, whereOf(client.servers)))
      return missing.length === 0 && this.#isSame()
    } catch (inner) {
      return this.#mayPass(inner as Error)
    }
  }

  /**
   * Whether the topics are still those that the positions are of (E13). A fetch asks by name, so that whatever is there
   * under it would be read: nothing is asked for before this is answered.
   */
  async #isSame(): Promise<boolean> {
    const { clock, servers, options } = this.options.client
    while (this.#failure === undefined && this.#closed === undefined) {
      try {
        const ids = await this.options.topicIds()
        const other = this.assignment.find(({ topic, topicId }) => topicId !== undefined && ids.get(topic) !== topicId)
        if (other === undefined) return true
        // One that is not there is on its way: deleted, or about to be known.
        if (ids.has(other.topic)) this.#fail(madeAnew(servers, other.topic, options.acceptsGaps === true))
        return true
      } catch (error) {
        if (!this.#mayPass(error as Error)) return false
      }
      await new Promise<void>((resolve) => clock.after(ASK_AGAIN_MS, resolve))
    }
    return false
  }

  #mayPass(error: Error): boolean {
    const told = fromKafka(error, this.options.client.servers)
    if (told.retriable || PASSING.has(rootOf(error).type ?? '')) return true
    this.#fail(told)
    return false
  }

  /** A partition whose leader has just been chosen may say once that it holds nothing. */
  async #isHeld({ topic, partition }: TopicPartition): Promise<boolean> {
    const at = this.#buffers.get(keyOf(topic, partition))?.end ?? -1
    const bounds = (await this.options.admin.fetchTopicOffsets(topic)).find((found) => found.partition === partition)
    return bounds !== undefined && at >= Number(bounds.low) && at <= Number(bounds.high)
  }

  #heldAllTheSame({ topic, partition }: TopicPartition): StreamError {
    return new StreamError(
      `${whereOf(this.options.client.servers)} did not give "${topic}" partition ${partition}, though it holds the position; reading begins anew`,
      { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true, context: { topic, partition } },
    )
  }

  #positionLost({ topic, partition }: TopicPartition): StreamError {
    const { client } = this.options
    const at = this.#buffers.get(keyOf(topic, partition))?.end
    return new StreamError(
      `${whereOf(client.servers)} does not hold "${topic}" partition ${partition} at ${at}, which is to be read next: records ` +
        'before it were deleted unread, or the topic was made anew. A start tells the gap; to go on without them, set ' +
        'source.offset-gap: accept',
      // Where gaps are accepted, the restart goes on at the beginning.
      {
        code: 'STATE_MISMATCH',
        kind: 'operational',
        retriable: client.options.acceptsGaps === true,
        context: { topic, partition },
      },
    )
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
    const { client } = this.options
    try {
      await withDeadline(
        client.clock,
        LEAVE_MS,
        Promise.all([this.#fetcher?.close(), this.#consumer.disconnect(), this.#writer?.writer.close()]),
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
