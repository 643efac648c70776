import type { OutputRecord } from '@lanescope/core'

/** What a generator needs of a log: every `LogAdmin` is one, and so is the inbox of a log that another process writes. */
export interface TrafficTarget {
  createTopic(topic: string, partitions: number): Promise<void>
  /** Partition −1: the log chooses by the key. */
  append(records: readonly OutputRecord[]): Promise<unknown>
}
