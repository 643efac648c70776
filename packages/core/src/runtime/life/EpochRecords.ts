import type { StateBackend } from '../../state/StateBackend.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import { epochTopicSettings } from '../changelog/topicSettings.js'
import {
  decodeEpochRecord,
  type EpochRecord,
  encodeEpochRecord,
  epochTopicOf,
  type SavedClocks,
} from '../epoch/EpochRecord.js'
import type { OutputRecord, Position, RecordLog, StartingPosition } from '../RecordLog.js'
import type { InDoubt } from './EpochCommits.js'

/** The records that epochs leave behind in their own commits (E9), on a log whose commits are atomic. */
export class EpochRecords {
  readonly #topic: string
  #last: Promise<EpochRecord | undefined> | undefined
  #isRewound = false

  constructor(
    private readonly log: RecordLog,
    config: EngineConfig,
  ) {
    this.#topic = epochTopicOf(config['application.id'])
  }

  /**
   * The last one when it was first asked for: not before nobody else can commit for the application. Undefined where there
   * is none yet.
   */
  last(): Promise<EpochRecord | undefined> {
    this.#last ??= this.#open()
    return this.#last
  }

  /** Whether a rewind has begun a new history since the last epoch: then there is none, and nothing is lost with it. */
  async isRewound(): Promise<boolean> {
    await this.last()
    return this.#isRewound
  }

  /** Whether their topic has never had one: not even one that did not commit. */
  async isUnwritten(): Promise<boolean> {
    const bounds = await this.log.internal?.bounds(this.#topic)
    return bounds?.every(({ end }) => end === 0) ?? false
  }

  /** Makes their topic, and reads the last one. */
  async #open(): Promise<EpochRecord | undefined> {
    const { internal } = this.log
    if (internal === undefined) return undefined
    await internal.ensure(this.#topic, 1, epochTopicSettings)
    const last = await internal.last(this.#topic)
    this.#isRewound = last !== undefined && last.value === null
    return last?.value ? decodeEpochRecord(last.value, this.#topic) : undefined
  }

  /**
   * The clocks to go on from (W6). Where the committed positions are not those of the record, somebody has moved them:
   * the record tells of another history, and a run from the beginning must not find all of it late.
   */
  clocksFor(last: EpochRecord | undefined, assignment: readonly Position[]): SavedClocks | undefined {
    return last !== undefined && isSame(last.positions, assignment) ? last.clocks : undefined
  }

  /** The record to send with the epoch's outputs; undefined where the log keeps none. */
  output(record: EpochRecord): OutputRecord | undefined {
    if (this.log.internal === undefined) return undefined
    return {
      topic: this.#topic,
      partition: 0,
      // One key, so that compaction keeps the last one alone.
      key: new Uint8Array(0),
      value: encodeEpochRecord(record),
      timestamp: record.wall,
      headers: [],
    }
  }

  /**
   * After a commit that failed or was not answered: does the epoch count? The last record says so. Where the log keeps
   * none, the positions do, as far as they can: unmoved ones mean that the epoch is done again, at least once.
   *
   * @returns whether it counts
   */
  async settle(
    inDoubt: InDoubt,
    last: EpochRecord | undefined,
    assignment: readonly Position[],
    backend: StateBackend,
  ): Promise<boolean> {
    const counts =
      this.log.internal === undefined
        ? inDoubt.positions.some(({ offset }) => offset > 0) && isSame(inDoubt.positions, assignment)
        : last !== undefined && last.epoch >= inDoubt.epoch
    // What is not there any more below its writes, or has them already, is brought to the epoch by the changelogs (E11).
    const isAsBefore = backend.committedEpoch === inDoubt.builtOn && backend.damaged.length === 0
    if (counts && isAsBefore) await inDoubt.state.commit(inDoubt.epoch, inDoubt.marks)
    inDoubt.state.abort()
    return counts
  }
}

/**
 * Positions with what is done above them (E8). A log that keeps offsets alone leaves that to the epoch record, which
 * tells of the same commit where it has the same offset.
 */
export function withDoneSets(
  assignment: readonly StartingPosition[],
  last: EpochRecord | undefined,
): readonly StartingPosition[] {
  if (last === undefined) return assignment
  return assignment.map((position) => {
    // What was done in a topic that is gone says nothing of the one that is there.
    if (position.done.length > 0 || position.outside !== undefined) return position
    const recorded = last.positions.find(
      ({ topic, partition, offset }) =>
        topic === position.topic && partition === position.partition && offset === position.offset,
    )
    return recorded === undefined ? position : { ...position, done: recorded.done }
  })
}

function isSame(a: readonly Position[], b: readonly Position[]): boolean {
  const at = (position: Position) => `${position.topic}-${position.partition}`
  const offsets = new Map(b.map((position) => [at(position), position.offset]))
  return a.every((position) => offsets.get(at(position)) === position.offset)
}
