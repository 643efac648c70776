import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { Position } from '../RecordLog.js'

/**
 * State and timers of this version live in memory: a run that goes on from a committed position starts without them.
 *
 * @returns what to tell about it; undefined when nothing is lost
 */
export function lostState(topology: CompiledTopology, assignment: readonly Position[]): string | undefined {
  const kept = topology.stores.map((store) => `store "${store.name}"`)
  for (const node of topology.nodes) if (node.timers.length > 0) kept.push(`timers of "${node.name}"`)
  const resumed = assignment.filter((position) => position.offset > 0 || position.done.length > 0)
  if (kept.length === 0 || resumed.length === 0) return undefined
  const from = resumed.map((position) => `${position.topic}-${position.partition} @ ${position.offset}`).join(', ')
  return (
    `This run goes on from ${from}, but state is kept in memory in this version, so it starts empty: ${kept.join(', ')}. ` +
    'Reset the log, or the application, to count from the beginning.'
  )
}
