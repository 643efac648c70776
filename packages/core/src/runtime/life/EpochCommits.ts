import type { EpochState } from '../../state/epoch/EpochState.js'
import type { ChangelogMarks } from '../../state/StateBackend.js'
import type { Changelogs } from '../changelog/Changelogs.js'
import { Trimming } from '../changelog/Trimming.js'
import type { FinishedEpoch } from '../epoch/EpochBuffer.js'
import { epochTopicOf } from '../epoch/EpochRecord.js'
import type { LogSession, Position } from '../RecordLog.js'
import type { SourceReaders } from '../reading/SourceReaders.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { TickPositions } from '../ticks/Schedules.js'
import type { EpochRecords } from './EpochRecords.js'
import type { Lasting } from './Lasting.js'
import { topicIdsOf } from './openSession.js'
import { savedClocks } from './savedClocks.js'

/** An epoch whose commit was under way when its incarnation ended: whether it counts is the log's to say (E9). */
export interface InDoubt {
  readonly epoch: number
  readonly positions: readonly Position[]
  readonly state: EpochState
  /** The epoch that the backend held when this one was cut. */
  readonly builtOn: number | undefined
  readonly ticks: TickPositions
  /** Where its changelogs end with it; undefined where there are none. */
  readonly marks: ChangelogMarks | undefined
  /** G3. */
  readonly counts: ReadonlyMap<string, number>
  /** It is known what became of it: where a start fails behind that, the next one has nothing to do with it. */
  isSettled: boolean
}

export interface CommitHost {
  onFailed(error: unknown): void
  /** A commit is over, with whatever it came to. */
  onSettled(): void
}

/** Sends the epochs of one incarnation, one at a time, with all that belongs to each (E1, E9). */
export class EpochCommits {
  /** The commit that has not been answered; never rejects. */
  underWay: Promise<void> | undefined
  inDoubt: InDoubt | undefined
  /** Bytes of the outputs that are being sent. */
  bytes = 0
  #changelogs: Changelogs | undefined
  #trimming: Trimming | undefined

  constructor(
    private readonly lasting: Lasting,
    private readonly records: EpochRecords,
    private readonly runner: TopologyRunner,
    private readonly readers: SourceReaders,
    private readonly host: CommitHost,
  ) {}

  /** Where the epochs' changes of state go as well (E6). */
  useChangelogs(changelogs: Changelogs | undefined): void {
    this.#changelogs = changelogs
    const { log, config } = this.lasting.options
    if (changelogs === undefined || log.internal === undefined) return
    this.#trimming = new Trimming(log.internal, epochTopicOf(config['application.id']), changelogs.starts, {
      ends: (topic, ends) => changelogs.raise(topic, ends),
      failed: (topic, error) => this.runner.log.write('warn', keptText(topic, error)),
    })
  }

  /** Resolves once nothing is deleted from changelogs any more: a restart would read where it deletes. */
  async endTrimming(): Promise<void> {
    await this.#trimming?.close()
  }

  /** Takes what the cut has left: positions, clocks, ticks, state and outputs; and begins to commit them. */
  start(
    taken: FinishedEpoch,
    session: LogSession,
    state: EpochState,
    times: { readonly runMs: number; readonly cutMs: number },
  ): void {
    const { epochs, schedules, options, counters } = this.lasting
    const { counts } = taken
    const { clock } = options
    const cutEnded = clock.monotonic()
    for (const flush of this.runner.beforeCut) flush()
    const epoch = state.cut()
    const positions = this.readers.positions()
    epochs.tellCommitting(epoch, taken)
    const clocks = savedClocks(this.runner, this.readers)
    const ticks = schedules.positions()
    const wall = clock.now()
    const changes = state.changes(epoch)
    const logged = this.#changelogs?.outputs(changes, wall, this.lasting.backend) ?? []
    this.#changelogs?.grow(logged)
    const marks = this.#changelogs?.marks(epoch, wall)
    const needed = this.#changelogs?.needed
    const changelogs = this.#changelogs?.saved ?? {}
    const record = this.records.output({
      epoch,
      wall,
      positions,
      clocks,
      ticks,
      changelogs,
      topicIds: topicIdsOf(session),
    })
    const outputs = record === undefined ? taken.outputs : taken.outputs.followedBy(logged, record)
    const builtOn = this.lasting.backend.committedEpoch
    this.inDoubt = { epoch, positions, state, builtOn, ticks, counts, marks, isSettled: false }
    this.bytes = taken.bytes
    this.underWay = session
      .commit({ epoch, outputs, positions })
      // Known to be committed, and only now: what the epoch wrote goes to the backend (E2).
      .then(() => state.commit(epoch, marks, changes))
      .then(() => {
        this.inDoubt = undefined
        if (needed !== undefined) this.#trimming?.committed(needed)
        schedules.commit(ticks)
        counters.addAll(counts)
        this.lasting.onCommitted(positions, taken.failedTimerFired)
        epochs.onCommitted(epoch, taken, { ...times, commitMs: clock.monotonic() - cutEnded })
      })
      .catch((error: unknown) => this.host.onFailed(error))
      .then(() => {
        this.underWay = undefined
        this.bytes = 0
        this.host.onSettled()
      })
  }

  /**
   * The state is level with the log, and nothing more will come: its age (E11) counts from here, however long the run
   * has had nothing to do.
   */
  async stampState(): Promise<void> {
    const { backend, options } = this.lasting
    const { committedEpoch } = backend
    if (committedEpoch === undefined || this.#changelogs === undefined || this.inDoubt !== undefined) return
    await backend.commit(committedEpoch, [], this.#changelogs.marks(committedEpoch, options.clock.now()))
  }
}

function keptText(topic: string, error: unknown): string {
  return `What no store needs any more could not be deleted from "${topic}", and stays there for now: ${String(error)}`
}
