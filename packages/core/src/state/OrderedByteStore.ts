/** One entry: key bytes, value bytes. */
export type ByteEntry = readonly [key: Uint8Array, value: Uint8Array]

/** Keys from ≤ key < to; an absent end is open. `justAfter(last)` makes the upper end inclusive. */
export interface ByteRange {
  /** Inclusive. */
  readonly from?: Uint8Array | undefined
  /** Exclusive. */
  readonly to?: Uint8Array | undefined
  /** From the greatest key to the least. */
  readonly reverse?: boolean
}

/**
 * A map from bytes to bytes, ordered by unsigned lexicographic order of the keys. What every store is built on.
 *
 * Synchronous. It copies the keys it is given, so that one array may serve for many. It may keep the values, and the
 * bounds of a range while that is read: neither side may change those afterwards.
 * Every adapter passes the contract suite in `test/orderedByteStoreContract.ts`.
 */
export interface OrderedByteStore {
  /** How many entries there are. */
  readonly size: number
  /** The length of all keys and values together. */
  readonly bytes: number
  get(key: Uint8Array): Uint8Array | undefined
  /**
   * Where the key lies that `get` was called with last, in words of the store's own: `ChangeView.place` of a change of it
   * spares its commit from looking for it again. 0, or absent: it does not say.
   */
  readonly place?: number
  /** @returns what was there */
  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined
  /** Puts without telling what was there: a store need not look for it. */
  set(key: Uint8Array, value: Uint8Array): void
  /** @returns what was there */
  delete(key: Uint8Array): Uint8Array | undefined
  /** Deletes a key that is known to be there, without telling what was: a store need not look for it. */
  remove(key: Uint8Array): void
  /**
   * The entries of a range, in order. The iteration is live: it steps from the last key it gave to the next one
   * that is there by then. So it never gives a key twice or out of order, whatever is written between two steps;
   * what is written ahead of it is seen, what is written behind it is not.
   */
  range(range?: ByteRange): Iterable<ByteEntry>
  /** Deletes from ≤ key < to. @returns how many entries there were */
  deleteRange(from?: Uint8Array, to?: Uint8Array): number
  /** Deletes everything without visiting the entries (S4). */
  clear(): void
}

/** The least key above this one: the key and a zero byte. */
export function justAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1)
  next.set(key)
  return next
}
