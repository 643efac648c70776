/** Pairs each of what is gone with the first of what has come that is like it, each at most once. */
export function pairRenamed<T>(
  gone: readonly T[],
  come: readonly T[],
  isAlike: (one: T, other: T) => boolean,
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>()
  const taken = new Set<T>()
  for (const old of gone) {
    const now = come.find((other) => !taken.has(other) && isAlike(old, other))
    if (now === undefined) continue
    pairs.set(old, now)
    taken.add(now)
  }
  return pairs
}
