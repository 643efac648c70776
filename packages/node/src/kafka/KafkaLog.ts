import {
  type Clock,
  checkNewTopic,
  epochTopicOf,
  type FetchedBatch,
  type InternalTopics,
  type LastRead,
  type LogAdmin,
  type LogOutage,
  type LogSession,
  type OffsetReset,
  type OutputRecord,
  partitionOf,
  type RecordLog,
  type TopicInfo,
  type TopicTraits,
  topicInvalid,
  topicMissing,
} from '@lanescope/core'
import type { Admin } from 'kafkajs'
import type { LogReport } from '../LogReport.js'
import { commitOffsets } from './commitOffsets.js'
import { KafkaClient, type KafkaClientOptions } from './KafkaClient.js'
import { KafkaInternalTopics } from './KafkaInternalTopics.js'
import { KafkaSession, SESSION_TIMEOUT_MS } from './KafkaSession.js'
import { KafkaWriter } from './KafkaWriter.js'
import { fromKafka, takenByAnother, unreachable, whereOf } from './kafkaErrors.js'
import { leaveGroup } from './leaveGroup.js'
import { makeTopic } from './makeTopic.js'
import { memberText } from './memberText.js'
import { OffsetAdmin } from './OffsetAdmin.js'
import { readPart } from './readPart.js'
import type { SessionWriter } from './sessionWriter.js'
import { startPositions } from './startPositions.js'
import { TransactionalWriter } from './TransactionalWriter.js'
import { topicIds } from './topicIds.js'
import { topicInfos, topicNames } from './topicInfos.js'
import { topicTraits } from './topicTraits.js'
import { withDeadline } from './withDeadline.js'
import { withNewAdmin } from './withNewAdmin.js'
import { withRetries } from './withRetries.js'

/** Kafka's default limit is 1,048,588; a batch is never made larger, even where a topic allows it. */
const BATCH_BYTES = 1_000_000
const GROUP_POLL_MS = 500
const LEAVE_MS = 10_000
const PROBE_AGAIN_MS = 500

/**
 * Topics of a Kafka cluster, through kafkajs.
 *
 * Exactly-once: a commit is one transaction of the application's one producer (E1). At-least-once: outputs, then
 * positions; a failure in between writes outputs again and loses none.
 */
export class KafkaLog implements RecordLog, LogAdmin {
  readonly kind = 'kafka'
  readonly exactlyOnce: boolean
  readonly transactionTimeoutMs?: number
  readonly internal: InternalTopics
  readonly #infos = new Map<string, TopicInfo>()
  readonly #sessions = new Set<KafkaSession>()
  readonly #offsets: OffsetAdmin
  readonly #writer: KafkaWriter
  #roundRobin = 0
  #isClosed = false

  private constructor(
    private readonly client: KafkaClient,
    private readonly admin: Admin,
  ) {
    const { exactlyOnce, transactionTimeoutMs } = client.options
    this.exactlyOnce = exactlyOnce
    if (exactlyOnce) this.transactionTimeoutMs = transactionTimeoutMs
    this.#offsets = new OffsetAdmin(client)
    this.internal = new KafkaInternalTopics(client, admin, this.#offsets)
    this.#writer = new KafkaWriter(client, this.#maxBytesOf)
  }

  /** @throws StreamError LOG_UNAVAILABLE within about 5 s when no broker answers */
  static async open(options: KafkaClientOptions, clock: Clock, report: LogReport): Promise<KafkaLog> {
    const { client, admin } = await KafkaClient.connect(options, clock, report)
    return new KafkaLog(client, admin)
  }

  get outage(): LogOutage | undefined {
    for (const session of this.#sessions) if (!session.isClosed && session.outage) return session.outage
    return undefined
  }

  async reached(): Promise<void> {
    const { clock } = this.client
    while (!this.#isClosed) {
      try {
        return await this.client.probe()
      } catch (error) {
        // Whatever else is wrong is for the restart to say.
        if (!fromKafka(error, this.client.servers).retriable) return
      }
      await new Promise<void>((resolve) => clock.after(PROBE_AGAIN_MS, resolve))
    }
  }

  async topics(names: readonly string[]): Promise<readonly TopicInfo[]> {
    return this.#asking(async () => {
      const existing = new Set(await topicNames(this.admin))
      const infos = await topicInfos(
        this.client,
        this.admin,
        [...new Set(names)].filter((name) => existing.has(name)),
      )
      for (const info of infos) this.#infos.set(info.topic, info)
      return infos
    })
  }

  traits(names: readonly string[]): Promise<ReadonlyMap<string, TopicTraits>> {
    return this.#asking(() => topicTraits(this.client, this.admin, names))
  }

  async topicsMatching(pattern: RegExp): Promise<readonly TopicInfo[]> {
    // A global or sticky pattern would remember where it matched last.
    const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
    const names = await this.#asking(() => topicNames(this.admin))
    return this.topics(names.filter((name) => stateless.test(name)))
  }

  async listTopics(): Promise<readonly TopicInfo[]> {
    return this.topicsMatching(/(?:)/)
  }

  async createTopic(topic: string, partitions: number): Promise<void> {
    checkNewTopic(topic, partitions)
    const isNew = await this.#asking(async () =>
      (await topicNames(this.admin)).includes(topic)
        ? false
        : // −1: the broker's default.
          makeTopic(this.admin, this.client.clock, { topic, numPartitions: partitions, replicationFactor: -1 }),
    )
    if (isNew) return
    const { partitions: existing } = await this.#info(topic)
    if (existing === partitions) return
    throw topicInvalid(
      `Topic "${topic}" exists with ${existing} partitions, not ${partitions}; use another name, or ask for ${existing}`,
      topic,
    )
  }

  async append(
    records: readonly (Omit<OutputRecord, 'partition'> & { readonly partition: number })[],
  ): Promise<readonly { partition: number; offset: number }[]> {
    const placed: OutputRecord[] = []
    for (const record of records) placed.push({ ...record, partition: await this.#partitionFor(record) })
    return this.#writer.append(placed)
  }

  async read(topic: string, partition: number, fromOffset: number, max: number): Promise<FetchedBatch> {
    await this.#info(topic)
    const part = async () => {
      const boundsBy = async (admin: Admin) =>
        (await admin.fetchTopicOffsets(topic)).find((found) => found.partition === partition)
      const bounds = (await this.#offsets.ask(boundsBy)) ?? (await withNewAdmin(this.client, boundsBy))
      if (bounds === undefined) throw topicInvalid(`Topic "${topic}" has no partition ${partition}`, topic)
      const end = Number(bounds.high)
      const from = Math.min(Math.max(Number(bounds.low), fromOffset), end)
      return readPart(this.client, { topic, partition, from, end, max })
    }
    // The bounds are asked for each time: a position within them is held, whatever a new leader says at first.
    return this.#asking(part, ['OFFSET_OUT_OF_RANGE'])
  }

  async rewind(applicationId: string, topics: readonly string[], through: readonly string[] = []): Promise<void> {
    const names = await this.#existing([...new Set([...topics, ...through])])
    const epochs = epochTopicOf(applicationId)
    const hasEpochs = (await this.topics([epochs])).length > 0
    await this.#asking(async () => {
      await this.#awaitFreeGroup(applicationId)
      const positions = []
      for (const topic of names) {
        // Offsets and not "earliest": a group that holds none begins where auto.offset.reset says.
        const bounds = await this.#offsets.ask((admin) => admin.fetchTopicOffsets(topic))
        const isThrough = through.includes(topic)
        const partitions = bounds.map(({ partition, low, high }) => ({ partition, offset: isThrough ? high : low }))
        positions.push({ topic, partitions })
      }
      if (positions.length > 0) await commitOffsets(this.client.kafka, applicationId, positions)
    })
    // State begins anew with the positions: a tombstone takes the place of the last epoch's record.
    const tombstone = { topic: epochs, partition: 0, key: new Uint8Array(0), value: null, headers: [] }
    if (hasEpochs) await this.#writer.write([{ ...tombstone, timestamp: this.client.clock.now() }])
  }

  async open(
    applicationId: string,
    topics: readonly string[],
    reset: OffsetReset,
    resets?: ReadonlyMap<string, OffsetReset>,
    found?: ReadonlySet<string>,
    lastRead?: () => Promise<ReadonlyMap<string, LastRead>>,
  ): Promise<LogSession> {
    const names = await this.#existing(topics)
    await this.#asking(() => this.#awaitFreeGroup(applicationId))
    const { client, admin } = this
    const session = await KafkaSession.open({
      client,
      admin,
      applicationId,
      topics: names,
      reset,
      fence: () => this.#sessionWriter(applicationId),
      positions: () =>
        this.#asking(async () => {
          // Before the bounds: of a topic that is made anew in between, the positions are then found to be of another.
          const ids = await topicIds(client, names)
          const options = { reset, resets, found, ids, lastRead: await lastRead?.() }
          return withNewAdmin(client, (asked) => startPositions(asked, applicationId, names, options))
        }),
      topicIds: () => topicIds(client, names),
      bounds: (topic) => this.#offsets.ask((asked) => asked.fetchTopicOffsets(topic)),
    })
    for (const before of this.#sessions) if (before.isClosed) this.#sessions.delete(before)
    this.#sessions.add(session)
    return session
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const session of this.#sessions) await session.close()
    this.#sessions.clear()
    await this.client.leave(async () => {
      await this.#writer.close()
      await this.#offsets.close()
      await this.admin.disconnect()
    })
  }

  /**
   * Joining would take partitions from whoever runs already (E5). One that was killed stays in the group until its
   * session is over: our own dead one is taken out of it, any other is waited for that long.
   */
  async #awaitFreeGroup(groupId: string): Promise<void> {
    const { clock, report } = this.client
    const deadline = clock.monotonic() + SESSION_TIMEOUT_MS + 2 * GROUP_POLL_MS
    for (let isFirst = true; ; isFirst = false) {
      const { groups } = await this.admin.describeGroups([groupId])
      const member = groups[0]?.members[0]
      if (member === undefined) return
      if (this.client.options.isOwn && member.clientId === this.client.options.clientId) {
        report('info', `Takes the place of its own instance that died in "${groupId}"`)
        await withDeadline(clock, LEAVE_MS, leaveGroup(this.client.kafka, groupId, member.memberId), () =>
          unreachable(this.client.servers, `it did not let the dead member go within ${LEAVE_MS / 1000} s`),
        )
        continue
      }
      const who = memberText(member)
      if (clock.monotonic() >= deadline) throw takenByAnother(groupId, who)
      if (isFirst) report('info', `Waiting up to ${SESSION_TIMEOUT_MS / 1000} s for ${who} to leave "${groupId}"`)
      await new Promise<void>((resolve) => clock.after(GROUP_POLL_MS, resolve))
    }
  }

  async #partitionFor({ topic, partition, key }: OutputRecord): Promise<number> {
    const { partitions } = this.#infos.get(topic) ?? (await this.#info(topic))
    if (partition >= partitions || partition < -1) {
      throw topicInvalid(`Topic "${topic}" has partitions 0 to ${partitions - 1}, not ${partition}`, topic)
    }
    if (partition !== -1) return partition
    return key === null ? this.#roundRobin++ % partitions : partitionOf(key, partitions)
  }

  /** @throws StreamError TOPIC_MISSING naming all that do not exist */
  async #existing(topics: readonly string[]): Promise<string[]> {
    const names = [...new Set(topics)]
    const found = new Set((await this.topics(names)).map(({ topic }) => topic))
    const missing = names.filter((topic) => !found.has(topic))
    if (missing.length > 0) throw topicMissing(missing, whereOf(this.client.servers))
    return names
  }

  async #info(topic: string): Promise<TopicInfo> {
    const [info] = await this.topics([topic])
    if (info === undefined) throw topicMissing([topic], whereOf(this.client.servers))
    return info
  }

  readonly #maxBytesOf = (topic: string): number =>
    Math.min(BATCH_BYTES, this.#infos.get(topic)?.maxMessageBytes ?? BATCH_BYTES)

  async #sessionWriter(applicationId: string): Promise<SessionWriter> {
    const { client } = this
    if (!this.exactlyOnce) return { kind: 'idempotent', writer: new KafkaWriter(client, this.#maxBytesOf) }
    const { transactionTimeoutMs } = client.options
    const writer = new TransactionalWriter(client, applicationId, transactionTimeoutMs, this.#maxBytesOf)
    await writer.fence()
    return { kind: 'transactional', writer }
  }

  async #asking<T>(work: () => Promise<T>, passing: readonly string[] = []): Promise<T> {
    try {
      return await withRetries(this.client.clock, work, passing)
    } catch (error) {
      throw fromKafka(error, this.client.servers)
    }
  }
}
