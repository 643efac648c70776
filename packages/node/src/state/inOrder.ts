import { newChangeView, type PackedChanges } from '@lanescope/core'
import { compareSpans } from './entry.js'
import { sortedNumbers } from './sortedNumbers.js'

/** Whole numbers below it are exact in a double. */
const EXACT = 2 ** 53
/** Keys are told apart by so many bytes at most, behind those that all begin alike with; then come the next ones. */
const MOST_BYTES = 16
/** So few keys are compared with each other. */
const FEW = 8
/** So many changes are looked at between two looks at the clock. */
const CHANGES_AT_ONCE = 1 << 13
/** In the place of an index: another change of the same key came later. */
const REPLACED = 0xffff_ffff

/**
 * Puts changes in the order of their keys. A commit sorts all that its epoch has written, so the work is left to the
 * sort of numbers that the host has: the first bytes in which keys differ make a number, in which each place counts as
 * many values as it has. What that does not tell apart is sorted by the bytes that follow.
 *
 * @param pause gives others their turn when it is time for it
 * @returns indexes of the changes; of several of one key that of the last
 */
export async function inOrder(changes: PackedChanges, pause: () => Promise<void>): Promise<Uint32Array> {
  const sorting = new Sorting(changes, pause)
  await sorting.sort(0, changes.size)
  return sorting.result
}

/** How bytes make a number. */
interface Coding {
  /** All keys begin alike with so many bytes. */
  readonly skipped: number
  /** Of each place that counts, the least value, and how many there are up to the greatest. */
  readonly least: readonly number[]
  readonly range: readonly number[]
}

/** Some of the order: from one place on, before another one. */
interface Part {
  readonly from: number
  readonly to: number
}

class Sorting {
  readonly #order: Uint32Array
  #isAnyReplaced = false
  readonly #view = newChangeView()
  readonly #other = newChangeView()

  constructor(
    private readonly changes: PackedChanges,
    private readonly pause: () => Promise<void>,
  ) {
    this.#order = new Uint32Array(changes.size)
    countUp(this.#order)
  }

  get result(): Uint32Array {
    return this.#isAnyReplaced ? this.#order.filter((index) => index !== REPLACED) : this.#order
  }

  /** Sorts a part, in which changes of one key are in the order in which they came. */
  async sort(from: number, to: number): Promise<void> {
    if (to - from <= FEW) {
      this.#sortFew(from, to)
      return
    }
    const step = 2 ** Math.ceil(Math.log2(to - from))
    const coding = await this.#codingOf(from, to, EXACT / step)
    if (coding.range.length === 0) {
      for (let i = from; i < to - 1; i++) this.#replaced(i)
      return
    }
    const numbers = new Float64Array(to - from)
    for (let at = 0; at < numbers.length; at += CHANGES_AT_ONCE) {
      this.#number(numbers, from, at, step, coding)
      await this.pause()
    }
    const all = await sortedNumbers(numbers, this.pause)
    const before = this.#order.slice(from, to)
    const alike: Part[] = []
    for (let at = 0; at < all.length; ) {
      at = this.#place(all, before, from, at, step, alike)
      await this.pause()
    }
    for (const part of alike) await this.sort(part.from, part.to)
  }

  /** Makes numbers of the keys from one on: what comes first in them, and behind it which key of the part it is. */
  #number(numbers: Float64Array, part: number, from: number, step: number, { skipped, least, range }: Coding): void {
    const view = this.#view
    const to = Math.min(numbers.length, from + CHANGES_AT_ONCE)
    for (let i = from; i < to; i++) {
      this.changes.look(this.#order[part + i] as number, view)
      const start = view.keyFrom + skipped
      let number = 0
      for (let place = 0; place < range.length; place++) {
        const value = valueAt(view.key, start + place, view.keyTo)
        number = number * (range[place] as number) + value - (least[place] as number)
      }
      numbers[i] = number * step + i
    }
  }

  /**
   * Puts keys where their numbers are, from one on, and sorts those of one number that are few.
   *
   * @param alike gets where those of one number are that are many
   * @returns up to where
   */
  #place(numbers: Float64Array, before: Uint32Array, part: number, from: number, step: number, alike: Part[]): number {
    const order = this.#order
    const { length } = numbers
    let at = from
    while (at < length && at - from < CHANGES_AT_ONCE) {
      const number = Math.floor((numbers[at] as number) / step)
      const first = at
      for (; at < length && Math.floor((numbers[at] as number) / step) === number; at++) {
        order[part + at] = before[(numbers[at] as number) - number * step] as number
      }
      if (at - first > FEW) alike.push({ from: part + first, to: part + at })
      else if (at - first > 1) this.#sortFew(part + first, part + at)
    }
    return at
  }

  /** One by one, each to where it belongs among those before it. */
  #sortFew(from: number, to: number): void {
    const order = this.#order
    for (let next = from + 1; next < to; next++) {
      const index = order[next] as number
      let at = next
      for (; at > from && this.#compare(order[at - 1] as number, index) > 0; at--) order[at] = order[at - 1] as number
      order[at] = index
    }
    for (let i = from; i < to - 1; i++) {
      if (this.#compare(order[i] as number, order[i + 1] as number) === 0) this.#replaced(i)
    }
  }

  #compare(a: number, b: number): number {
    const [left, right] = [this.#view, this.#other]
    this.changes.look(a, left)
    this.changes.look(b, right)
    return compareSpans(left.key, left.keyFrom, left.keyTo, right.key, right.keyFrom, right.keyTo)
  }

  #replaced(at: number): void {
    this.#order[at] = REPLACED
    this.#isAnyReplaced = true
  }

  /** @param most numbers stay below it */
  async #codingOf(from: number, to: number, most: number): Promise<Coding> {
    let skipped = Number.POSITIVE_INFINITY
    for (let at = from; at < to; at += CHANGES_AT_ONCE) {
      skipped = this.#commonLength(from, at, Math.min(to, at + CHANGES_AT_ONCE), skipped)
      await this.pause()
    }
    const least = new Array<number>(MOST_BYTES).fill(256)
    const greatest = new Array<number>(MOST_BYTES).fill(0)
    for (let at = from; at < to; at += CHANGES_AT_ONCE) {
      this.#widen(at, Math.min(to, at + CHANGES_AT_ONCE), skipped, least, greatest)
      await this.pause()
    }
    const range = greatest.map((value, place) => value - (least[place] as number) + 1)
    let places = 0
    for (let all = 1; places < MOST_BYTES && all * (range[places] as number) <= most; places++) {
      all *= range[places] as number
    }
    while (places > 0 && range[places - 1] === 1) places--
    return { skipped, least: least.slice(0, places), range: range.slice(0, places) }
  }

  /** How many bytes some keys begin alike with, and as another one does, up to so many. */
  #commonLength(like: number, from: number, to: number, most: number): number {
    const [first, view] = [this.#other, this.#view]
    this.changes.look(this.#order[like] as number, first)
    const { key, keyFrom } = first
    let common = Math.min(most, first.keyTo - keyFrom)
    for (let i = from; i < to; i++) {
      this.changes.look(this.#order[i] as number, view)
      if (view.keyTo - view.keyFrom < common) common = view.keyTo - view.keyFrom
      let same = 0
      while (same < common && view.key[view.keyFrom + same] === key[keyFrom + same]) same++
      common = same
    }
    return common
  }

  /** What is at each place behind those bytes in some keys. */
  #widen(from: number, to: number, skipped: number, least: number[], greatest: number[]): void {
    const view = this.#view
    for (let i = from; i < to; i++) {
      this.changes.look(this.#order[i] as number, view)
      const start = view.keyFrom + skipped
      for (let place = 0; place < MOST_BYTES; place++) {
        const value = valueAt(view.key, start + place, view.keyTo)
        if (value < (least[place] as number)) least[place] = value
        if (value > (greatest[place] as number)) greatest[place] = value
      }
    }
  }
}

/** A byte of a key as one of 257 values: that a key has ended comes before all bytes. */
function valueAt(key: Uint8Array, at: number, end: number): number {
  return at < end ? (key[at] as number) + 1 : 0
}

function countUp(numbers: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = i
}
