import { StreamError } from '../../errors/StreamError.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { Position } from '../RecordLog.js'

export interface StateCheck {
  readonly topology: CompiledTopology
  /** The epoch that the state was last committed with; undefined when it is empty. */
  readonly stateEpoch: number | undefined
  /** The log's last epoch record; undefined while it has none. */
  readonly last: EpochRecord | undefined
  /** Where the log would have the run go on. */
  readonly assignment: readonly Position[]
}

/**
 * Holds the state against the log before anything is read (E13): both have to come from the same epoch, and the run
 * has to go on where that epoch ended. Else records would count twice, or never, and nobody would know.
 *
 * @throws StreamError STATE_MISMATCH, which no restart mends: an epoch that the state has missed cannot be made up for
 * without a changelog
 */
export function checkState({ topology, stateEpoch, last, assignment }: StateCheck): void {
  const kept = keptIn(topology)
  // Whoever has reset the application and deleted its state begins anew, whatever the old epochs were.
  const isNew = stateEpoch === undefined && !assignment.some(isResumed)
  if (kept.length === 0 || isNew) return
  if (stateEpoch !== last?.epoch) {
    throw mismatch(
      `${epochText('The state', stateEpoch)}, but ${epochText('the log', last?.epoch)}: ${whyApart(stateEpoch, last?.epoch)} ` +
        `To go on would make ${kept.join(', ')} wrong. ` +
        'Delete the state and reset the application, so that both begin anew, or bring back the state of that epoch.',
    )
  }
  const moved = last === undefined ? [] : gaps(last.positions, assignment)
  if (moved.length > 0) {
    throw mismatch(
      `The state is that of epoch ${last?.epoch}, but the committed positions are not: ${moved.join(', ')}. ` +
        `To go on would make ${kept.join(', ')} wrong. Delete the state as well, or set the positions back to those.`,
    )
  }
}

/** Whether somebody has worked on this partition before. */
export function isResumed({ offset, done }: Position): boolean {
  return offset > 0 || done.length > 0
}

/** What of a topology outlives a record: its stores and its timers, as text. */
export function keptIn(topology: CompiledTopology): readonly string[] {
  const stores = topology.stores.map((store) => `store "${store.name}"`)
  const timers = topology.nodes.filter((node) => node.timers.length > 0).map((node) => `timers of "${node.name}"`)
  return [...stores, ...timers]
}

function epochText(what: string, epoch: number | undefined): string {
  return epoch === undefined ? `${what} has no committed epoch` : `${what} ends with epoch ${epoch}`
}

function whyApart(state: number | undefined, log: number | undefined): string {
  if ((state ?? 0) > (log ?? 0)) return 'it is the state of another log, or the log has been set back.'
  return 'the process ended between the commit of the log and that of the state, or the state is an older one.'
}

/** Partitions whose position is another one now, with the gap in records. New ones are no gap. */
function gaps(recorded: readonly Position[], assigned: readonly Position[]): readonly string[] {
  const gaps: string[] = []
  for (const { topic, partition, offset } of recorded) {
    const now = assigned.find((position) => position.topic === topic && position.partition === partition)
    if (now === undefined || now.offset === offset) continue
    const records = Math.abs(now.offset - offset)
    gaps.push(
      `${topic}-${partition} goes on at ${now.offset}, ${records} records ${now.offset < offset ? 'before' : 'after'} ${offset}`,
    )
  }
  return gaps
}

function mismatch(message: string): StreamError {
  return new StreamError(message, { code: 'STATE_MISMATCH', kind: 'operational', retriable: false })
}
