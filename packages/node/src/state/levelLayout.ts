import { crc32 } from 'node:zlib'
import { type ChangelogMark, compareBytes } from '@lanescope/core'

/** The version of everything below. */
export const STATE_FORMAT = 2

/*
 *   0                                → StateHead, JSON
 *   1 ∥ name, UTF-8                  → StoreHead, JSON
 *   2 ∥ store id int32 ∥ first key   → page (page.ts)
 *
 * Behind each value are four bytes: the CRC-32 of key and value. A store's first page has the empty key, whatever its
 * first entry is, so that every key has a page to be in.
 */
const HEAD = 0
const STORE = 1
const PAGE = 2
const PAGE_HEAD = 5

export interface StateHead {
  readonly format: number
  /** Null: what is there is no whole state. */
  readonly epoch: number | null
  readonly marks: { readonly [topic: string]: ChangelogMark }
  /** The next id that no store has had. */
  readonly nextId: number
}

export interface StoreHead {
  readonly id: number
  readonly size: number
  readonly bytes: number
  /** How many pages it has. */
  readonly pages: number
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
/** Bounds of all pages. */
export const allPages = { gte: Uint8Array.of(PAGE), lt: Uint8Array.of(PAGE + 1) } as const

export function pageKey(id: number, first: Uint8Array): Uint8Array {
  const key = new Uint8Array(PAGE_HEAD + first.length)
  key[0] = PAGE
  new DataView(key.buffer).setUint32(1, id)
  key.set(first, PAGE_HEAD)
  return key
}

/** Bounds of a store's pages. */
export function pagesOf(id: number): { readonly gte: Uint8Array; readonly lt: Uint8Array } {
  const none = new Uint8Array(0)
  return { gte: pageKey(id, none), lt: pageKey(id + 1, none) }
}

export function readPageKey(key: Uint8Array): { readonly id: number; readonly first: Uint8Array } {
  const id = new DataView(key.buffer, key.byteOffset).getUint32(1)
  return { id, first: key.slice(PAGE_HEAD) }
}

/** A value with its checksum. */
export function seal(key: Uint8Array, value: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(value.length + 4)
  sealed.set(value)
  new DataView(sealed.buffer).setUint32(value.length, crc32(value, crc32(key)))
  return sealed
}

/** A value with its checksum, as a part of a batch. */
export interface Put {
  readonly type: 'put'
  readonly key: Uint8Array
  readonly value: Uint8Array
}

export function sealed(key: Uint8Array, value: Uint8Array): Put {
  return { type: 'put', key, value: seal(key, value) }
}

/** The value, or undefined when its checksum is wrong. */
export function unseal(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  const length = sealed.length - 4
  if (length < 0) return undefined
  // A copy: the store's own buffer is not ours to keep.
  const value = new Uint8Array(sealed.subarray(0, length))
  const checksum = new DataView(sealed.buffer, sealed.byteOffset).getUint32(length)
  return checksum === crc32(value, crc32(key)) ? value : undefined
}

export function toJsonBytes(value: StateHead | StoreHead): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** @throws SyntaxError or TypeError when these are no JSON bytes */
export function fromJsonBytes(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes))
}

export function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  return compareBytes(a, b) < 0
}
