import type { Headers } from '../../model/Headers.js'
import type { Serde } from '../../serde/Serde.js'
import { topologyError } from '../topologyError.js'
import type { MissedTicks, Schedule } from './Schedule.js'
import { validateSchedule } from './validateSchedule.js'

/** One moment of a schedule. */
export interface Tick {
  /** The scheduled time in ms since 1970, not the time at which it is emitted. */
  readonly at: number
}

/** A record that a scheduled source makes. */
export interface ScheduledRecord<K, V> {
  readonly key: K
  readonly value: V
  /** Ms. Not given: the smallest event clock among the nodes it reaches that also read topics, else the tick's (T12). */
  readonly timestamp?: number
  readonly headers?: Headers
}

/**
 * Makes the records of a tick, synchronously. After an abort or a restart it is called again for the same tick:
 * what it gives then is what counts.
 */
export type EmitScheduled<K, V> = (tick: Tick) => Iterable<ScheduledRecord<K, V>>

export interface ScheduledOptions<K, V> {
  /** Writes the bytes that pick a record's lane (L4), and is declared for the keys behind the source (B2, T4). */
  readonly keySerde: Serde<K>
  /** Declared for the values behind the source. */
  readonly valueSerde?: Serde<V>
  /** Default: `one`. */
  readonly missed?: MissedTicks
  /** Lanes of the sub-topology that this source enters (L5). At least 1. */
  readonly numberOfLanes?: number
}

/** A schedule, and what is made of it. */
export interface ScheduleDefinition {
  readonly schedule: Schedule
  readonly emit: EmitScheduled<any, any>
  readonly keySerde: Serde<any>
  readonly missed: MissedTicks
}

const policies: readonly MissedTicks[] = ['one', 'all', 'skip']

/** @throws StreamError TOPOLOGY_INVALID for a schedule, emit or option that cannot work */
export function defineSchedule<K, V>(
  node: string,
  schedule: Schedule,
  emit: EmitScheduled<K, V>,
  { keySerde, missed = 'one' }: ScheduledOptions<K, V>,
): ScheduleDefinition {
  const problem = validateSchedule(schedule)
  if (problem !== undefined) throw topologyError(`The schedule of "${node}" is wrong. ${problem}`, { node })
  if (typeof emit !== 'function') {
    throw topologyError(`The scheduled source "${node}" needs a function that makes the records of a tick.`, { node })
  }
  if (typeof keySerde?.serialize !== 'function') {
    throw topologyError(
      `The scheduled source "${node}" needs a keySerde: the bytes it writes pick the lane of a record (L4).`,
      { node },
    )
  }
  if (!policies.includes(missed)) {
    throw topologyError(`"missed" of "${node}" must be one of ${policies.join(', ')}; got "${missed}".`, { node })
  }
  return { schedule, emit, keySerde, missed }
}
