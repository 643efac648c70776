import type { Changelogs } from '../changelog/Changelogs.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { LogSession, StartingPosition, TopicInfo } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { InDoubt } from './EpochCommits.js'
import { type EpochRecords, withDoneSets } from './EpochRecords.js'
import type { Lasting } from './Lasting.js'
import { restoreState } from './restoreState.js'

/** What an incarnation begins with. */
export interface TakenOver {
  readonly last: EpochRecord | undefined
  readonly assignment: readonly StartingPosition[]
  readonly changelogs: Changelogs | undefined
}

/** Who takes over. */
interface TakingOver {
  readonly runner: TopologyRunner
  readonly topics: ReadonlyMap<string, TopicInfo>
  /** A stop has been asked for, or this incarnation has failed. */
  readonly isStopping: boolean
}

/**
 * Takes over what the last incarnation has left, in this process or in another: settles the commit that it left in doubt
 * (E9), and brings ticks and state to the last epoch (E5).
 *
 * @throws StreamError STATE_MISMATCH
 */
export async function takeOver(
  lasting: Lasting,
  taker: TakingOver,
  session: LogSession,
  records: EpochRecords,
  inDoubt: InDoubt | undefined,
): Promise<TakenOver> {
  await lasting.backend.recover?.()
  const last = await records.last()
  const assignment = withDoneSets(session.assignment, last)
  if (inDoubt !== undefined && !inDoubt.isSettled) {
    const counts = await records.settle(inDoubt, last, assignment, lasting.backend)
    inDoubt.isSettled = true
    if (counts) {
      lasting.schedules.commit(inDoubt.ticks)
      lasting.counters.addAll(inDoubt.counts)
    }
  }
  lasting.schedules.open(last?.ticks, lasting.options.clock.now())
  const isUnwritten = last === undefined && (await records.isUnwritten())
  const history = { last, isRewound: await records.isRewound(), isUnwritten }
  const changelogs = await restoreState(
    lasting,
    taker.topics,
    history,
    assignment,
    taker.runner.log,
    () => taker.isStopping,
  )
  return { last, assignment, changelogs }
}
