import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { isResumed, keptIn } from '../life/checkState.js'
import type { Position } from '../RecordLog.js'

/**
 * State and timers of this version live in memory: a run that goes on from a committed position starts without them.
 *
 * @returns what to tell about it; undefined when nothing is lost
 */
export function lostState(topology: CompiledTopology, assignment: readonly Position[]): string | undefined {
  const kept = keptIn(topology)
  const resumed = assignment.filter(isResumed)
  if (kept.length === 0 || resumed.length === 0) return undefined
  const from = resumed.map((position) => `${position.topic}-${position.partition} @ ${position.offset}`).join(', ')
  return (
    `This run goes on from ${from}, but state is kept in memory in this version, so it starts empty: ${kept.join(', ')}. ` +
    'Run it from the beginning of its topics to rebuild them.'
  )
}
