import { copyOfBytes } from '../../model/bytes.js'
import { type ChangeView, NO_VALUE } from './PackedChanges.js'

/**
 * Of each entry: where its key begins, its length; where its value begins, its length or `NO_VALUE`, its room; what lies
 * below, and where.
 */
const FACTS = 7
const KEY_LENGTH = 1
const VALUE = 2
const VALUE_LENGTH = 3
const ROOM = 4
const BELOW = 5
const PLACE = 6

/** Longer values are kept as they are given: there are fewer of them, and each written anew would leave much unused. */
export const LONGEST_PACKED = 256

const FIRST_ENTRIES = 8
const FIRST_BYTES = 256
/** Entries begin with the room that others have taken, up to so much. */
const MOST_FIRST_ENTRIES = 32_768
const MOST_FIRST_BYTES = 1_048_576
/** Shorter arrays are copied by a loop: a call costs more. */
const SHORT = 64

/** How much there is of entries. */
export interface Extent {
  readonly size: number
  readonly packedBytes: number
}

/**
 * Entries of key and value bytes side by side, by index, in the order in which they came. They live as long as an epoch:
 * too long for each to be an object of its own. None of them goes.
 */
export class PackedEntries implements Extent {
  #packed: Uint8Array
  #end = 0
  #facts: Int32Array
  #size = 0
  /** Values that are not packed, by index. */
  readonly #apart = new Map<number, Uint8Array>()

  /** @param like there will be about as much as of these */
  constructor(like: Extent) {
    this.#packed = new Uint8Array(Math.max(FIRST_BYTES, Math.min(MOST_FIRST_BYTES, like.packedBytes)))
    this.#facts = new Int32Array(FACTS * Math.max(FIRST_ENTRIES, Math.min(MOST_FIRST_ENTRIES, like.size)))
  }

  get size(): number {
    return this.#size
  }

  /** What is taken of the room for keys and values. */
  get packedBytes(): number {
    return this.#end
  }

  /**
   * @param value undefined: it is deleted
   * @param below the length of the value that it hides, `NO_VALUE` or `NOT_LOOKED_UP`
   * @param place as in `ChangeView`
   * @returns its index
   */
  add(key: Uint8Array, value: Uint8Array | undefined, below: number, place = 0): number {
    const index = this.#size
    const at = FACTS * index
    if (at === this.#facts.length) this.#facts = grownInts(this.#facts)
    this.#size = index + 1
    const facts = this.#facts
    facts[at] = this.#pack(key, key.length)
    facts[at + KEY_LENGTH] = key.length
    facts[at + VALUE_LENGTH] = NO_VALUE
    facts[at + ROOM] = 0
    facts[at + BELOW] = below
    facts[at + PLACE] = place
    this.setValue(index, value)
    return index
  }

  setValue(index: number, value: Uint8Array | undefined): void {
    const facts = this.#facts
    const at = FACTS * index
    if ((facts[at + VALUE_LENGTH] as number) > LONGEST_PACKED) this.#apart.delete(index)
    if (value === undefined) {
      facts[at + VALUE_LENGTH] = NO_VALUE
      return
    }
    const { length } = value
    facts[at + VALUE_LENGTH] = length
    if (length > LONGEST_PACKED) {
      this.#apart.set(index, value)
      return
    }
    const room = facts[at + ROOM] as number
    if (length <= room) write(this.#packed, facts[at + VALUE] as number, value)
    else {
      // One that has grown grows on: with room for that, what it leaves unused stays less than what it takes.
      const roomNow = room === 0 ? length : Math.min(LONGEST_PACKED, 2 * length)
      facts[at + VALUE] = this.#pack(value, roomNow)
      facts[at + ROOM] = roomNow
    }
  }

  setBelow(index: number, below: number): void {
    this.#facts[FACTS * index + BELOW] = below
  }

  clear(): void {
    this.#end = 0
    this.#size = 0
    this.#apart.clear()
  }

  /** A copy. */
  key(index: number): Uint8Array {
    const start = this.#start(index)
    return copyOfBytes(this.#packed, start, start + this.keyLength(index))
  }

  /** Undefined: it is deleted. To be read only. */
  value(index: number): Uint8Array | undefined {
    const length = this.valueLength(index)
    if (length === NO_VALUE) return undefined
    if (length > LONGEST_PACKED) return this.#apart.get(index)
    const start = this.#facts[FACTS * index + VALUE] as number
    return copyOfBytes(this.#packed, start, start + length)
  }

  keyLength(index: number): number {
    return this.#facts[FACTS * index + KEY_LENGTH] as number
  }

  /** `NO_VALUE`: it is deleted. */
  valueLength(index: number): number {
    return this.#facts[FACTS * index + VALUE_LENGTH] as number
  }

  below(index: number): number {
    return this.#facts[FACTS * index + BELOW] as number
  }

  look(index: number, view: ChangeView): void {
    const facts = this.#facts
    const at = FACTS * index
    const length = facts[at + VALUE_LENGTH] as number
    const isApart = length > LONGEST_PACKED
    view.key = this.#packed
    view.keyFrom = facts[at] as number
    view.keyTo = view.keyFrom + (facts[at + KEY_LENGTH] as number)
    view.value = length === NO_VALUE ? undefined : isApart ? this.#apart.get(index) : this.#packed
    view.valueFrom = isApart ? 0 : (facts[at + VALUE] as number)
    view.valueTo = view.valueFrom + Math.max(0, length)
    view.before = facts[at + BELOW] as number
    view.place = facts[at + PLACE] as number
  }

  hasKey(index: number, key: Uint8Array): boolean {
    const { length } = key
    if (this.keyLength(index) !== length) return false
    const packed = this.#packed
    const start = this.#start(index)
    for (let i = 0; i < length; i++) if (packed[start + i] !== key[i]) return false
    return true
  }

  compare(a: number, b: number): number {
    return this.#compare(a, this.#packed, this.#start(b), this.keyLength(b))
  }

  compareKey(index: number, key: Uint8Array): number {
    return this.#compare(index, key, 0, key.length)
  }

  #compare(index: number, key: Uint8Array, keyStart: number, keyLength: number): number {
    const packed = this.#packed
    const start = this.#start(index)
    const own = this.keyLength(index)
    const length = Math.min(own, keyLength)
    for (let i = 0; i < length; i++) {
      const difference = (packed[start + i] as number) - (key[keyStart + i] as number)
      if (difference !== 0) return difference
    }
    return own - keyLength
  }

  #start(index: number): number {
    return this.#facts[FACTS * index] as number
  }

  /** @returns where it begins */
  #pack(bytes: Uint8Array, room: number): number {
    const start = this.#end
    this.#end = start + room
    if (this.#end > this.#packed.length) this.#growPacked(this.#end)
    write(this.#packed, start, bytes)
    return start
  }

  #growPacked(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, 2 * this.#packed.length))
    grown.set(this.#packed)
    this.#packed = grown
  }
}

function grownInts(ints: Int32Array): Int32Array {
  const grown = new Int32Array(2 * ints.length)
  grown.set(ints)
  return grown
}

function write(target: Uint8Array, start: number, bytes: Uint8Array): void {
  const { length } = bytes
  if (length > SHORT) target.set(bytes, start)
  else for (let i = 0; i < length; i++) target[start + i] = bytes[i] as number
}
