/** Kafka's murmur2 with its fixed seed, as a signed 32-bit number, of a part of bytes (`kafka-streams.md` D.1). */
export function murmur2(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const length = end - start
  const blocks = start + (length & ~3)
  let h = 0x9747b28c ^ length
  for (let i = start; i < blocks; i += 4) {
    let k =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    k = Math.imul(k, 0x5bd1e995)
    k ^= k >>> 24
    h = Math.imul(h, 0x5bd1e995) ^ Math.imul(k, 0x5bd1e995)
  }
  const tail = length & 3
  if (tail === 3) h ^= (bytes[blocks + 2] as number) << 16
  if (tail >= 2) h ^= (bytes[blocks + 1] as number) << 8
  if (tail >= 1) {
    h ^= bytes[blocks] as number
    h = Math.imul(h, 0x5bd1e995)
  }
  h ^= h >>> 13
  h = Math.imul(h, 0x5bd1e995)
  return (h ^ (h >>> 15)) | 0
}

/** The partition of a non-null key, as Kafka's Java producer picks it: the hash is masked, never made absolute. */
export function partitionOf(keyBytes: Uint8Array, partitionCount: number, start = 0, end = keyBytes.length): number {
  return (murmur2(keyBytes, start, end) & 0x7fffffff) % partitionCount
}
