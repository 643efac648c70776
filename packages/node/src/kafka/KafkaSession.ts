import { randomUUID } from 'node:crypto'
import {
  type EpochCommit,
  type FetchedBatch,
  FetchLoop,
  type FetchRequest,
  type LogOutage,
  type LogSession,
  type StartingPosition,
  StreamError,
} from '@lanescope/core'
import type { Consumer } from 'kafkajs'
import { BrokerWatch } from './BrokerWatch.js'
import { NOT_THERE, type TopicQuestions, whatIsGone, whyLost } from './fetchFaults.js'
import type { RawTopicIds, Wanted } from './fetching/fetchRequest.js'
import { type FetchFeed, PartitionFetcher } from './fetching/PartitionFetcher.js'
import { fromKafka, joinedAnew, rootOf, takenByAnother, whereOf } from './kafkaErrors.js'
import { MemberLostError } from './memberLost.js'
import { memberText } from './memberText.js'
import { oldestTakesAll } from './oldestTakesAll.js'
import { PartitionBuffer } from './PartitionBuffer.js'
import { PositionLostError } from './PositionLostError.js'
import type { SessionWriter } from './sessionWriter.js'
import type { StartPosition } from './startPositions.js'
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

export interface KafkaSessionOptions extends TopicQuestions {
  readonly applicationId: string
  readonly reset: 'earliest' | 'latest'
  /** Keeps whoever was the application before from writing on. Called once the group has given this session everything. */
  readonly fence: () => Promise<SessionWriter>
  /** Called after the fence: a transaction that an earlier instance left open could move the positions still. */
  readonly positions: () => Promise<readonly StartPosition[]>
}

/**
 * A consumer group of one member, whose partitions are read into bounded buffers; heartbeats go on whatever the lanes do.
 * One instance is the design: the oldest member has every partition, and whoever gets none ends.
 */
export class KafkaSession implements LogSession {
  assignment: readonly StartingPosition[] = []
  readonly #buffers = new Map<string, PartitionBuffer>()
  readonly #loop: FetchLoop
  readonly #watch: BrokerWatch
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
    this.#watch = new BrokerWatch(client.clock, whereOf(client.servers))
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

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** Whether the brokers that it reads from have not answered for a while. */
  get outage(): LogOutage | undefined {
    return this.#watch.outage
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
      // Before anything is waited for. What is read is asked for beside the consumer, from where the engine is (E10).
      this.#consumer.pause(Object.keys(memberAssignment).map((topic) => ({ topic })))
      const isNew = memberId !== this.#memberId
      this.#memberId = memberId
      const lost = await this.#whatIsLost(memberAssignment, isNew)
      if (lost !== undefined) return fail(lost)
      if (this.#begun && this.#others.length > 0) await this.#goOnAlone(this.#others.join(', '))
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
    const feed: FetchFeed = {
      watch: this.#watch,
      wanted: () => this.#wanted(),
      take: ({ topic, partition }, part) => {
        this.#buffers.get(keyOf(topic, partition))?.push(part)
        this.#loop.stir()
      },
      onFailed: (error) => this.#onFetchFailed(error as Error),
    }
    this.#fetcher = await PartitionFetcher.open(this.options.client, this.options.topics, feed, rawIdsOf(start))
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
   * other (E5). Later it is over for whom another one has replaced, and else all is asked anew (E10): somebody may have
   * been the application meanwhile, and have committed positions.
   *
   * @param isNew whether the group takes it for a member that has come just now
   */
  async #whatIsLost(
    assigned: { readonly [topic: string]: readonly number[] },
    isNew: boolean,
  ): Promise<StreamError | undefined> {
    const { applicationId, topics } = this.options
    const missing = this.#begun
      ? this.assignment.find(({ topic, partition }) => !assigned[topic]?.includes(partition))?.topic
      : topics.find((topic) => assigned[topic] === undefined)
    if (missing !== undefined) {
      const holder = await this.#holder()
      if (holder !== undefined || !this.#begun) return takenByAnother(applicationId, holder ?? 'another member')
      return joinedAnew(applicationId, `without all partitions of "${missing}"`)
    }
    return this.#begun && isNew ? joinedAnew(applicationId, 'after it had lost its member') : undefined
  }

  /**
   * Another member was in the group beside this one, which has kept everything: all is asked anew (E10). Not before the
   * other one has left, because a restart gives the place up for a moment, and it is for this one to take it again.
   */
  async #goOnAlone(others: string): Promise<void> {
    const { client, applicationId } = this.options
    const deadline = client.clock.monotonic() + SESSION_TIMEOUT_MS
    while (this.#failure === undefined && this.#closed === undefined && client.clock.monotonic() < deadline) {
      const holder = await this.#holder().catch(() => 'nobody knows whom')
      if (holder === undefined) break
      await new Promise<void>((resolve) => client.clock.after(ASK_AGAIN_MS, resolve))
    }
    this.#fail(joinedAnew(applicationId, `beside ${others}`))
  }

  /** Who is in the group beside this session. */
  async #holder(): Promise<string | undefined> {
    const { admin, applicationId } = this.options
    const { groups } = await admin.describeGroups([applicationId])
    const other = groups[0]?.members.find(({ memberId }) => memberId !== this.#memberId)
    return other && memberText(other)
  }

  #onCrash(error: Error, restarts: boolean, fail: (error: StreamError) => void): void {
    const { client, applicationId } = this.options
    if (rootOf(error) instanceof MemberLostError) fail(joinedAnew(applicationId, 'after it had lost its member'))
    else if (restarts)
      client.report('warn', `Kafka consumer of "${applicationId}" starts again: ${rootOf(error).message}`)
    else fail(fromKafka(error, client.servers))
  }

  /** @returns whether reading may go on */
  async #onFetchFailed(error: Error): Promise<boolean> {
    if (error instanceof StreamError) {
      this.#fail(error)
      return false
    }
    try {
      if (error instanceof PositionLostError) {
        const { place } = error
        this.#fail(await whyLost(this.options, place, this.#buffers.get(keyOf(place.topic, place.partition))?.end))
        return false
      }
      if (!NOT_THERE.has(rootOf(error).type ?? '')) return this.#mayPass(error)
      const gone = await whatIsGone(this.options, this.assignment)
      if (gone === undefined) return true
      this.#fail(gone)
      return false
    } catch (inner) {
      return this.#mayPass(inner as Error)
    }
  }

  #mayPass(error: Error): boolean {
    const told = fromKafka(error, this.options.client.servers)
    if (told.retriable || PASSING.has(rootOf(error).type ?? '')) return true
    this.#fail(told)
    return false
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
        client.leave(() =>
          Promise.all([this.#fetcher?.close(), this.#consumer.disconnect(), this.#writer?.writer.close()]),
        ),
        () => new Error(`the broker did not take leave within ${LEAVE_MS / 1000} s`),
      )
    } catch (error) {
      client.report('warn', `Kafka consumer of "${this.options.applicationId}": ${(error as Error).message}`)
    }
  }
}

/** Without the cluster's id, which stands in front. */
function rawIdsOf(start: readonly StartPosition[]): RawTopicIds {
  const ids = new Map<string, Buffer>()
  for (const { topic, topicId } of start) {
    if (topicId !== undefined) ids.set(topic, Buffer.from(topicId.slice(topicId.lastIndexOf('/') + 1), 'base64url'))
  }
  return ids
}

function keyOf(topic: string, partition: number): string {
  return `${topic} ${partition}`
}
