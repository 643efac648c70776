import { compareBytes } from '@lanescope/core'

type Keyed = readonly [key: Uint8Array, ...unknown[]]

/** Bits of a double's 53 that are left for the index, beside four bytes of a key. */
const MOST_ENTRIES = 2 ** 21

/**
 * Entries in the order of their keys; those of one key stay in the order given. A commit sorts all that its epoch has
 * written, so most of the work is left to the sort of numbers that the host has: the first four bytes in which keys
 * differ make a number, and keys are compared only where those are the same.
 *
 * @param most entries beyond this number are sorted by their keys alone; a power of two, at most 2^21
 */
export function inOrder<E extends Keyed>(entries: readonly E[], most = MOST_ENTRIES): E[] {
  const { length } = entries
  if (length > most) return [...entries].sort(byKey)
  const skipped = commonPrefix(entries)
  const numbers = new Float64Array(length)
  for (let i = 0; i < length; i++) numbers[i] = fourBytes((entries[i] as E)[0], skipped) * most + i
  numbers.sort()
  const sorted = Array.from(numbers, (number) => entries[number % most] as E)
  for (let from = 0, to = 1; from < length; from = to, to++) {
    const four = Math.floor((numbers[from] as number) / most)
    while (to < length && Math.floor((numbers[to] as number) / most) === four) to++
    if (to - from === 2) swapIfNeeded(sorted, from)
    else if (to - from > 2) sortPart(sorted, from, to)
  }
  return sorted
}

function sortPart<E extends Keyed>(sorted: E[], from: number, to: number): void {
  const part = sorted.slice(from, to).sort(byKey)
  for (let i = 0; i < part.length; i++) sorted[from + i] = part[i] as E
}

function swapIfNeeded<E extends Keyed>(sorted: E[], at: number): void {
  const [first, second] = [sorted[at] as E, sorted[at + 1] as E]
  if (byKey(first, second) <= 0) return
  sorted[at] = second
  sorted[at + 1] = first
}

function byKey([a]: Keyed, [b]: Keyed): number {
  return compareBytes(a, b)
}

/** How many bytes all keys begin alike with. */
function commonPrefix(entries: readonly Keyed[]): number {
  const first = entries[0]?.[0]
  if (first === undefined) return 0
  let common = first.length
  for (const [key] of entries) {
    let i = 0
    const most = Math.min(common, key.length)
    while (i < most && key[i] === first[i]) i++
    common = i
  }
  return common
}

/** A shorter key counts as if zeros followed: the comparison of keys tells the two apart. */
function fourBytes(key: Uint8Array, from: number): number {
  const byte = (i: number) => key[from + i] ?? 0
  return byte(0) * 2 ** 24 + byte(1) * 2 ** 16 + byte(2) * 2 ** 8 + byte(3)
}
