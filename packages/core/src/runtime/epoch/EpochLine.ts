import type { AbortFacts } from '../../events/EngineEvent.js'
import type { EventHub } from '../../events/EventHub.js'
import type { Clock } from '../../time/Clock.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import type { EpochBuffer, FinishedEpoch } from './EpochBuffer.js'

/** While no commit has been measured. */
const FIRST_INTERVAL_MS = 100
/** An epoch lasts so many times what its commit takes, within these bounds (E3). */
const INTERVAL_PER_COMMIT = 1.5
const SHORTEST_INTERVAL_MS = 10
const LONGEST_INTERVAL_MS = 5000
/** The pace of sending is taken from no fewer bytes: what a commit takes besides would be taken for it. */
const PACED_BYTES = 1_048_576

/** How long the parts of an epoch took, in ms. */
interface EpochTimes {
  readonly runMs: number
  readonly cutMs: number
  readonly commitMs: number
}

/** The epochs of a run, one after the other: their numbers, when they are to end, and what is told of them. */
export class EpochLine {
  /** The epoch that is open; 0 before the first. */
  number = 0
  /** The last one committed. */
  committed = 0
  lastCommitMs: number | null = null
  /** What commits take, in ms: the mean of the last one and of what it was before, so that one slow commit is half the news. */
  #commitMs: number | undefined
  /** What sending takes: at the pace of the last commit, or halfway back to it when that was quicker. */
  #msPerByte = 0
  #since = 0
  #isOpen = false

  constructor(
    private readonly config: EngineConfig,
    private readonly clock: Clock,
    private readonly events: EventHub,
    /** The log gives a transaction up after so long; half of it is ours (E3). Default: it never does. */
    private readonly transactionTimeoutMs = Number.POSITIVE_INFINITY,
  ) {}

  /** A restart goes on from what is committed: the next epoch is at least the one after it, and no number comes twice. */
  goOnAfter(epoch: number): void {
    this.number = Math.max(this.number, epoch)
    this.committed = Math.max(this.committed, epoch)
  }

  open(): void {
    this.number++
    this.#isOpen = true
    this.#since = this.clock.monotonic()
    if (!this.events.listening('epoch-started')) return
    this.events.emit<'epoch-started'>({ type: 'epoch-started', epoch: this.number, at: this.clock.now() })
  }

  /**
   * Whether nothing more may start in the open epoch (E3).
   *
   * @param liveBytes what all live epochs hold in memory: outputs, writes of state, and what waits at boundaries
   */
  isFull(epoch: EpochBuffer, liveBytes: number): boolean {
    return (
      epoch.records >= this.config['epoch.max-records'] ||
      liveBytes >= this.config['epoch.max-bytes'] ||
      liveBytes * this.#msPerByte >= this.#mostMs
    )
  }

  /** Whether it is to be cut (E3); never when there is nothing to commit. */
  isDue(epoch: EpochBuffer, liveBytes: number): boolean {
    return !epoch.isEmpty && (this.isFull(epoch, liveBytes) || this.leftMs() <= 0)
  }

  /**
   * How long an epoch lasts, in ms: as configured, else by what commits take. In either case short enough to be sent
   * within half the transaction time-out.
   */
  get intervalMs(): number {
    const latest = Math.max(SHORTEST_INTERVAL_MS, this.#mostMs - (this.#commitMs ?? 0))
    return Math.min(latest, this.config['commit.interval.ms'] ?? this.#measuredMs)
  }

  get #measuredMs(): number {
    if (this.#commitMs === undefined) return FIRST_INTERVAL_MS
    return Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, INTERVAL_PER_COMMIT * this.#commitMs))
  }

  /** How long an epoch may take from its start until it is sent. */
  get #mostMs(): number {
    return this.transactionTimeoutMs / 2
  }

  /** Ms until time alone ends the open epoch. */
  leftMs(): number {
    return this.intervalMs - this.runMs()
  }

  /** How long the open epoch has run, in ms. */
  runMs(): number {
    return this.clock.monotonic() - this.#since
  }

  tellCommitting(epoch: number, { records, outputs }: FinishedEpoch): void {
    if (!this.events.listening('epoch-committing')) return
    const at = this.clock.now()
    this.events.emit<'epoch-committing'>({ type: 'epoch-committing', epoch, at, records, outputs: outputs.length })
  }

  onCommitted(epoch: number, finished: FinishedEpoch, times: EpochTimes): void {
    const { records, outputs, timersFired, bytes, slowest } = finished
    const { commitMs } = times
    const pace = commitMs / Math.max(bytes, PACED_BYTES)
    this.#msPerByte = Math.max(pace, (this.#msPerByte + pace) / 2)
    this.committed = epoch
    this.lastCommitMs = commitMs
    this.#commitMs = this.#commitMs === undefined ? commitMs : (this.#commitMs + commitMs) / 2
    if (!this.events.listening('epoch-committed')) return
    this.events.emit<'epoch-committed'>({
      type: 'epoch-committed',
      epoch,
      at: this.clock.now(),
      records,
      outputs: outputs.length,
      timersFired,
      ...times,
      ...(slowest === undefined ? {} : { slowest }),
    })
  }

  /**
   * A fault discards the open epoch. Told once of each: a start that fails has opened none.
   *
   * @param held what it has done so far; undefined where there is nothing that could have
   */
  tellAborted(message: string, held: EpochBuffer | undefined, next: Pick<AbortFacts, 'inDoubt' | 'restart'>): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (!this.events.listening('epoch-aborted')) return
    this.events.emit<'epoch-aborted'>({
      type: 'epoch-aborted',
      epoch: this.number,
      at: this.clock.now(),
      message,
      records: held?.records ?? 0,
      outputs: held?.outputs.length ?? 0,
      timersFired: held?.timersFired ?? 0,
      runMs: this.runMs(),
      ...next,
    })
  }
}
