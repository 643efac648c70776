import type { TopicPartition } from '../../model/TopicPartition.js'
import type { Position, TopicInfo } from '../RecordLog.js'
import type { EntryPlace } from './Journal.js'
import { journalCorrupt } from './Journal.js'
import type { CommittedProgress, JournalEntry } from './journalEntry.js'
import { type ChunkReader, PartitionLog } from './PartitionLog.js'
import { topicInvalid, topicMissing } from './topicErrors.js'

/** What the journal's entries add up to: topics, where their records lie, and how far each application is. */
export class LogIndex {
  readonly #topics = new Map<string, readonly PartitionLog[]>()
  /** By application, then by topic and partition. */
  readonly #committed = new Map<string, Map<string, Position>>()

  constructor(private readonly read: ChunkReader) {}

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
    return this.#committed.get(application)?.get(keyOf(place))
  }

  /** @throws StreamError LOG_CORRUPT when the entry does not continue those before it */
  apply(entry: JournalEntry, place: EntryPlace): void {
    if (entry.kind === 'topic') {
      const partitions = Array.from({ length: entry.partitions }, () => new PartitionLog(this.read))
      this.#topics.set(entry.topic, partitions)
      return
    }
    for (const head of entry.chunks) {
      const continues = this.#topics.get(head.topic)?.[head.partition]?.add(head, place.segment, place.at)
      if (!continues) throw journalCorrupt(place.segment, place.at)
    }
    if (entry.progress) this.#advance(entry.progress)
  }

  #advance({ application, positions }: CommittedProgress): void {
    const known = this.#committed.get(application) ?? new Map<string, Position>()
    for (const position of positions) known.set(keyOf(position), position)
    this.#committed.set(application, known)
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic} ${partition}`
}
