/**
 * MurmurHash3 x86 32-bit with seed 0, as an unsigned 32-bit number. The lane hash (L2).
 * Kafka's partitioner uses another hash on purpose; see murmur2.
 */
export function murmur3(bytes: Uint8Array): number {
  const length = bytes.length
  const blocks = length & ~3
  let h = 0
  let k: number
  for (let i = 0; i < blocks; i += 4) {
    k =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  k = 0
  const tail = length & 3
  if (tail === 3) k ^= (bytes[blocks + 2] as number) << 16
  if (tail >= 2) k ^= (bytes[blocks + 1] as number) << 8
  if (tail >= 1) {
    k ^= bytes[blocks] as number
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
  }
  h ^= length
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  return h >>> 0
}

/** The lane of a key: `(murmur3(keyBytes) & 0x7fffffff) % laneCount` (L2). */
export function laneOf(keyBytes: Uint8Array, laneCount: number): number {
  return (murmur3(keyBytes) & 0x7fffffff) % laneCount
}
