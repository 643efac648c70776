import { StreamError } from '../errors/StreamError.js'
import { serdeById } from '../serde/builtInSerdes.js'
import type { Serde } from '../serde/Serde.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import {
  type ConvertKey,
  checkConversion,
  countPending,
  countStranded,
  keyConversion,
  type LaneOfKey,
  relane,
  revive,
  strand,
} from './convertTimers.js'
import { StoredTimers } from './StoredTimers.js'
import { readHeader, sameIdentity, type TimerHeader, type TimerSerdeIdentity, writeHeader } from './timerHeader.js'
import { timerLayoutVersion } from './timerLayout.js'

/** `timers.serde-change` (T9). */
export type TimerSerdeChange = 'refuse' | 'strand' | 'migrate'

/** A timer key serde and the version of what it writes; 1 when it has only ever written one form. */
export interface VersionedSerde {
  readonly serde: Serde<any>
  readonly version?: number
}

export interface OpenTimersOptions {
  /** The processor, for messages. */
  readonly node: string
  /** The timer key serde as it is now (T4). */
  readonly key: VersionedSerde
  /** Lanes of the processor's sub-topology. */
  readonly lanes: number
  /** The lane of a key as its serde writes it: 0 … `lanes` − 1. */
  readonly laneOf: LaneOfKey
  readonly onSerdeChange: TimerSerdeChange
  /** What wrote the timers before, for `migrate`. A built-in serde need not be given. */
  readonly oldKey?: VersionedSerde
}

export interface OpenedTimers {
  readonly timers: StoredTimers
  /** How many timers were migrated by this opening. */
  readonly migrated: number
  /** How many timers lie stranded, from now and from before. They do not fire. */
  readonly stranded: number
  /** What wrote the store before, when it was another serde than now. */
  readonly previous?: TimerSerdeIdentity
}

/**
 * Opens a processor's timers, after all of the store is restored (T8), and holds them to the serde that wrote them
 * (T9): nothing is ever decoded as a different key. A store without pending timers takes the new serde over.
 *
 * Opening writes: the header, and whatever the serde change or another number of lanes moves. With an epoch store it
 * belongs to the open epoch.
 *
 * @throws StreamError TIMER_SERDE_CHANGED when the serde changed under pending timers and the policy is `refuse`, or
 *   it is `migrate` and the old serde is not known or a key cannot be converted; then nothing was written
 * @throws StreamError STORE_INVALID when the store holds something else than timers of this version
 */
export function openTimers(store: OrderedByteStore, options: OpenTimersOptions): OpenedTimers {
  const now = identityOf(options.key)
  const header = headerOf(store, options.node)
  const previous = header !== undefined && !sameIdentity(header.serde, now) ? header.serde : undefined
  const pending = previous === undefined ? 0 : countPending(store)
  if (previous !== undefined && pending > 0 && options.onSerdeChange === 'refuse') {
    throw refusal(options, previous, pending)
  }
  const migration = migrationOf(store, options, previous, pending)
  const run = (header?.opened ?? 0) + 1
  if (previous !== undefined) strand(store, previous)
  else if (header !== undefined && header.lanes !== options.lanes) relane(store, options.laneOf)
  writeHeader(store, { serde: now, lanes: options.lanes, opened: run })
  const timers = new StoredTimers(store, run)
  const migrated =
    migration === undefined ? 0 : revive(store, migration.from, timers, migration.convert, options.laneOf)
  timers.flush()
  return { timers, migrated, stranded: countStranded(store), ...(previous !== undefined && { previous }) }
}

interface Migration {
  readonly from: TimerSerdeIdentity
  readonly convert: ConvertKey
}

/** What is to be migrated, with every key tried out; undefined when nothing is. */
function migrationOf(
  store: OrderedByteStore,
  options: OpenTimersOptions,
  previous: TimerSerdeIdentity | undefined,
  pending: number,
): Migration | undefined {
  if (options.onSerdeChange !== 'migrate') return undefined
  const old = oldKeyOf(options, previous)
  if (old === undefined) {
    if (previous === undefined || pending === 0) return undefined
    throw unknownOldSerde(options, previous, pending)
  }
  const migration = { from: identityOf(old), convert: keyConversion(options.node, old.serde, options.key.serde) }
  checkConversion(store, migration.from, migration.convert, previous !== undefined)
  return migration
}

function oldKeyOf({ oldKey }: OpenTimersOptions, previous: TimerSerdeIdentity | undefined): VersionedSerde | undefined {
  if (previous === undefined) return oldKey
  if (oldKey !== undefined && sameIdentity(identityOf(oldKey), previous)) return oldKey
  const builtIn = previous.version === 1 ? serdeById(previous.id) : undefined
  return builtIn && { serde: builtIn }
}

function identityOf({ serde, version = 1 }: VersionedSerde): TimerSerdeIdentity {
  return { id: serde.id, version }
}

function headerOf(store: OrderedByteStore, node: string): TimerHeader | undefined {
  for (const reverse of [false, true]) {
    for (const [key] of store.range({ reverse })) {
      if (key[0] === timerLayoutVersion) break
      throw new StreamError(
        `The timer store of "${node}" is written in version ${key[0] ?? 'none'} and this engine reads version ` +
          `${timerLayoutVersion}. Run the version of Lanescope that wrote it, or delete the store with its changelog.`,
        { code: 'STORE_INVALID', kind: 'operational', retriable: false, context: { node } },
      )
    }
  }
  return readHeader(store)
}

function refusal({ node, key }: OpenTimersOptions, previous: TimerSerdeIdentity, pending: number): StreamError {
  return changed(
    node,
    `${changeText(node, key, previous, pending)} Declare "${previous.id}" again, or set timers.serde-change to ` +
      '"migrate" to convert them, or to "strand" to leave them unfired.',
  )
}

function unknownOldSerde({ node, key, oldKey }: OpenTimersOptions, previous: TimerSerdeIdentity, pending: number) {
  const given = oldKey === undefined ? 'no old serde was given' : `the old serde given is ${nameOf(identityOf(oldKey))}`
  return changed(
    node,
    `${changeText(node, key, previous, pending)} timers.serde-change is "migrate", but ${given}. ` +
      `Give ${nameOf(previous)}.`,
  )
}

function changeText(node: string, key: VersionedSerde, previous: TimerSerdeIdentity, pending: number): string {
  const timers = pending === 1 ? 'One timer is' : `${pending} timers are`
  return (
    `The key serde of the timers of "${node}" changed from ${nameOf(previous)} to ${nameOf(identityOf(key))}. ${timers} ` +
    'pending, and read by the new serde their bytes could name other keys.'
  )
}

function nameOf({ id, version }: TimerSerdeIdentity): string {
  return version === 1 ? `"${id}"` : `"${id}" version ${version}`
}

function changed(node: string, message: string): StreamError {
  return new StreamError(message, { code: 'TIMER_SERDE_CHANGED', kind: 'user', retriable: false, context: { node } })
}
