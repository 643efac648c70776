import {
  type EpochCommit,
  type FetchedBatch,
  type FetchRequest,
  Headers,
  type LogSession,
  type OutputRecord,
  type Position,
  type RecordLog,
  string,
  type TopicInfo,
} from '../src/index.js'

/** A record of a scripted batch: key, value, timestamp. */
export type Given = readonly [key: string | null, value: string | null, timestamp: number]

/** A commit as the log took it. */
export type ScriptedCommit = EpochCommit & { readonly outputs: readonly OutputRecord[] }

/** A log that does what the test says, when the test says it: nothing in it waits by itself. */
export class ScriptedLog implements RecordLog {
  kind: RecordLog['kind'] = 'embedded'
  exactlyOnce = true
  transactionTimeoutMs?: number
  readonly commits: ScriptedCommit[] = []
  readonly requests: FetchRequest[] = []
  closings = 0
  fetchError: Error | undefined
  openError: Error | undefined
  /** What `open` waits for. */
  opening: Promise<void> = Promise.resolve()
  /** What each commit waits for, or is refused by. */
  committing: () => Promise<void> = async () => undefined
  readonly #given: FetchedBatch[] = []
  #answer: ((batches: readonly FetchedBatch[]) => void) | undefined
  #refuse: ((error: Error) => void) | undefined

  constructor(
    private readonly partitions: { readonly [topic: string]: number },
    private readonly positions: readonly Position[] = [],
  ) {}

  /** Whether a fetch waits. */
  get isAsked(): boolean {
    return this.#answer !== undefined
  }

  /** Records of a partition from an offset on; the fetch that waits gets them. */
  give(
    topic: string,
    partition: number,
    offset: number,
    records: readonly Given[],
    ends: { readonly nextOffset?: number; readonly lastStableOffset?: number } = {},
  ): void {
    const nextOffset = ends.nextOffset ?? offset + records.length
    this.#given.push({
      topic,
      partition,
      records: records.map(([key, value, timestamp], index) => ({
        offset: offset + index,
        timestamp,
        key: bytes(key),
        value: bytes(value),
        headers: [],
      })),
      nextOffset,
      lastStableOffset: ends.lastStableOffset ?? nextOffset,
    })
    this.#send()
  }

  /** The fetch that waits fails. */
  fail(error: Error): void {
    this.#refuse?.(error)
  }

  async topics(names: readonly string[]): Promise<readonly TopicInfo[]> {
    return names
      .filter((topic) => topic in this.partitions)
      .map((topic) => ({ topic, partitions: this.partitions[topic] as number }))
  }

  topicsMatching(pattern: RegExp): Promise<readonly TopicInfo[]> {
    return this.topics(Object.keys(this.partitions).filter((topic) => pattern.test(topic)))
  }

  async open(_application: string, topics: readonly string[]): Promise<LogSession> {
    await this.opening
    if (this.openError !== undefined) throw this.openError
    const assignment = topics.flatMap((topic) =>
      Array.from(
        { length: this.partitions[topic] as number },
        (_, partition): Position =>
          this.positions.find((start) => start.topic === topic && start.partition === partition) ?? {
            topic,
            partition,
            offset: 0,
            done: [],
          },
      ),
    )
    return {
      assignment,
      fetch: (request) => this.#fetch(request),
      commit: async (epoch) => {
        this.commits.push({ ...epoch, outputs: [...epoch.outputs] })
        await this.committing()
      },
      wakeUp: () => this.#answer?.([]),
      close: async () => {
        this.closings++
        this.#answer?.([])
      },
    }
  }

  async close(): Promise<void> {}

  #fetch(request: FetchRequest): Promise<readonly FetchedBatch[]> {
    this.requests.push(request)
    if (this.fetchError !== undefined) return Promise.reject(this.fetchError)
    return new Promise((resolve, reject) => {
      this.#answer = (batches) => {
        this.#answer = undefined
        resolve(batches)
      }
      this.#refuse = reject
      this.#send()
    })
  }

  #send(): void {
    if (this.#given.length > 0) this.#answer?.(this.#given.splice(0))
  }
}

function bytes(text: string | null): Uint8Array | null {
  return text === null ? null : string.serialize('', Headers.empty, text)
}
