import { StreamError } from '../../errors/StreamError.js'
import { partitionOf } from '../../lanes/murmur2.js'
import type { Clock } from '../../time/Clock.js'
import { epochTopicOf } from '../epoch/EpochRecord.js'
import type {
  EpochCommit,
  FetchedBatch,
  InternalTopics,
  LogAdmin,
  LogSession,
  OffsetReset,
  OutputRecord,
  Position,
  RecordLog,
  TopicInfo,
  TopicTraits,
} from '../RecordLog.js'
import { EmbeddedSession } from './EmbeddedSession.js'
import { type EntryPlace, Journal, readJournal } from './Journal.js'
import {
  type CommittedProgress,
  decodeEntry,
  encodeRule,
  encodeStart,
  encodeTopic,
  encodeWrite,
  type PartitionWrite,
} from './journalEntry.js'
import { LogIndex } from './LogIndex.js'
import type { LogStorage } from './LogStorage.js'
import { Moves } from './Moves.js'
import { Thinning, TOMBSTONES_MS } from './Thinning.js'
import { checkNewTopic, topicInvalid, topicMissing } from './topicErrors.js'

const SEGMENT_BYTES = 32 * 1024 * 1024
const noKey = new Uint8Array(0)
/** Between two such batches the host gets its turn (L12). */
const REPLAY_RECORDS = 2000

export interface EmbeddedLogOptions {
  readonly storage: LogStorage
  readonly clock: Clock
  /** A file of the journal is left for a new one at this size. Default: 32 MiB. */
  readonly segmentBytes?: number
  /** Gets what went wrong while the log was thinned out; it goes on as it is. */
  readonly onThinningFailed?: (error: unknown) => void
}

/**
 * Topics, partitions and offsets without a broker: for design, demos and tests.
 *
 * `commit` is atomic, also over a crash (E1): outputs and positions are one checksummed entry of a journal.
 * It accepts any timestamp, and has one writer. It keeps everything that was ever written to a topic of the user's; the
 * engine's own are thinned out while it is open, file by file (E12).
 * A second session of an application fences the first, as a transactional id does on Kafka.
 *
 * @example
 * const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock: new SystemClock() })
 * await log.createTopic('events', 4)
 */
export class EmbeddedLog implements RecordLog, LogAdmin {
  readonly kind = 'embedded'
  readonly exactlyOnce = true
  readonly #sessions = new Map<string, EmbeddedSession>()
  #queue: Promise<unknown> = Promise.resolve()
  #roundRobin = 0
  readonly #closing: (() => Promise<void>)[] = []
  #closed = false
  #thinning: { readonly work: Thinning; readonly done: Promise<void> } | undefined
  /** The file that was written when the log was thinned out last, and what was left in its topics by then. */
  #thinnedAt: number
  #leftBytes = 0

  private constructor(
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly index: LogIndex,
    private readonly moves: Moves,
    private readonly onThinningFailed: (error: unknown) => void,
  ) {
    this.#thinnedAt = journal.current
  }

  /**
   * Reads the storage; what a crash left half written is cut.
   *
   * @throws StreamError LOG_CORRUPT when more than the tail is damaged, or a newer version wrote it
   */
  static async open(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
    const { storage, clock, segmentBytes = SEGMENT_BYTES, onThinningFailed = () => undefined } = options
    const moves = new Moves()
    const index = new LogIndex((segment, at, length) => readJournal(storage, segment, at, length), moves)
    const journal = await Journal.open(storage, segmentBytes, (entry, place) => index.apply(entry, place))
    index.check()
    return new EmbeddedLog(clock, journal, index, moves, onThinningFailed)
  }

  readonly internal: InternalTopics = {
    ensure: async (topic, partitions, { needed }) => {
      if (!this.index.has(topic)) await this.createTopic(topic, partitions)
      await this.#rule(topic, needed['cleanup.policy']?.split(',').includes('compact') === true)
      return this.index.info(topic).partitions
    },
    last: async (topic) => {
      const log = this.index.partition({ topic, partition: 0 })
      const { records } = await log.read(log.end - 1, 1)
      return records.at(-1)
    },
    bounds: async (topic) => this.index.partitions(topic).map(({ start, end }) => ({ start, end })),
    deleteBelow: (topic, offsets) => this.#deleteBelow(topic, offsets),
    replay: async (topic, spans, take) => {
      for (const { partition, from, to } of spans) {
        for (let next = from; next < to; ) {
          const { records, nextOffset } = await this.read(topic, partition, next, Math.min(REPLAY_RECORDS, to - next))
          const within = records.filter(({ offset }) => offset < to)
          next = Math.min(nextOffset, to)
          await take(partition, within, next)
        }
      }
    },
  }

  async topics(names: readonly string[]): Promise<readonly TopicInfo[]> {
    return [...new Set(names)].filter((name) => this.index.has(name)).map((name) => this.index.info(name))
  }

  /** E11. */
  async traits(names: readonly string[]): Promise<ReadonlyMap<string, TopicTraits>> {
    const compacted = names.filter((name) => this.index.compacts(name) === true)
    return new Map(compacted.map((name) => [name, { deleteRetentionMs: TOMBSTONES_MS }]))
  }

  async topicsMatching(pattern: RegExp): Promise<readonly TopicInfo[]> {
    // A global or sticky pattern would remember where it matched last.
    const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
    return (await this.listTopics()).filter(({ topic }) => stateless.test(topic))
  }

  async listTopics(): Promise<readonly TopicInfo[]> {
    return this.index.names.map((name) => this.index.info(name))
  }

  createTopic(topic: string, partitions: number): Promise<void> {
    return this.#exclusively(async () => {
      checkNewTopic(topic, partitions)
      if (!this.index.has(topic)) {
        const place = await this.journal.append(encodeTopic(topic, partitions), true)
        this.index.apply({ kind: 'topic', topic, partitions }, place)
        return
      }
      const { partitions: existing } = this.index.info(topic)
      if (existing === partitions) return
      throw topicInvalid(
        `Topic "${topic}" exists with ${existing} partitions, not ${partitions}; use another name, or ask for ${existing}`,
        topic,
      )
    })
  }

  append(
    records: readonly (Omit<OutputRecord, 'partition'> & { readonly partition: number })[],
  ): Promise<readonly { partition: number; offset: number }[]> {
    return this.#exclusively(async () => {
      const placed = records.map((record) => ({ ...record, partition: this.#partitionFor(record) }))
      const { writes, offsets } = this.#group(placed)
      if (writes.length > 0) await this.#write(writes, undefined, false)
      return placed.map(({ partition }, i) => ({ partition, offset: offsets[i] as number }))
    })
  }

  async read(topic: string, partition: number, fromOffset: number, max: number): Promise<FetchedBatch> {
    const log = this.index.partition({ topic, partition })
    const from = Math.min(Math.max(0, fromOffset), log.end)
    const { records, next } = await log.read(from, max)
    return { topic, partition, records, nextOffset: next, lastStableOffset: log.end }
  }

  rewind(applicationId: string, topics: readonly string[], through: readonly string[] = []): Promise<void> {
    return this.#exclusively(async () => {
      const all = [...new Set([...topics, ...through])]
      const missing = all.filter((topic) => !this.index.has(topic))
      if (missing.length > 0) throw topicMissing(missing, 'the embedded log')
      this.#sessions.get(applicationId)?.fence()
      const positions = all.flatMap((topic) =>
        this.index
          .partitions(topic)
          .map(({ end }, partition) => ({ topic, partition, offset: through.includes(topic) ? end : 0, done: [] })),
      )
      // An entry like that of a commit, so that it holds over a restart; no epoch stands behind it. State begins anew
      // with the positions: a tombstone takes the place of the last epoch's record.
      const epochs = epochTopicOf(applicationId)
      const tombstone = {
        topic: epochs,
        partition: 0,
        key: noKey,
        value: null,
        timestamp: this.clock.now(),
        headers: [],
      }
      const { writes } = this.#group(this.index.has(epochs) ? [tombstone] : [])
      await this.#write(writes, { application: applicationId, epoch: 0, positions }, true)
    })
  }

  async open(
    applicationId: string,
    topics: readonly string[],
    reset: OffsetReset,
    resets: ReadonlyMap<string, OffsetReset> = new Map(),
    found: ReadonlySet<string> = new Set(),
  ): Promise<LogSession> {
    this.#refuseClosed()
    const missing = topics.filter((topic) => !this.index.has(topic))
    if (missing.length > 0) throw topicMissing(missing, 'the embedded log')
    this.#sessions.get(applicationId)?.fence()
    // A commit of the fenced session that had its turn already still counts: read positions behind it.
    await this.#queue
    const session = new EmbeddedSession({
      application: applicationId,
      assignment: this.#assignment(applicationId, topics, found, (topic) => resets.get(topic) ?? reset),
      clock: this.clock,
      partition: (place) => this.index.partition(place),
      commit: (epoch, mayCommit) => this.#commit(applicationId, epoch, mayCommit),
    })
    this.#sessions.get(applicationId)?.fence()
    this.#sessions.set(applicationId, session)
    return session
  }

  /** What is awaited before the log closes, such as a reader that appends to it. */
  beforeClose(hook: () => Promise<void>): void {
    this.#closing.push(hook)
  }

  /** Closes its sessions and waits for writes under way. Closing twice does nothing. */
  async close(): Promise<void> {
    const hooks = this.#closing.splice(0)
    for (const hook of hooks) await hook()
    if (this.#closed) return
    this.#closed = true
    for (const session of this.#sessions.values()) await session.close()
    this.#thinning?.work.stop()
    await this.#thinning?.done
    await this.#queue
    await this.journal.close()
  }

  /** Whether a topic of the engine's own keeps the last record of a key alone. It holds from the first start on. */
  #rule(topic: string, compact: boolean): Promise<void> {
    return this.#exclusively(async () => {
      if (this.index.compacts(topic) === compact) return
      const place = await this.journal.append(encodeRule(topic, compact), true)
      this.index.apply({ kind: 'rule', topic, compact }, place)
    })
  }

  #deleteBelow(topic: string, offsets: readonly number[]): Promise<void> {
    return this.#exclusively(async () => {
      for (const [partition, { start, end }] of this.index.partitions(topic).entries()) {
        const offset = Math.min(offsets[partition] ?? 0, end)
        if (offset <= start) continue
        const place = await this.journal.append(encodeStart(topic, partition, offset), false)
        this.index.apply({ kind: 'start', topic, partition, offset }, place)
      }
    })
  }

  /**
   * Thins the log out when there is a new file, and topics that are thinned out have got as much again as was left of
   * them, and a file more: so that this costs no more than the writing did.
   */
  #thinOut(): void {
    if (this.#closed || this.#thinning !== undefined || this.journal.current === this.#thinnedAt) return
    this.#thinnedAt = this.journal.current
    if (this.index.thinnedBytes < 2 * this.#leftBytes + this.journal.segmentBytes) return
    const work = new Thinning(this.journal, this.index, this.clock, (segment, payloads) =>
      this.#replace(segment, payloads),
    )
    const done = work
      .run()
      .then(() => {
        this.#leftBytes = this.index.thinnedBytes
      })
      .catch((error: unknown) => this.onThinningFailed(error))
      .finally(() => {
        this.#thinning = undefined
      })
    this.#thinning = { work, done }
  }

  #replace(segment: number, payloads: readonly Uint8Array[]): Promise<void> {
    const turn = this.#queue.then(() =>
      this.moves.moving(async () => {
        const places = await this.journal.replace(segment, payloads)
        this.index.relocate(
          segment,
          payloads.map((payload, i) => [decodeEntry(payload), places[i] as EntryPlace]),
        )
      }),
    )
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  #assignment(
    application: string,
    topics: readonly string[],
    found: ReadonlySet<string>,
    reset: (topic: string) => OffsetReset,
  ): Position[] {
    const committed = (topic: string, partition: number) => this.index.committed(application, { topic, partition })
    const isKnown = (topic: string) => this.index.partitions(topic).some((_, i) => committed(topic, i) !== undefined)
    const isResumed = topics.some(isKnown)
    return [...new Set(topics)].flatMap((topic) => {
      const fromStart = reset(topic) === 'earliest' || (isResumed && found.has(topic))
      return this.index
        .partitions(topic)
        .map(
          ({ end }, partition) =>
            committed(topic, partition) ?? { topic, partition, offset: fromStart ? 0 : end, done: [] },
        )
    })
  }

  #commit(application: string, epoch: EpochCommit, mayCommit: () => void): Promise<void> {
    return this.#exclusively(async () => {
      mayCommit()
      const { writes } = this.#group(epoch.outputs)
      if (writes.length === 0 && epoch.positions.length === 0) return
      await this.#write(writes, { application, epoch: epoch.epoch, positions: epoch.positions }, true)
    })
  }

  async #write(
    writes: readonly PartitionWrite[],
    progress: CommittedProgress | undefined,
    durable: boolean,
  ): Promise<void> {
    const payload = encodeWrite(writes, progress)
    const place = await this.journal.append(payload, durable)
    this.index.apply(decodeEntry(payload), place)
    this.#thinOut()
    for (const session of this.#sessions.values()) session.onAppend()
  }

  /** By partition, in order, with the offset that each record gets. */
  #group(records: Iterable<OutputRecord>): { writes: PartitionWrite[]; offsets: number[] } {
    const writes = new Map<string, PartitionWrite & { readonly records: OutputRecord[] }>()
    const offsets = Array.from(records, (record) => {
      const { topic, partition } = record
      const end = this.index.partition(record).end
      const key = `${topic} ${partition}`
      const write = writes.get(key) ?? { topic, partition, base: end, records: [] }
      writes.set(key, write)
      return write.base + write.records.push(record) - 1
    })
    return { writes: [...writes.values()], offsets }
  }

  #partitionFor({ topic, partition, key }: OutputRecord): number {
    if (partition !== -1) return partition
    const count = this.index.partitions(topic).length
    return key === null ? this.#roundRobin++ % count : partitionOf(key, count)
  }

  /** One writer at a time; what fails does not hold up what follows. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed()
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  #refuseClosed(): void {
    if (this.#closed) {
      throw new StreamError('The embedded log is closed', { code: 'ILLEGAL_STATE', kind: 'bug', retriable: false })
    }
  }
}
