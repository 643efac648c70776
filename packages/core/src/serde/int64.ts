const two32 = 4294967296

/** How many bytes an int64 takes. */
export const int64Length = 8

/**
 * Writes an integer as a signed big-endian int64, by two uint32 halves: no BigInt per record (W1).
 *
 * @param value an integer within ±2^53; the caller has checked that
 */
export function writeInt64(bytes: Uint8Array, offset: number, value: number): void {
  writeInt32(bytes, offset, Math.floor(value / two32))
  writeInt32(bytes, offset + 4, value)
}

/**
 * Reads a signed big-endian int64 as a number, exact within ±(2^53−1). Beyond that the result is
 * rounded but never a safe integer, so that `Number.isSafeInteger` tells (W1).
 */
export function readInt64(bytes: Uint8Array, offset: number): number {
  return readInt32(bytes, offset) * two32 + (readInt32(bytes, offset + 4) >>> 0)
}

/** Writes the low 32 bits of an integer, big-endian. */
export function writeInt32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24
  bytes[offset + 1] = value >>> 16
  bytes[offset + 2] = value >>> 8
  bytes[offset + 3] = value
}

/** Reads a signed big-endian int32. */
export function readInt32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] as number) << 24) |
    ((bytes[offset + 1] as number) << 16) |
    ((bytes[offset + 2] as number) << 8) |
    (bytes[offset + 3] as number)
  )
}
