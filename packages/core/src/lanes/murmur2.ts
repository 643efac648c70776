/** Kafka's murmur2 with its fixed seed, as a signed 32-bit number (`kafka-streams.md` D.1). */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length
  const blocks = length & ~3
  let h = 0x9747b28c ^ length
  for (let i = 0; i < blocks; i += 4) {
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
export function partitionOf(keyBytes: Uint8Array, partitionCount: number): number {
  return (murmur2(keyBytes) & 0x7fffffff) % partitionCount
}
