/** Java's `String.hashCode`. */
function hashCode(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

/**
 * The order in which a Java `HashMap` with these keys, put in this order, is walked: table of a power of two from 16,
 * load factor 0.75. Kafka Streams' `describe()` depends on it (`kafka-streams.md` C.6).
 */
export function javaHashOrder(names: readonly string[]): string[] {
  let capacity = 16
  while (names.length > capacity * 0.75) capacity *= 2
  const bucketOf = (name: string) => {
    const hash = hashCode(name)
    return (hash ^ (hash >>> 16)) & (capacity - 1)
  }
  const placed = names.map((name, at) => ({ name, at, bucket: bucketOf(name) }))
  return placed.sort((a, b) => a.bucket - b.bucket || a.at - b.at).map((entry) => entry.name)
}
