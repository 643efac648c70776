import type { EpochCommit, FetchedBatch, FetchRequest, LogRecord, LogSession, RecordLog } from '@lanescope/core'

const TOPIC = 'in'

/**
 * A log of one topic that gives out records made beforehand and forgets what is committed, so that what is measured is
 * the engine alone.
 */
export class Feed implements RecordLog {
  readonly kind = 'embedded'
  readonly exactlyOnce = true
  #records: readonly LogRecord[] = []
  /** Offset of `#records[0]`. */
  #base = 0
  #next = 0
  #outputs = 0
  #awaited: { readonly offset: number; readonly reached: () => void } | undefined
  #answer: ((batches: readonly FetchedBatch[]) => void) | undefined

  /** Outputs committed so far. */
  get outputs(): number {
    return this.#outputs
  }

  /**
   * Gives these out next; their offsets go on from those before. Making records is no part of what is measured, so they
   * come as the log's own.
   *
   * @returns a promise that resolves once all of them are committed
   */
  give(records: readonly LogRecord[]): Promise<void> {
    this.#base += this.#records.length
    if (records[0]?.offset !== this.#base) throw new RangeError(`The next offset is ${this.#base}`)
    this.#records = records
    return new Promise((reached) => {
      this.#awaited = { offset: this.#base + records.length, reached }
      this.#answer?.(this.#take(1000))
    })
  }

  async topics(names: readonly string[]) {
    return names.map((topic) => ({ topic, partitions: 1 }))
  }

  async topicsMatching() {
    return []
  }

  async open(): Promise<LogSession> {
    return {
      assignment: [{ topic: TOPIC, partition: 0, offset: 0, done: [] }],
      fetch: (request) => this.#fetch(request),
      commit: async (epoch) => this.#commit(epoch),
      wakeUp: () => this.#answer?.([]),
      close: async () => this.#answer?.([]),
    }
  }

  async close(): Promise<void> {}

  async #fetch({ maxRecords }: FetchRequest): Promise<readonly FetchedBatch[]> {
    if (this.#next < this.#base + this.#records.length) return this.#take(maxRecords)
    return new Promise((resolve) => {
      this.#answer = (batches) => {
        this.#answer = undefined
        resolve(batches)
      }
    })
  }

  #take(maxRecords: number): readonly FetchedBatch[] {
    const from = this.#next - this.#base
    const records = this.#records.slice(from, from + maxRecords)
    this.#next += records.length
    const end = this.#base + this.#records.length
    return [{ topic: TOPIC, partition: 0, records, nextOffset: this.#next, lastStableOffset: end }]
  }

  #commit({ positions, outputs }: EpochCommit): void {
    this.#outputs += outputs.length
    const awaited = this.#awaited
    if (awaited === undefined || (positions[0]?.offset ?? 0) < awaited.offset) return
    this.#awaited = undefined
    awaited.reached()
  }
}
