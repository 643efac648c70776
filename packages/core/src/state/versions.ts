import { compareBytes } from '../model/bytes.js'
import { int64Length, readInt64, writeInt64 } from '../serde/int64.js'

/** A value of one key and the time from which it held; without a value it was deleted then. Times in ms. */
export interface Version {
  readonly from: number
  readonly value: Uint8Array | undefined
}

/** A version that a newer one has ended. `from` equals `to` where only the end is known: the key was deleted then. */
export interface EndedVersion extends Version {
  readonly to: number
}

/** The row of an ended version: its key, then the time at which it ended; so the versions of a key lie in order. */
export function endedRow(keyBytes: Uint8Array, to: number): Uint8Array {
  const row = new Uint8Array(keyBytes.length + int64Length)
  row.set(keyBytes)
  writeInt64(row, keyBytes.length, to)
  return row
}

export function endOf(row: Uint8Array): number {
  return readInt64(row, row.length - int64Length)
}

/** Whether a row is one of this key's, and not of a longer one that begins alike. */
export function isRowOf(row: Uint8Array, keyBytes: Uint8Array): boolean {
  return row.length === keyBytes.length + int64Length && compareBytes(row.subarray(0, keyBytes.length), keyBytes) === 0
}

/** When a version began, whether it has a value, and that. */
export function versionBytes({ from, value }: Version): Uint8Array {
  const bytes = new Uint8Array(int64Length + 1 + (value?.length ?? 0))
  writeInt64(bytes, 0, from)
  if (value === undefined) return bytes
  bytes[int64Length] = 1
  bytes.set(value, int64Length + 1)
  return bytes
}

export function versionOf(bytes: Uint8Array): Version {
  const from = readInt64(bytes, 0)
  return { from, value: bytes[int64Length] === 1 ? bytes.subarray(int64Length + 1) : undefined }
}
