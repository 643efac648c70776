import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { Position } from '../RecordLog.js'
import { lostState } from '../reading/lostState.js'
import { checkState } from './checkState.js'
import type { Lasting } from './Incarnation.js'

/**
 * State in memory that begins empty behind a log that does not is told of; any other has to be that of the log (E13).
 * A log without epoch records cannot tell.
 *
 * @returns what is lost, to be told; undefined when nothing is
 * @throws StreamError STATE_MISMATCH
 */
export function holdStateToLog(
  lasting: Lasting,
  last: EpochRecord | undefined,
  assignment: readonly Position[],
): string | undefined {
  const { options, backend, isFirst } = lasting
  const { topology, log, state } = options
  if (isFirst && state === undefined) {
    lasting.emptyAt = last?.epoch
    return lostState(topology, assignment)
  }
  if (log.internal === undefined) return undefined
  checkState({ topology, stateEpoch: backend.committedEpoch ?? lasting.emptyAt, last, assignment })
  return undefined
}
