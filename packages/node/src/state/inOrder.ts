import { newChangeView, type PackedChanges } from '@lanescope/core'
import { compareSpans } from './entry.js'

/** Whole numbers below it are exact in a double. */
const EXACT = 2 ** 53
/** Keys are told apart by so many bytes at most, behind those that all begin alike with; then come the next ones. */
const MOST_BYTES = 16
/** So few keys are compared with each other. */
const FEW = 8
/** So many changes are looked at between two looks at the clock, or sorted at once. */
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
    for (let i = 0; i < changes.size; i++) this.#order[i] = i
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
    const order = this.#order
    const step = 2 ** Math.ceil(Math.log2(to - from))
    const coding = await this.#codingOf(from, to, EXACT / step)
    if (coding.range.length === 0) {
      for (let i = from; i < to - 1; i++) this.#replaced(i)
      return
    }
    const numbers = await this.#sortedNumbers(from, to, step, coding)
    const before = order.slice(from, to)
    for (let i = 0, alike = 0, last = -1; i <= numbers.length; i++) {
      const number = i < numbers.length ? Math.floor((numbers[i] as number) / step) : -1
      if (i < numbers.length) order[from + i] = before[(numbers[i] as number) - number * step] as number
      if (number !== last) {
        if (i - alike > FEW) await this.sort(from + alike, from + i)
        else if (i - alike > 1) this.#sortFew(from + alike, from + i)
        alike = i
        last = number
      }
      if (i % CHANGES_AT_ONCE === 0) await this.pause()
    }
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
    const skipped = await this.#commonLength(from, to)
    const view = this.#view
    const least = new Array<number>(MOST_BYTES).fill(256)
    const greatest = new Array<number>(MOST_BYTES).fill(0)
    for (let i = from; i < to; i++) {
      this.changes.look(this.#order[i] as number, view)
      for (let place = 0; place < MOST_BYTES; place++) {
        const value = valueAt(view.key, view.keyFrom + skipped + place, view.keyTo)
        if (value < (least[place] as number)) least[place] = value
        if (value > (greatest[place] as number)) greatest[place] = value
      }
      if (i % CHANGES_AT_ONCE === 0) await this.pause()
    }
    const range = greatest.map((value, place) => value - (least[place] as number) + 1)
    let places = 0
    for (let all = 1; places < MOST_BYTES && all * (range[places] as number) <= most; places++) {
      all *= range[places] as number
    }
    while (places > 0 && range[places - 1] === 1) places--
    return { skipped, least: least.slice(0, places), range: range.slice(0, places) }
  }

  /** How many bytes all keys of a part begin alike with. */
  async #commonLength(from: number, to: number): Promise<number> {
    const [first, view] = [this.#other, this.#view]
    this.changes.look(this.#order[from] as number, first)
    const { key, keyFrom } = first
    let common = first.keyTo - keyFrom
    for (let i = from; i < to; i++) {
      this.changes.look(this.#order[i] as number, view)
      if (view.keyTo - view.keyFrom < common) common = view.keyTo - view.keyFrom
      let same = 0
      while (same < common && view.key[view.keyFrom + same] === key[keyFrom + same]) same++
      common = same
      if (i % CHANGES_AT_ONCE === 0) await this.pause()
    }
    return common
  }

  async #sortedNumbers(from: number, to: number, step: number, coding: Coding): Promise<Float64Array> {
    const { skipped, least, range } = coding
    const view = this.#view
    const numbers = new Float64Array(to - from)
    for (let i = 0; i < numbers.length; i++) {
      this.changes.look(this.#order[from + i] as number, view)
      let number = 0
      for (let place = 0; place < range.length; place++) {
        const value = valueAt(view.key, view.keyFrom + skipped + place, view.keyTo)
        number = number * (range[place] as number) + value - (least[place] as number)
      }
      numbers[i] = number * step + i
      if (i % CHANGES_AT_ONCE === 0) await this.pause()
    }
    return sorted(numbers, this.pause)
  }
}

/** A byte of a key as one of 257 values: that a key has ended comes before all bytes. */
function valueAt(key: Uint8Array, at: number, end: number): number {
  return at < end ? (key[at] as number) + 1 : 0
}

/** Sorts numbers in parts, and merges those. */
async function sorted(numbers: Float64Array, pause: () => Promise<void>): Promise<Float64Array> {
  const { length } = numbers
  for (let from = 0; from < length; from += CHANGES_AT_ONCE) {
    numbers.subarray(from, from + CHANGES_AT_ONCE).sort()
    await pause()
  }
  let [source, target] = [numbers, length > CHANGES_AT_ONCE ? new Float64Array(length) : numbers]
  for (let width = CHANGES_AT_ONCE; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) await merge(source, target, from, width, pause)
    ;[source, target] = [target, source]
  }
  return source
}

/** Merges two neighbouring parts of this width into the same place of a target. */
async function merge(
  source: Float64Array,
  target: Float64Array,
  from: number,
  width: number,
  pause: () => Promise<void>,
): Promise<void> {
  const middle = Math.min(from + width, source.length)
  const end = Math.min(middle + width, source.length)
  for (let at = from, left = from, right = middle; at < end; at++) {
    const takesLeft = left < middle && (right >= end || (source[left] as number) < (source[right] as number))
    target[at] = source[takesLeft ? left++ : right++] as number
    if (at % CHANGES_AT_ONCE === 0) await pause()
  }
}
