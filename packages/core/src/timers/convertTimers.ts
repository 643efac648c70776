import { StreamError } from '../errors/StreamError.js'
import type { TimerDomain } from '../events/EngineEvent.js'
import { equalBytes, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import type { Serde } from '../serde/Serde.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import type { StoredTimers } from './StoredTimers.js'
import type { TimerSerdeIdentity } from './timerHeader.js'
import {
  countKey,
  dueKey,
  duePrefix,
  int64Bytes,
  prefixRange,
  readDueKey,
  readStrandedKey,
  sectionRange,
  strandedKey,
  strandedPrefix,
} from './timerLayout.js'

/** So many timers are held back at most while they are revived: there may be millions. */
const flushedEvery = 10_000

export type ConvertKey = (keyBytes: Uint8Array) => Uint8Array
export type LaneOfKey = (keyBytes: Uint8Array) => number

/** How many timers are pending, over all domains and lanes. */
export function countPending(store: OrderedByteStore): number {
  return countRange(store, sectionRange('due'))
}

/** How many timers lie stranded, whichever serde wrote them. */
export function countStranded(store: OrderedByteStore): number {
  return countRange(store, sectionRange('stranded'))
}

/** Moves every timer to the lane that its key has now: the number of lanes is another one than when it was stored. */
export function relane(store: OrderedByteStore, laneOf: LaneOfKey): void {
  const counts = new Map<string, { readonly domain: TimerDomain; readonly lane: number; count: number }>()
  for (const [stored] of store.range(sectionRange('due'))) {
    const { domain, keyBytes } = readDueKey(stored)
    const lane = laneOf(keyBytes)
    const known = counts.get(`${domain} ${lane}`)
    if (known === undefined) counts.set(`${domain} ${lane}`, { domain, lane, count: 1 })
    else known.count++
  }
  // One that moves ahead of this walk is met again, and then stays.
  for (const [stored, value] of store.range(sectionRange('due'))) {
    const timer = readDueKey(stored)
    const lane = laneOf(timer.keyBytes)
    if (lane === timer.lane) continue
    store.put(dueKey(duePrefix(timer.domain, lane), timer), value)
    store.delete(stored)
  }
  deleteAll(store, sectionRange('count'))
  for (const { domain, lane, count } of counts.values()) store.put(countKey(domain, lane), int64Bytes(count))
}

/** Puts all pending timers aside, under the identity of the serde that wrote them (T9 `strand`). */
export function strand(store: OrderedByteStore, serde: TimerSerdeIdentity): void {
  const prefix = strandedPrefix(serde)
  for (const [stored, value] of store.range(sectionRange('due'))) {
    const timer = readDueKey(stored)
    store.put(strandedKey(prefix, timer.domain, timer), value)
    store.delete(stored)
  }
  deleteAll(store, sectionRange('named'))
  deleteAll(store, sectionRange('count'))
}

/**
 * Makes the stranded timers of a serde pending again, with converted keys (T9 `migrate`). One whose name is pending
 * for its key by now stays where it is: the newer one counts (T2).
 *
 * @returns how many are pending now that were not
 */
export function revive(
  store: OrderedByteStore,
  serde: TimerSerdeIdentity,
  timers: StoredTimers,
  convert: ConvertKey,
  laneOf: LaneOfKey,
): number {
  const prefix = strandedPrefix(serde)
  let revived = 0
  for (const [stored] of store.range(prefixRange(prefix))) {
    const { domain, at, keyBytes, name } = readStrandedKey(prefix, stored)
    const converted = convert(keyBytes)
    const lane = timers.lane(domain, laneOf(converted))
    if (name !== undefined && lane.has(converted, at, name)) continue
    lane.register(converted, at, name, -1)
    store.delete(stored)
    if (++revived % flushedEvery === 0) timers.flush()
  }
  return revived
}

/**
 * Converts every key that `migrate` would convert, and changes nothing: so that a key that cannot be refuses all.
 *
 * @param withPending whether the pending timers are written by that serde too
 */
export function checkConversion(
  store: OrderedByteStore,
  serde: TimerSerdeIdentity,
  convert: ConvertKey,
  withPending: boolean,
): void {
  const prefix = strandedPrefix(serde)
  if (withPending) for (const [stored] of store.range(sectionRange('due'))) convert(readDueKey(stored).keyBytes)
  for (const [stored] of store.range(prefixRange(prefix))) convert(readStrandedKey(prefix, stored).keyBytes)
}

/**
 * Reads with one serde and writes with another. A key that does not come back as the same bytes is refused: the old
 * serde is not the one that wrote it, or the new one cannot tell it from another key.
 */
export function keyConversion(node: string, from: Serde<any>, to: Serde<any>): ConvertKey {
  return (keyBytes) => {
    const back = (bytes: Uint8Array) => from.serialize('', Headers.empty, to.deserialize('', Headers.empty, bytes))
    try {
      const converted = to.serialize('', Headers.empty, from.deserialize('', Headers.empty, keyBytes))
      if (equalBytes(back(converted), keyBytes)) return converted
    } catch (cause) {
      throw notConvertible(node, from, to, keyBytes, `it cannot be read or written: ${textOf(cause)}`, cause)
    }
    throw notConvertible(node, from, to, keyBytes, 'reading it back gives other bytes')
  }
}

function notConvertible(
  node: string,
  from: Serde<any>,
  to: Serde<any>,
  keyBytes: Uint8Array,
  what: string,
  cause?: unknown,
): StreamError {
  const message =
    `A timer key of "${node}" cannot be migrated from the serde "${from.id}" to "${to.id}": ${what} ` +
    `(key bytes ${toHex(keyBytes, ' ')}). No timer was changed. Hand in the serde that wrote it, whose values the ` +
    'new one can write, or set timers.serde-change to "strand".'
  return new StreamError(message, {
    code: 'TIMER_SERDE_CHANGED',
    kind: 'user',
    retriable: false,
    context: { node },
    ...(cause !== undefined && { cause }),
  })
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function countRange(store: OrderedByteStore, range: { readonly from: Uint8Array; readonly to: Uint8Array }): number {
  let count = 0
  for (const _ of store.range(range)) count++
  return count
}

function deleteAll(store: OrderedByteStore, range: { readonly from: Uint8Array; readonly to: Uint8Array }): void {
  for (const [key] of store.range(range)) store.delete(key)
}
