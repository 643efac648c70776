import type { OutputRecord } from '@lanescope/core'

/** What a generator needs of a log: `intoLog` makes one of any log, and the inbox of a log that another process writes is one. */
export interface TrafficTarget {
  createTopic(topic: string, partitions: number): Promise<void>
  /** Partition −1: the log chooses by the key. */
  append(records: readonly OutputRecord[]): Promise<unknown>
  /** The newest timestamp of the topic that is not after `notAfter`; undefined when there is none. */
  newestTime(topic: string, notAfter: number): Promise<number | undefined>
}
