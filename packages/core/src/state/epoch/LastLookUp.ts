import type { EpochLayer } from './EpochLayer.js'

/** Longer keys are not remembered: each look-up would copy them. */
const LONGEST_KEY = 64

/**
 * What the last look-up of a key has found. Most keys are read right before they are written: the write need not look
 * again, and knows what it takes the place of.
 */
export class LastLookUp {
  readonly #key = new Uint8Array(LONGEST_KEY)
  /** Of the key; −1: none is remembered. */
  #length = -1
  hash = 0
  /** The newest layer there was, and where it has the key; −1: nowhere. */
  layer: EpochLayer | undefined
  index = -1
  /** How long the value is that was found; `NO_VALUE`: there is none. */
  valueLength = 0
  /** What the committed store said of where it lies; 0: nothing, or it was not asked. */
  place = 0

  isOf(key: Uint8Array): boolean {
    const { length } = key
    if (length !== this.#length) return false
    const own = this.#key
    for (let i = 0; i < length; i++) if (own[i] !== key[i]) return false
    return true
  }

  remember(
    key: Uint8Array,
    hash: number,
    layer: EpochLayer | undefined,
    index: number,
    valueLength: number,
    place: number,
  ): void {
    const { length } = key
    if (length > LONGEST_KEY) {
      this.#length = -1
      return
    }
    const own = this.#key
    for (let i = 0; i < length; i++) own[i] = key[i] as number
    this.#length = length
    this.hash = hash
    this.layer = layer
    this.index = index
    this.valueLength = valueLength
    this.place = place
  }

  /** The key has been written since. */
  wrote(layer: EpochLayer, index: number, valueLength: number): void {
    this.layer = layer
    this.index = index
    this.valueLength = valueLength
  }

  forget(): void {
    this.#length = -1
    this.layer = undefined
  }
}
