import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { isResumed, keptIn } from '../life/checkPositions.js'
import type { Position } from '../RecordLog.js'

/**
 * A run that goes on from a committed position while its state begins empty, because no log or folder has kept it.
 *
 * @returns what to tell about it; undefined when nothing is lost
 */
export function lostState(topology: CompiledTopology, assignment: readonly Position[]): string | undefined {
  const kept = keptIn(topology)
  const resumed = assignment.filter(isResumed)
  if (kept.length === 0 || resumed.length === 0) return undefined
  const from = resumed.map((position) => `${position.topic}-${position.partition} @ ${position.offset}`).join(', ')
  return (
    `This run goes on from ${from}, but nothing has kept its state, so it starts empty: ${kept.join(', ')}. ` +
    'Run it from the beginning of its topics to rebuild them.'
  )
}
