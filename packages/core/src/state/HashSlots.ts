/** There are never fewer slots. A power of two, like all their numbers. */
const LEAST_SLOTS = 16

/**
 * References by hash: a table with open addressing in one typed array, so that it costs the garbage collector nothing.
 * Several references may have one hash; who asks compares what they refer to.
 *
 * A reference is a 32-bit integer other than 0. A position is where a reference lies; it holds until the next `add` or
 * `remove`.
 */
export class HashSlots {
  /** Two numbers a slot: hash and reference. */
  #slots: Int32Array
  #wrap: number
  #size = 0

  /** @param expected how many references there will be, about: it spares the table from growing to that */
  constructor(expected = 0) {
    let slots = LEAST_SLOTS
    while (2 * slots < 3 * expected) slots *= 2
    this.#slots = new Int32Array(2 * slots)
    this.#wrap = 2 * slots - 1
  }

  /** How many references are in it. */
  get size(): number {
    return this.#size
  }

  /** The first position with this hash; −1 when there is none. */
  first(hash: number): number {
    return this.#seek((hash << 1) & this.#wrap, hash)
  }

  /** The next position with the same hash; −1 when there is none. */
  next(position: number): number {
    return this.#seek((position + 2) & this.#wrap, this.#slots[position] as number)
  }

  reference(position: number): number {
    return this.#slots[position + 1] as number
  }

  /** Puts another reference in the place of one with the same hash. */
  replace(position: number, reference: number): void {
    this.#slots[position + 1] = reference
  }

  add(hash: number, reference: number): void {
    // Full to two thirds at most: beyond that the ways to a free slot grow long.
    if (3 * ++this.#size > this.#slots.length) this.#grow()
    this.#place(hash, reference)
  }

  /** Takes out what lies at a position. Those behind it move up, so that no way to them has a gap. */
  remove(position: number): void {
    const slots = this.#slots
    const wrap = this.#wrap
    let hole = position
    for (let at = (position + 2) & wrap; slots[at + 1] !== 0; at = (at + 2) & wrap) {
      const home = ((slots[at] as number) << 1) & wrap
      if (((at - home) & wrap) < ((at - hole) & wrap)) continue
      slots[hole] = slots[at] as number
      slots[hole + 1] = slots[at + 1] as number
      hole = at
    }
    slots[hole + 1] = 0
    this.#size--
  }

  /** All references, in no order. */
  references(): number[] {
    const found: number[] = []
    for (let at = 1; at < this.#slots.length; at += 2) {
      const reference = this.#slots[at] as number
      if (reference !== 0) found.push(reference)
    }
    return found
  }

  clear(): void {
    this.#slots = new Int32Array(2 * LEAST_SLOTS)
    this.#wrap = 2 * LEAST_SLOTS - 1
    this.#size = 0
  }

  #seek(from: number, hash: number): number {
    const slots = this.#slots
    const wrap = this.#wrap
    for (let at = from; slots[at + 1] !== 0; at = (at + 2) & wrap) if (slots[at] === hash) return at
    return -1
  }

  #place(hash: number, reference: number): void {
    const slots = this.#slots
    const wrap = this.#wrap
    let at = (hash << 1) & wrap
    while (slots[at + 1] !== 0) at = (at + 2) & wrap
    slots[at] = hash
    slots[at + 1] = reference
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Int32Array(2 * before.length)
    this.#wrap = this.#slots.length - 1
    for (let at = 0; at < before.length; at += 2) {
      const reference = before[at + 1] as number
      if (reference !== 0) this.#place(before[at] as number, reference)
    }
  }
}
