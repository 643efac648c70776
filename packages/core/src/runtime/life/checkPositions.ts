import { StreamError } from '../../errors/StreamError.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { Position, StartingPosition } from '../RecordLog.js'

/**
 * Holds the committed positions against those of the last epoch before anything is read (E13): state and positions
 * come from the same epoch, or records would count twice, or never, and nobody would know.
 *
 * @param onGap `source.offset-gap`
 * @throws StreamError STATE_MISMATCH naming each gap in records, which no restart mends
 */
export function checkPositions(
  topology: CompiledTopology,
  last: EpochRecord,
  assignment: readonly Position[],
  onGap: 'refuse' | 'accept',
): void {
  const kept = keptIn(topology)
  if (kept.length === 0 || onGap === 'accept') return
  const moved = gaps(last.positions, assignment)
  if (moved.length === 0) return
  throw new StreamError(
    `The state is that of epoch ${last.epoch}, but the committed positions are not: ${moved.join(', ')}. ` +
      `To go on would make ${kept.join(', ')} wrong. Set the positions back to those, reset the application so that its ` +
      'state begins anew as well, or accept the gap with source.offset-gap: accept.',
    { code: 'STATE_MISMATCH', kind: 'operational', retriable: false },
  )
}

/**
 * Refuses to read on where the log no longer has what comes next (E13): records that nobody has seen would be passed
 * over, and nobody would know.
 *
 * @param onGap `source.offset-gap`
 * @returns what to tell of gaps that are accepted, one line each
 * @throws StreamError STATE_MISMATCH naming each gap in records, which no restart mends
 */
export function checkInLog(assignment: readonly StartingPosition[], onGap: 'refuse' | 'accept'): readonly string[] {
  const lost = assignment.filter(({ outside }) => outside !== undefined).map(outsideText)
  if (lost.length === 0 || onGap === 'accept') return lost.map((text) => `${text}. Reading goes on at its beginning.`)
  throw new StreamError(
    `The log does not hold the committed positions any more: ${lost.join('; ')}. ` +
      'Bring the records back, reset the application to begin anew, or go on without them with source.offset-gap: accept.',
    { code: 'STATE_MISMATCH', kind: 'operational', retriable: false },
  )
}

function outsideText({ topic, partition, outside }: StartingPosition): string {
  const { committed, start, end, madeAnew } = outside as NonNullable<StartingPosition['outside']>
  if (madeAnew) {
    return `${topic}-${partition} was read to ${committed} and was made anew: it is another topic of this name, with ${end - start} records from ${start} on`
  }
  return committed < start
    ? `${topic}-${partition} was read to ${committed} and begins at ${start}: ${start - committed} records in between are deleted`
    : `${topic}-${partition} was read to ${committed} and ends at ${end}: it was made anew, or has lost ${committed - end} records`
}

/** Whether somebody has worked on this partition before. */
export function isResumed({ offset, done }: Position): boolean {
  return offset > 0 || done.length > 0
}

/** What of a topology outlives a record: its stores and its timers, as text. */
export function keptIn(topology: CompiledTopology): readonly string[] {
  // A global store is filled anew at each start.
  const stores = topology.stores.filter(({ global }) => !global).map((store) => `store "${store.name}"`)
  const timers = topology.nodes.filter((node) => node.timers.length > 0).map((node) => `timers of "${node.name}"`)
  return [...stores, ...timers]
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
