import { StreamError } from '../../errors/StreamError.js'
import type { TopicPartition } from '../../model/TopicPartition.js'
import type { Clock } from '../../time/Clock.js'
import type { EpochCommit, FetchedBatch, FetchRequest, LogSession, Position } from '../RecordLog.js'
import { FetchLoop } from './FetchLoop.js'
import type { PartitionLog } from './PartitionLog.js'

interface ReadPosition extends TopicPartition {
  readonly log: PartitionLog
  next: number
  /** Whether a fetch has told this position: a partition that is empty from the start is told once. */
  told: boolean
}

export interface EmbeddedSessionOptions {
  readonly application: string
  readonly assignment: readonly Position[]
  readonly clock: Clock
  readonly partition: (place: TopicPartition) => PartitionLog
  /** Writes an epoch when its turn has come; `mayCommit` throws when the session has ended by then. */
  readonly commit: (epoch: EpochCommit, mayCommit: () => void) => Promise<void>
}

export class EmbeddedSession implements LogSession {
  readonly assignment: readonly Position[]
  readonly #options: EmbeddedSessionOptions
  readonly #positions: readonly ReadPosition[]
  /** The partition that the next fetch looks at first, so that none waits for ever behind a busy one. */
  #first = 0
  #state: 'open' | 'fenced' | 'closed' = 'open'
  readonly #loop: FetchLoop

  constructor(options: EmbeddedSessionOptions) {
    this.#options = options
    this.#loop = new FetchLoop(options.clock)
    this.assignment = options.assignment
    this.#positions = options.assignment.map(({ topic, partition, offset }) => ({
      topic,
      partition,
      log: options.partition({ topic, partition }),
      next: offset,
      told: false,
    }))
  }

  async fetch(request: FetchRequest): Promise<readonly FetchedBatch[]> {
    this.#check()
    return this.#loop.run(request, async () => {
      const batches = await this.#collect(request)
      if (this.#state === 'fenced') this.#check()
      return batches
    })
  }

  commit(epoch: EpochCommit): Promise<void> {
    return this.#options.commit(epoch, () => this.#check())
  }

  wakeUp(): void {
    this.#loop.wakeUp()
  }

  /** Called when the log has got records. */
  onAppend(): void {
    this.#loop.stir()
  }

  /** Another session of the application has begun: this one may neither read nor commit any more. */
  fence(): void {
    if (this.#state === 'open') this.#state = 'fenced'
    this.wakeUp()
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    this.wakeUp()
  }

  async #collect(request: FetchRequest): Promise<readonly FetchedBatch[]> {
    const paused = new Set(request.paused.map(keyOf))
    const inTurn = [...this.#positions.slice(this.#first), ...this.#positions.slice(0, this.#first)]
    const news = inTurn.filter((at) => !paused.has(keyOf(at)) && (at.next < at.log.end || !at.told))
    this.#first = (this.#first + 1) % Math.max(1, this.#positions.length)
    const share = Math.max(1, Math.floor(request.maxRecords / Math.max(1, news.length)))
    const batches: FetchedBatch[] = []
    for (const at of news) {
      const { records, next: behind } = await at.log.read(at.next, share)
      at.next = behind
      at.told = true
      const { topic, partition, next, log } = at
      batches.push({ topic, partition, records, nextOffset: next, lastStableOffset: log.end })
    }
    return batches
  }

  #check(): void {
    const { application } = this.#options
    if (this.#state === 'closed') throw illegal(`The log session of "${application}" is closed`)
    if (this.#state === 'fenced') {
      throw new StreamError(
        `Another run of application "${application}" has taken over its partitions; run only one, or give this one another application.id`,
        { code: 'STALE_INCARNATION', kind: 'operational', retriable: false },
      )
    }
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic} ${partition}`
}

function illegal(message: string): StreamError {
  return new StreamError(message, { code: 'ILLEGAL_STATE', kind: 'bug', retriable: false })
}
