import { crc32 } from 'node:zlib'
import type { ChangelogMark } from '@lanescope/core'
import type { RunHead } from './Run.js'

/** The version of everything below, of entries, pages and indexes of runs. 1 was pages as values of the database. */
export const STATE_FORMAT = 2

/*
 *   0                        → StateHead, JSON
 *   1 ∥ name, UTF-8          → StoreHead, JSON
 *   3 ∥ number uint48        → piece of the log (logPieces.ts)
 *   4 ∥ number of run int32  → RunHead, JSON
 *
 * Behind each value are four bytes: the CRC-32 of key and value.
 */
const HEAD = 0
const STORE = 1
const PIECE = 3
const RUN = 4

export interface StateHead {
  readonly format: number
  /** Null: what is there is no whole state. */
  readonly epoch: number | null
  readonly marks: { readonly [topic: string]: ChangelogMark }
  /** The next id that no store has had. */
  readonly nextId: number
  /** The pieces of the log that are in no run: from ≤ number < to. */
  readonly log: readonly [from: number, to: number]
  /** How many runs there are. */
  readonly runs: number
}

export interface StoreHead {
  readonly id: number
  readonly size: number
  readonly bytes: number
}

export const headKey = Uint8Array.of(HEAD)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export function storeKey(name: string): Uint8Array {
  return Uint8Array.of(STORE, ...encoder.encode(name))
}

export function storeNameOf(key: Uint8Array): string {
  return decoder.decode(key.subarray(1))
}

/** Bounds of all store heads. */
export const storeHeads = { gte: Uint8Array.of(STORE), lt: Uint8Array.of(STORE + 1) } as const
/** Bounds of all heads of runs. */
export const runHeads = { gte: Uint8Array.of(RUN), lt: Uint8Array.of(RUN + 1) } as const
/** Bounds of the whole log. */
export const allPieces = { gte: Uint8Array.of(PIECE), lt: Uint8Array.of(PIECE + 1) } as const

export function pieceKey(number: number): Uint8Array {
  const key = new Uint8Array(7)
  key[0] = PIECE
  const view = new DataView(key.buffer)
  view.setUint16(1, Math.floor(number / 2 ** 32))
  view.setUint32(3, number % 2 ** 32)
  return key
}

export function runKey(run: number): Uint8Array {
  const key = new Uint8Array(5)
  key[0] = RUN
  new DataView(key.buffer).setUint32(1, run)
  return key
}

/** A value with its checksum. */
export function seal(key: Uint8Array, value: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(value.length + 4)
  sealed.set(value)
  return sealInPlace(key, sealed)
}

/** Puts the checksum into the last four bytes. */
export function sealInPlace(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  const length = sealed.length - 4
  const checksum = crc32(sealed.subarray(0, length), crc32(key))
  new DataView(sealed.buffer, sealed.byteOffset).setUint32(length, checksum)
  return sealed
}

/** Whether the checksum is that of key and value. */
export function isSealed(key: Uint8Array, sealed: Uint8Array): boolean {
  const length = sealed.length - 4
  if (length < 0) return false
  const checksum = new DataView(sealed.buffer, sealed.byteOffset).getUint32(length)
  return checksum === crc32(sealed.subarray(0, length), crc32(key))
}

export function toJsonBytes(value: StateHead | StoreHead | RunHead): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** @throws SyntaxError or TypeError when these are no JSON bytes */
export function fromJsonBytes(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes))
}
