/** So many runs of like sizes become one. */
const LIKE_RUNS = 4
/** A look-up, and more so a range, asks every run. */
const MOST_RUNS = 12
/** A run counts as like the newer ones when it is no longer than this many times all of them. */
const LIKENESS = 1.5

/** Which runs, next to each other, are to be made one. */
export interface MergePlan {
  readonly from: number
  readonly to: number
}

/**
 * What to do next: merge runs of like sizes, so that an entry is written anew about once each time that the state has
 * grown fourfold; write a run anew of which most is gone; make all one when most of them has been replaced or deleted.
 *
 * @param runs the newest first: bytes, and those of them that are live
 * @param most bytes that all of them may have, as far as they are live
 */
export function planMerge(
  runs: readonly { readonly bytes: number; readonly live: number }[],
  most: number,
): MergePlan | undefined {
  const all = runs.reduce((sum, { live }) => sum + live, 0)
  if (runs.length > 1 && all > most) return { from: 0, to: runs.length }
  const decayed = runs.findIndex(({ bytes, live }) => 2 * live < bytes)
  if (decayed >= 0) return { from: decayed, to: decayed + 1 }
  for (let from = 0; from < runs.length; from++) {
    let total = (runs[from] as { live: number }).live
    let to = from + 1
    for (; to < runs.length && (runs[to] as { live: number }).live <= LIKENESS * total; to++) {
      total += (runs[to] as { live: number }).live
    }
    if (to - from >= LIKE_RUNS) return { from, to }
  }
  // None is like the newer ones, so the newest are the shortest.
  return runs.length > MOST_RUNS ? { from: 0, to: LIKE_RUNS } : undefined
}

/** What an entry takes in a run beside its key and value: two lengths, and its part of a checksum. */
const ENTRY_BYTES = 3

/** What a merge of all runs would leave of these stores, about. */
export function neededBytes(stores: Iterable<{ readonly size: number; readonly bytes: number }>): number {
  let needed = 0
  for (const { size, bytes } of stores) needed += bytes + ENTRY_BYTES * size
  return needed
}
