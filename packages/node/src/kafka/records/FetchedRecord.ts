import type { Header, LogRecord } from '@lanescope/core'

/** What the records of one batch have in common. */
export interface BatchHead {
  readonly producerId: string
  readonly inTransaction: boolean
  readonly isControl: boolean
}

/** A record as it was fetched. */
export class FetchedRecord implements LogRecord {
  constructor(
    readonly offset: number,
    readonly timestamp: number,
    readonly key: Buffer | null,
    readonly value: Buffer | null,
    readonly headers: readonly Header[],
    /** Private to this adapter: a record's copy is no more than its fields. */
    readonly batch: BatchHead,
  ) {}
}
