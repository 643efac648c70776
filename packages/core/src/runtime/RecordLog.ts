import type { Header } from '../model/Headers.js'
import type { TopicPartition } from '../model/TopicPartition.js'
import type { TopicConfig } from '../state/StoreBuilder.js'

/** Where a partition is read from that has no committed position. */
export type OffsetReset = 'earliest' | 'latest'

/** A record as a log holds it. Timestamps are integer ms, as the log says (W1). */
export interface LogRecord {
  readonly offset: number
  readonly timestamp: number
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  readonly headers: readonly Header[]
}

/** Records of one partition in offset order; perhaps none, then it reports the position alone. */
export interface FetchedBatch extends TopicPartition {
  readonly records: readonly LogRecord[]
  /** The offset that the next fetch of this partition starts at. */
  readonly nextOffset: number
  /** Where a `read_committed` reader ends. `nextOffset === lastStableOffset` means caught up. */
  readonly lastStableOffset: number
  /** Records left out because they had come before (E10). Default: 0. */
  readonly reread?: number
}

/** A record on its way out. The engine has chosen the partition (never the port: a retry must not choose again). */
export interface OutputRecord extends TopicPartition {
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  readonly timestamp: number
  readonly headers: readonly Header[]
}

/**
 * What an epoch has put out, in its order. Each output is made when it is come to: whoever goes through them twice gets
 * two of each.
 */
export interface Outputs extends Iterable<OutputRecord> {
  readonly length: number
}

/**
 * How far a partition is done (E8): every record below `offset`, and those in `done` above it.
 * `offset` is the lowest one not done.
 */
export interface Position extends TopicPartition {
  readonly offset: number
  readonly done: readonly number[]
}

/** Where a session begins to read a partition. */
export interface StartingPosition extends Position {
  /** Which topic it is of all that have had its name; absent where the log cannot tell. */
  readonly topicId?: string
  /** There when the committed position is not in the partition, by records deleted or the topic made anew (E13). */
  readonly outside?: {
    readonly committed: number
    /** The first offset that is there, and the one behind the last. */
    readonly start: number
    readonly end: number
    /** It is another topic than the position was committed for, though it may hold such an offset. */
    readonly madeAnew?: true
  }
}

/** What the last epoch knows of a topic that it read. */
export interface LastRead {
  readonly topicId: string
  /** By partition. */
  readonly offsets: readonly (number | undefined)[]
}

/** What one epoch leaves behind: all or none of it, where the log can (E1). */
export interface EpochCommit {
  readonly epoch: number
  readonly outputs: Outputs
  readonly positions: readonly Position[]
}

export interface TopicInfo {
  readonly topic: string
  readonly partitions: number
  /** Bytes a record batch may have; undefined when the log sets none. */
  readonly maxMessageBytes?: number
  /** How far ahead of its clock the log accepts a timestamp, in ms; undefined when it accepts any (F6). */
  readonly maxTimestampAheadMs?: number
  /** How far behind its clock the log accepts a timestamp, in ms; undefined when it accepts any (F6). */
  readonly maxTimestampBehindMs?: number
}

export interface FetchRequest {
  /** At most about this many records over all partitions. */
  readonly maxRecords: number
  /** How long to wait when there is nothing, in ms. */
  readonly maxWaitMs: number
  /** Partitions to leave alone this time: their lanes are full (L7). */
  readonly paused: readonly TopicPartition[]
}

/** What decides whether something that was kept of a topic is still good (E11, E13). */
export interface TopicTraits {
  /** Another one in another cluster, and for a topic that was made anew under its name. */
  readonly id?: string
  /** How long the log keeps a tombstone at least before compaction may take it, in ms; undefined: for ever. */
  readonly deleteRetentionMs?: number
}

/** One application's reading and writing of a log, from its start to its end. */
export interface LogSession {
  /** What is read, with the committed positions to start from. Fixed for the session. */
  readonly assignment: readonly StartingPosition[]
  /**
   * The next records, one batch for each partition that has news. Resolves with an empty list when the wait is over.
   * A second call while one is pending is a mistake and throws.
   */
  fetch(request: FetchRequest): Promise<readonly FetchedBatch[]>
  /**
   * Makes an epoch durable. Outputs of one partition keep their order. Resolves once the log has it.
   * Where `exactlyOnce` is true: atomic. Else outputs first, then positions, so that a failure between repeats and never loses.
   */
  commit(epoch: EpochCommit): Promise<void>
  /** Makes a pending fetch return at once. */
  wakeUp(): void
  close(): Promise<void>
}

/** What a topic of the engine's own is given, by Kafka's names. */
export interface InternalTopicSettings {
  /** Without these the engine cannot trust it: a topic that has others is set right (E12, F6). */
  readonly needed: TopicConfig
  /** Given to a topic that is made; one that is there keeps what it has. */
  readonly initial: TopicConfig
}

/** Topics that the engine makes for itself: the epoch record's, and changelogs. */
export interface InternalTopics {
  /**
   * Makes it unless it exists; one that does is held against what it needs.
   *
   * @returns how many partitions it has
   * @throws StreamError TOPIC_INVALID with what to set, where a setting is wrong and may not be changed from here
   */
  ensure(topic: string, partitions: number, settings: InternalTopicSettings): Promise<number>
  /** The last committed record of its partition 0; undefined while it has none. */
  last(topic: string): Promise<LogRecord | undefined>
  /** Of each partition, the first offset that is there and the one behind the last committed record. */
  bounds(topic: string): Promise<readonly { readonly start: number; readonly end: number }[]>
  /**
   * Deletes what lies below an offset in each partition, as far as it is still there (E12). An offset past the end
   * deletes up to the end.
   *
   * @param offsets by partition
   */
  deleteBelow(topic: string, offsets: readonly number[]): Promise<void>
  /**
   * Hands out committed records, each span in its order, until all of them are through. The next batch waits for `take`.
   *
   * @param take gets records of one partition and the offset behind them, which is past what a reader is not shown
   */
  replay(
    topic: string,
    spans: readonly ReplaySpan[],
    take: (partition: number, records: readonly LogRecord[], next: number) => Promise<void>,
  ): Promise<void>
}

/** Offsets from ≤ offset < to of a partition. */
export interface ReplaySpan {
  readonly partition: number
  readonly from: number
  readonly to: number
}

/** What a log stands on has not answered for a while: nothing is read, and it is tried anew. */
export interface LogOutage {
  /** Since when, in ms since 1970. */
  readonly since: number
  /** What does not answer, and what came instead, for people. */
  readonly reason: string
}

/** Topics, partitions and offsets: what the engine reads from and writes to. Adapters: embedded log, Kafka. */
export interface RecordLog {
  /** Topics of the engine's own, on a log whose commits are atomic: the epoch record lives in one (E9). */
  readonly internal?: InternalTopics
  readonly kind: 'embedded' | 'kafka'
  /** Whether `commit` is atomic (E1). */
  readonly exactlyOnce: boolean
  /** How long the log lets a transaction be open, in ms; an epoch is sent within half of it (E3). Absent: as long as it takes. */
  readonly transactionTimeoutMs?: number
  /** Undefined where all is well, as far as it has been tried; absent where the log stands on nothing but this process. */
  readonly outage?: LogOutage | undefined
  /**
   * Resolves once what the log stands on answers, or the log is closed; never rejects. An outage is waited for with it,
   * however long it lasts: tries that nobody answers would use up the restarts (E4).
   */
  reached?(): Promise<void>
  /** Those of the named topics that exist. */
  topics(names: readonly string[]): Promise<readonly TopicInfo[]>
  /** What identifies topics that exist; one that a log cannot tell anything of may be missing. Absent: it never can. */
  traits?(names: readonly string[]): Promise<ReadonlyMap<string, TopicTraits>>
  /** All topics whose name matches (P3). */
  topicsMatching(pattern: RegExp): Promise<readonly TopicInfo[]>
  /**
   * Starts reading for an application, each partition from its committed position, or from `reset` where there is none.
   *
   * @param resets topics that have another one in its place
   * @param found topics that a pattern has found (P3): where the application has positions in others, such a topic has
   *   come later, and is read from its beginning, as a partition is that its topic has got later (E13)
   * @param lastRead what the application's last epoch read, by topic: asked for once nobody else can commit for it, where
   *   the log can tell topics of one name apart
   * @throws StreamError TOPIC_MISSING when a topic does not exist
   */
  open(
    applicationId: string,
    topics: readonly string[],
    reset: OffsetReset,
    resets?: ReadonlyMap<string, OffsetReset>,
    found?: ReadonlySet<string>,
    lastRead?: () => Promise<ReadonlyMap<string, LastRead>>,
  ): Promise<LogSession>
  close(): Promise<void>
}

/** What creates and fills topics from outside a topology: the page, generators, tests. */
export interface LogAdmin {
  listTopics(): Promise<readonly TopicInfo[]>
  /** @throws StreamError TOPIC_INVALID when the name is illegal or the topic exists with another partition count */
  createTopic(topic: string, partitions: number): Promise<void>
  /** Appends records in order; partition −1 means by the key's murmur2, or round-robin for a null key. @returns where each went */
  append(
    records: readonly (Omit<OutputRecord, 'partition'> & { readonly partition: number })[],
  ): Promise<readonly { partition: number; offset: number }[]>
  /** Committed records of a partition from an offset on, at most `max`. */
  read(topic: string, partition: number, fromOffset: number, max: number): Promise<FetchedBatch>
  /**
   * Sets an application back to the earliest record of each partition of these topics: its next session reads all of
   * them, and what it had done beyond its positions (E8) is forgotten. Its other topics stay as they are.
   *
   * @param through topics that it has written itself to go on from (`KStream.through`): it will write all of that anew, so
   *   it is set to their ends
   * @throws StreamError TOPIC_MISSING, and nothing is set back; LOG_LOCKED while it runs on Kafka
   */
  rewind(applicationId: string, topics: readonly string[], through?: readonly string[]): Promise<void>
}
