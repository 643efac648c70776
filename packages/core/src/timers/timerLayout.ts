import type { TimerDomain } from '../events/EngineEvent.js'
import { int64Length, readInt32, readInt64, writeInt32, writeInt64 } from '../serde/int64.js'
import {
  endOfEscaped,
  escapedLength,
  readEscaped,
  readText,
  textLength,
  writeEscaped,
  writeText,
} from './orderedBytes.js'
import type { TimerPosition } from './PendingTimer.js'

/** The byte form's version: the first byte of every key. */
export const timerLayoutVersion = 1

/*
 * version ∥ section ∥ …
 *   0 header   → TimerHeader
 *   1 due      ∥ domain ∥ lane int32 ∥ at int64 ∥ key ∥ name   → run int32 ∥ sequence int64
 *   2 named    ∥ domain ∥ key ∥ name                           → at int64
 *   3 count    ∥ domain ∥ lane int32                           → int64
 *   4 stranded ∥ identity ∥ domain ∥ at int64 ∥ key ∥ name     → as due
 *
 * Key and name: the escaped key (orderedBytes.ts), then 00 00 for an unnamed timer, 00 01 and the name for a named one.
 * So the due ones of a lane lie in firing order (T5), an unnamed timer is found by key and time, and the second index
 * is there only for named ones, which are found without knowing their time (T2).
 */
const section = { header: 0, due: 1, named: 2, count: 3, stranded: 4 } as const

const domains: readonly TimerDomain[] = ['event-time', 'processing-time']
const laneHeadLength = 7
/** Where a key of the due index has its time, … */
export const dueTimeOffset = laneHeadLength
/** … and key and name: its tail. */
export const dueTailOffset: number = laneHeadLength + int64Length
const unnamed = 0
const named = 1

export const headerKey: Uint8Array = Uint8Array.of(timerLayoutVersion, section.header)

/** All keys of one lane's due index begin with this. */
export function duePrefix(domain: TimerDomain, lane: number): Uint8Array {
  return laneHead(section.due, domain, lane)
}

export function countKey(domain: TimerDomain, lane: number): Uint8Array {
  return laneHead(section.count, domain, lane)
}

/** @param prefix of the lane, from `duePrefix` */
export function dueKey(prefix: Uint8Array, timer: TimerPosition): Uint8Array {
  return timed(prefix, timer)
}

export function readDueKey(
  stored: Uint8Array,
): TimerPosition & { readonly domain: TimerDomain; readonly lane: number } {
  const { at, keyBytes, name } = readTimed(stored, laneHeadLength)
  return { domain: domainAt(stored, 2), lane: readInt32(stored, 3), at, keyBytes, name }
}

/** The name behind the escaped key that ends here, up to the end of the tail; undefined when there is none. */
export function readName(bytes: Uint8Array, keyEnd: number, end: number): string | undefined {
  return isNamedAt(bytes, keyEnd) ? readText(bytes, keyEnd + 2, end) : undefined
}

/** Whether there is a name behind the escaped key that ends here. */
export function isNamedAt(bytes: Uint8Array, keyEnd: number): boolean {
  return bytes[keyEnd + 1] === named
}

/** Writes what follows the escaped key that ends here. @returns where that ends */
export function writeTailAt(bytes: Uint8Array, keyEnd: number, name: string | undefined): number {
  bytes[keyEnd] = 0
  bytes[keyEnd + 1] = name === undefined ? unnamed : named
  return name === undefined ? keyEnd + 2 : writeText(bytes, keyEnd + 2, name)
}

/** The least key of a lane's due index whose time is at least `at`. */
export function dueFrom(prefix: Uint8Array, at: number): Uint8Array {
  const bytes = new Uint8Array(prefix.length + int64Length)
  bytes.set(prefix)
  writeInt64(bytes, prefix.length, at)
  return bytes
}

export function namedPrefix(domain: TimerDomain): Uint8Array {
  return Uint8Array.of(timerLayoutVersion, section.named, domains.indexOf(domain))
}

export function namedKey(domain: TimerDomain, keyBytes: Uint8Array, name: string): Uint8Array {
  const bytes = new Uint8Array(3 + tailLength(keyBytes, name))
  bytes.set(namedPrefix(domain))
  writeTail(bytes, 3, keyBytes, name)
  return bytes
}

/** All stranded timers that this serde identity has written begin with this. */
export function strandedPrefix(serde: { readonly id: string; readonly version: number }): Uint8Array {
  const id = new Uint8Array(textLength(serde.id))
  writeText(id, 0, serde.id)
  const bytes = new Uint8Array(2 + escapedLength(id) + 6)
  bytes.set([timerLayoutVersion, section.stranded])
  const end = writeEscaped(bytes, 2, id)
  writeInt32(bytes, end + 2, serde.version)
  return bytes
}

export function strandedKey(prefix: Uint8Array, domain: TimerDomain, timer: TimerPosition): Uint8Array {
  return timed(Uint8Array.of(...prefix, domains.indexOf(domain)), timer)
}

/** @param prefix from `strandedPrefix`, with which the key begins */
export function readStrandedKey(
  prefix: Uint8Array,
  stored: Uint8Array,
): TimerPosition & { readonly domain: TimerDomain } {
  return { domain: domainAt(stored, prefix.length), ...readTimed(stored, prefix.length + 1) }
}

/** Bounds of a whole section, for `range`. */
export function sectionRange(name: keyof typeof section): { readonly from: Uint8Array; readonly to: Uint8Array } {
  return prefixRange(Uint8Array.of(timerLayoutVersion, section[name]))
}

/** Bounds of all keys that begin with a prefix. Its first byte, the version, is less than 255, so there is an upper one. */
export function prefixRange(prefix: Uint8Array): { readonly from: Uint8Array; readonly to: Uint8Array } {
  const last = prefix.findLastIndex((byte) => byte < 255)
  const to = prefix.slice(0, last + 1)
  to[last] = (to[last] as number) + 1
  return { from: prefix, to }
}

/** What the due index says of a timer beside its position. */
export interface DueValue {
  /** Which opening of the store registered it: sequences of two runs cannot be compared. */
  readonly run: number
  readonly sequence: number
}

export function writeDueValue({ run, sequence }: DueValue): Uint8Array {
  const bytes = new Uint8Array(4 + int64Length)
  writeInt32(bytes, 0, run)
  writeInt64(bytes, 4, sequence)
  return bytes
}

export function readDueValue(bytes: Uint8Array): DueValue {
  return { run: readInt32(bytes, 0), sequence: readInt64(bytes, 4) }
}

export function int64Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(int64Length)
  writeInt64(bytes, 0, value)
  return bytes
}

function laneHead(which: number, domain: TimerDomain, lane: number): Uint8Array {
  const bytes = new Uint8Array(laneHeadLength)
  bytes.set([timerLayoutVersion, which, domains.indexOf(domain)])
  writeInt32(bytes, 3, lane)
  return bytes
}

function domainAt(stored: Uint8Array, offset: number): TimerDomain {
  return domains[stored[offset] as number] as TimerDomain
}

function timed(prefix: Uint8Array, { at, keyBytes, name }: TimerPosition): Uint8Array {
  const bytes = new Uint8Array(prefix.length + int64Length + tailLength(keyBytes, name))
  bytes.set(prefix)
  writeInt64(bytes, prefix.length, at)
  writeTail(bytes, prefix.length + int64Length, keyBytes, name)
  return bytes
}

function readTimed(stored: Uint8Array, offset: number): TimerPosition {
  const keyStart = offset + int64Length
  const keyEnd = endOfEscaped(stored, keyStart)
  return {
    at: readInt64(stored, offset),
    keyBytes: readEscaped(stored, keyStart, keyEnd),
    name: readName(stored, keyEnd, stored.length),
  }
}

function tailLength(keyBytes: Uint8Array, name: string | undefined): number {
  return escapedLength(keyBytes) + 2 + (name === undefined ? 0 : textLength(name))
}

function writeTail(bytes: Uint8Array, offset: number, keyBytes: Uint8Array, name: string | undefined): void {
  writeTailAt(bytes, writeEscaped(bytes, offset, keyBytes), name)
}
