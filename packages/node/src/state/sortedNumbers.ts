/** So many are sorted at once, in about a millisecond. */
const NUMBERS_AT_ONCE = 1 << 14

/**
 * Sorts numbers: in parts, which it then merges.
 *
 * @param numbers are not what they were when it is done
 * @param pause gives others their turn when it is time for it
 */
export async function sortedNumbers(
  numbers: Float64Array<ArrayBuffer>,
  pause: () => Promise<void>,
): Promise<Float64Array<ArrayBuffer>> {
  const { length } = numbers
  for (let from = 0; from < length; from += NUMBERS_AT_ONCE) {
    numbers.subarray(from, from + NUMBERS_AT_ONCE).sort()
    await pause()
  }
  if (length <= NUMBERS_AT_ONCE) return numbers
  let source = numbers
  let target = new Float64Array(length)
  for (let width = NUMBERS_AT_ONCE; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const merge = new Merge(source, target, from, width)
      while (!merge.step(NUMBERS_AT_ONCE)) await pause()
    }
    const merged = target
    target = source
    source = merged
  }
  return source
}

/** Merges two neighbouring parts of a width into the same place of a target. */
class Merge {
  #at: number
  #left: number
  #right: number
  readonly #middle: number
  readonly #end: number

  constructor(
    private readonly source: Float64Array,
    private readonly target: Float64Array,
    from: number,
    width: number,
  ) {
    this.#at = from
    this.#left = from
    this.#middle = Math.min(from + width, source.length)
    this.#right = this.#middle
    this.#end = Math.min(this.#middle + width, source.length)
  }

  /** @returns whether it is done */
  step(most: number): boolean {
    const { source, target } = this
    const to = Math.min(this.#end, this.#at + most)
    let left = this.#left
    let right = this.#right
    for (let at = this.#at; at < to; at++) {
      const isLeft = left < this.#middle && (right >= this.#end || (source[left] as number) < (source[right] as number))
      target[at] = source[isLeft ? left++ : right++] as number
    }
    this.#at = to
    this.#left = left
    this.#right = right
    return to === this.#end
  }
}
