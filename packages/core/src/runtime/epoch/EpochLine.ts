import type { EventHub } from '../../events/EventHub.js'
import type { Clock } from '../../time/Clock.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import type { EpochBuffer, FinishedEpoch } from './EpochBuffer.js'

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
  #since = 0

  constructor(
    private readonly config: EngineConfig,
    private readonly clock: Clock,
    private readonly events: EventHub,
  ) {}

  /** A restart goes on from what is committed: the next epoch is at least the one after it, and no number comes twice. */
  goOnAfter(epoch: number): void {
    this.number = Math.max(this.number, epoch)
    this.committed = Math.max(this.committed, epoch)
  }

  open(): void {
    this.number++
    this.#since = this.clock.monotonic()
    if (!this.events.listening('epoch-started')) return
    this.events.emit<'epoch-started'>({ type: 'epoch-started', epoch: this.number, at: this.clock.now() })
  }

  isFull(epoch: EpochBuffer): boolean {
    return epoch.records >= this.config['epoch.max-records']
  }

  /** Whether it is to be cut (E3); never when there is nothing to commit. */
  isDue(epoch: EpochBuffer): boolean {
    return !epoch.isEmpty && (this.isFull(epoch) || this.leftMs() <= 0)
  }

  /** Ms until time alone ends the open epoch. */
  leftMs(): number {
    return this.config['commit.interval.ms'] - this.runMs()
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

  onCommitted(epoch: number, { records, outputs, timersFired }: FinishedEpoch, times: EpochTimes): void {
    this.committed = epoch
    this.lastCommitMs = times.commitMs
    if (!this.events.listening('epoch-committed')) return
    this.events.emit<'epoch-committed'>({
      type: 'epoch-committed',
      epoch,
      at: this.clock.now(),
      records,
      outputs: outputs.length,
      timersFired,
      ...times,
    })
  }

  tellAborted(message: string): void {
    if (this.number === 0 || !this.events.listening('epoch-aborted')) return
    const at = this.clock.now()
    this.events.emit<'epoch-aborted'>({ type: 'epoch-aborted', epoch: this.number, at, message })
  }
}
