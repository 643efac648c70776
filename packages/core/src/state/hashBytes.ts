/**
 * A 32-bit hash of bytes for tables in memory, four bytes at a step, its low bits as good as its high ones. It is
 * stored nowhere, so it may change; lanes and partitions have hashes of their own (L2).
 *
 * @param length how many of the bytes count
 * @param seed what else is hashed with them
 */
export function hashBytes(bytes: Uint8Array, length = bytes.length, seed = length): number {
  const blocks = length & ~3
  let hash = seed
  let i = 0
  for (; i < blocks; i += 4) {
    const block =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    hash = Math.imul(hash ^ block, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; i < length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
