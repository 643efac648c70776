import type { TopicPartition } from '../../model/TopicPartition.js'
import type { Position, TopicInfo } from '../RecordLog.js'
import type { EntryPlace } from './Journal.js'
import { journalCorrupt } from './Journal.js'
import type { CommittedProgress, JournalEntry, WriteEntry } from './journalEntry.js'
import type { Moves } from './Moves.js'
import { type ChunkReader, PartitionLog, type StoredChunk, storedChunk } from './PartitionLog.js'
import { topicInvalid, topicMissing } from './topicErrors.js'

/** Of a position, without its topic and the set above it, in bytes. */
const POSITION_BYTES = 20

interface Committed {
  readonly position: Position
  /** Where its entry lies. */
  place: EntryPlace
}

/** What the journal's entries add up to: topics, where their records lie, and how far each application is. */
export class LogIndex {
  readonly #topics = new Map<string, readonly PartitionLog[]>()
  /** By application, then by topic and partition. */
  readonly #committed = new Map<string, Map<string, Committed>>()
  /** Topics that are thinned out, and whether by key. */
  readonly #rules = new Map<string, boolean>()
  /** The first place where records were missing in a topic. */
  readonly #gaps = new Map<string, EntryPlace>()
  /** Bytes of positions, by segment. */
  readonly #progressBytes = new Map<number, number>()

  constructor(
    private readonly read: ChunkReader,
    private readonly moves: Moves,
  ) {}

  get names(): readonly string[] {
    return [...this.#topics.keys()].sort()
  }

  has(topic: string): boolean {
    return this.#topics.has(topic)
  }

  info(topic: string): TopicInfo {
    return { topic, partitions: this.partitions(topic).length }
  }

  /** @throws StreamError TOPIC_MISSING */
  partitions(topic: string): readonly PartitionLog[] {
    const found = this.#topics.get(topic)
    if (found === undefined) throw topicMissing([topic], 'the embedded log')
    return found
  }

  /** @throws StreamError TOPIC_MISSING, or TOPIC_INVALID when the topic has no such partition */
  partition({ topic, partition }: TopicPartition): PartitionLog {
    const all = this.partitions(topic)
    const found = all[partition]
    if (found === undefined) {
      throw topicInvalid(`Topic "${topic}" has partitions 0 to ${all.length - 1}, not ${partition}`, topic)
    }
    return found
  }

  committed(application: string, place: TopicPartition): Position | undefined {
    return this.#committed.get(application)?.get(keyOf(place))?.position
  }

  /** Whether a topic keeps the last record of a key alone; undefined when all that was written stays. */
  compacts(topic: string): boolean | undefined {
    return this.#rules.get(topic)
  }

  /** Topics that are thinned out. */
  get thinned(): readonly string[] {
    return [...this.#rules.keys()]
  }

  /** Bytes of all that may be thinned out one day. */
  get thinnedBytes(): number {
    let bytes = 0
    for (const ofSegment of this.#progressBytes.values()) bytes += ofSegment
    for (const topic of this.thinned) for (const log of this.partitions(topic)) bytes += log.bytes
    return bytes
  }

  /** Bytes of positions in a segment, of which others may have taken the place. */
  progressBytes(segment: number): number {
    return this.#progressBytes.get(segment) ?? 0
  }

  /** The positions of an entry that no later one has taken the place of. */
  lastPositions({ application, positions }: CommittedProgress, { segment, at }: EntryPlace): readonly Position[] {
    const known = this.#committed.get(application)
    return positions.filter((position) => {
      const place = known?.get(keyOf(position))?.place
      return place?.segment === segment && place.at === at
    })
  }

  /**
   * All entries have been read.
   *
   * @throws StreamError LOG_CORRUPT when records are missing in a topic that keeps all of them
   */
  check(): void {
    for (const [topic, { segment, at }] of this.#gaps) if (!this.#rules.has(topic)) throw journalCorrupt(segment, at)
  }

  /** Other entries stand in the place of a segment's. */
  relocate(segment: number, entries: readonly (readonly [JournalEntry, EntryPlace])[]): void {
    const moved = new Map<PartitionLog, StoredChunk[]>()
    for (const topic of this.#topics.values()) for (const log of topic) if (log.isIn(segment)) moved.set(log, [])
    this.#progressBytes.delete(segment)
    for (const [entry, place] of entries) {
      if (entry.kind !== 'write') continue
      for (const head of entry.chunks) moved.get(this.partition(head))?.push(storedChunk(head, segment, place.at))
      if (entry.progress !== undefined) this.#replace(entry.progress, place)
    }
    for (const [log, chunks] of moved) log.relocate(segment, chunks)
  }

  /** @throws StreamError LOG_CORRUPT when the entry does not continue those before it */
  apply(entry: JournalEntry, place: EntryPlace): void {
    if (entry.kind === 'topic') this.#addTopic(entry.topic, entry.partitions)
    else if (entry.kind === 'rule') this.#rules.set(entry.topic, entry.compact)
    else if (entry.kind === 'start') this.partition(entry).startAt(entry.offset)
    else this.#addWrite(entry, place)
  }

  #addTopic(topic: string, partitions: number): void {
    const logs = Array.from({ length: partitions }, () => new PartitionLog(this.read, this.moves))
    this.#topics.set(topic, logs)
  }

  #addWrite({ chunks, progress }: WriteEntry, place: EntryPlace): void {
    for (const head of chunks) {
      const log = this.#topics.get(head.topic)?.[head.partition]
      if (!log?.add(head, place.segment, place.at)) throw journalCorrupt(place.segment, place.at)
      if (log.hasGaps && !this.#gaps.has(head.topic)) this.#gaps.set(head.topic, place)
    }
    if (progress !== undefined) this.#advance(progress, place)
  }

  #advance(progress: CommittedProgress, place: EntryPlace): void {
    const { application, positions } = progress
    const known = this.#committed.get(application) ?? new Map<string, Committed>()
    for (const position of positions) known.set(keyOf(position), { position, place })
    this.#committed.set(application, known)
    this.#countProgress(progress, place)
  }

  /** A position that has moved on meanwhile is elsewhere by now. */
  #replace(progress: CommittedProgress, place: EntryPlace): void {
    for (const position of progress.positions) {
      const known = this.#committed.get(progress.application)?.get(keyOf(position))
      if (known?.place.segment === place.segment) known.place = place
    }
    this.#countProgress(progress, place)
  }

  #countProgress({ application, positions }: CommittedProgress, { segment }: EntryPlace): void {
    let bytes = application.length
    for (const { topic, done } of positions) bytes += topic.length + POSITION_BYTES + 8 * done.length
    this.#progressBytes.set(segment, this.progressBytes(segment) + bytes)
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic} ${partition}`
}
