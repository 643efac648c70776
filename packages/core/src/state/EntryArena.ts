import { copyOfBytes } from '../model/bytes.js'
import type { ReferredKeys } from './OrderedReferences.js'

/** A slab has at most so many words, unless one entry needs more. A power of two: a reference names slab and word. */
const SLAB_BITS = 18
const SLAB_WORDS = 1 << SLAB_BITS
const FIRST_SLAB_WORDS = 256
const MOST_SLABS = 1 << (32 - SLAB_BITS)

/** Of an entry: hash, length of its key (−1 − length once it is gone), length of its value, room for its value. */
const HEAD_WORDS = 4
const HEAD_BYTES = 4 * HEAD_WORDS

/** Shorter arrays are copied by a loop: a call costs more. */
const SHORT = 64

interface Slab {
  readonly words: Int32Array
  readonly bytes: Uint8Array
}

/**
 * Entries of key and value bytes, side by side in slabs: a million of them are a few objects to the garbage collector,
 * and take no more than their bytes and 16 more. An entry that is gone leaves its place unused; who owns the arena
 * copies what lives into a fresh one when too much is unused.
 */
export class EntryArena implements ReferredKeys {
  readonly #slabs: Slab[] = []
  /** The first free word of the last slab. Reference 0 stays free: it means none. */
  #free = 1
  #usedWords = 0
  #goneWords = 0

  /** Words of entries that live. */
  get liveWords(): number {
    return this.#usedWords - this.#goneWords
  }

  /** Words of entries that are gone. */
  get goneWords(): number {
    return this.#goneWords
  }

  /**
   * Adds an entry.
   *
   * @param hash of the key
   * @returns its reference
   */
  add(hash: number, key: Uint8Array, value: Uint8Array): number {
    const words = HEAD_WORDS + ((key.length + value.length + 3) >>> 2)
    const reference = this.#allocate(words)
    const slab = this.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    slab.words[word] = hash
    slab.words[word + 1] = key.length
    slab.words[word + 2] = value.length
    slab.words[word + 3] = 4 * (words - HEAD_WORDS) - key.length
    const start = 4 * word + HEAD_BYTES
    write(slab.bytes, start, key)
    write(slab.bytes, start + key.length, value)
    return reference
  }

  hash(reference: number): number {
    return this.#slab(reference).words[reference & (SLAB_WORDS - 1)] as number
  }

  isGone(reference: number): boolean {
    return this.#keyLength(reference) < 0
  }

  /** Of the value. */
  valueLength(reference: number): number {
    return this.#slab(reference).words[(reference & (SLAB_WORDS - 1)) + 2] as number
  }

  hasKey(reference: number, key: Uint8Array): boolean {
    const { words, bytes } = this.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    const { length } = key
    if (words[word + 1] !== length) return false
    const start = 4 * word + HEAD_BYTES
    for (let i = 0; i < length; i++) if (bytes[start + i] !== key[i]) return false
    return true
  }

  /** A copy of the key. */
  key(reference: number): Uint8Array {
    const start = this.#start(reference)
    return copyOfBytes(this.#slab(reference).bytes, start, start + lengthOf(this.#keyLength(reference)))
  }

  /** A copy of the value. */
  value(reference: number): Uint8Array {
    const { words, bytes } = this.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    const start = 4 * word + HEAD_BYTES + (words[word + 1] as number)
    return copyOfBytes(bytes, start, start + (words[word + 2] as number))
  }

  /** Replaces the value in its place. @returns false when there is no room for it */
  overwrite(reference: number, value: Uint8Array): boolean {
    const { words, bytes } = this.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    if ((words[word + 3] as number) < value.length) return false
    words[word + 2] = value.length
    write(bytes, 4 * word + HEAD_BYTES + (words[word + 1] as number), value)
    return true
  }

  /** The entry is gone. Its key can be compared as before. */
  drop(reference: number): void {
    const { words } = this.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    const keyLength = words[word + 1] as number
    words[word + 1] = -1 - keyLength
    this.#goneWords += HEAD_WORDS + (((words[word + 3] as number) + keyLength) >>> 2)
  }

  compare(a: number, b: number): number {
    const left = this.#slab(a).bytes
    const right = this.#slab(b).bytes
    const leftStart = this.#start(a)
    const rightStart = this.#start(b)
    const leftLength = lengthOf(this.#keyLength(a))
    const rightLength = lengthOf(this.#keyLength(b))
    const length = Math.min(leftLength, rightLength)
    for (let i = 0; i < length; i++) {
      const difference = (left[leftStart + i] as number) - (right[rightStart + i] as number)
      if (difference !== 0) return difference
    }
    return leftLength - rightLength
  }

  compareKey(reference: number, key: Uint8Array): number {
    const { bytes } = this.#slab(reference)
    const start = this.#start(reference)
    const keyLength = lengthOf(this.#keyLength(reference))
    const length = Math.min(keyLength, key.length)
    for (let i = 0; i < length; i++) {
      const difference = (bytes[start + i] as number) - (key[i] as number)
      if (difference !== 0) return difference
    }
    return keyLength - key.length
  }

  /** Copies an entry of another arena. @returns its reference here */
  copy(from: EntryArena, reference: number): number {
    const source = from.#slab(reference)
    const word = reference & (SLAB_WORDS - 1)
    const bytes = (source.words[word + 1] as number) + (source.words[word + 3] as number)
    const words = HEAD_WORDS + (bytes >>> 2)
    const copied = this.#allocate(words)
    const target = this.#slab(copied).words
    const to = copied & (SLAB_WORDS - 1)
    for (let i = 0; i < words; i++) target[to + i] = source.words[word + i] as number
    return copied
  }

  #allocate(words: number): number {
    const slab = this.#slabs[this.#slabs.length - 1]
    if (slab === undefined || this.#free + words > slab.words.length) this.#addSlab(words)
    const reference = ((this.#slabs.length - 1) << SLAB_BITS) | this.#free
    this.#free += words
    this.#usedWords += words
    return reference
  }

  #addSlab(words: number): void {
    if (this.#slabs.length === MOST_SLABS) {
      throw new RangeError('A store in memory cannot hold more than 16 GiB. Keep its state on disk.')
    }
    const last = this.#slabs[this.#slabs.length - 1]
    const usual = Math.min(SLAB_WORDS, last === undefined ? FIRST_SLAB_WORDS : 4 * last.words.length)
    const slab = new Int32Array(Math.max(usual, words + 1))
    this.#slabs.push({ words: slab, bytes: new Uint8Array(slab.buffer) })
    this.#free = 1
  }

  #slab(reference: number): Slab {
    return this.#slabs[reference >>> SLAB_BITS] as Slab
  }

  #start(reference: number): number {
    return 4 * (reference & (SLAB_WORDS - 1)) + HEAD_BYTES
  }

  #keyLength(reference: number): number {
    return this.#slab(reference).words[(reference & (SLAB_WORDS - 1)) + 1] as number
  }
}

function lengthOf(stored: number): number {
  return stored < 0 ? -1 - stored : stored
}

function write(target: Uint8Array, start: number, bytes: Uint8Array): void {
  const { length } = bytes
  if (length > SHORT) target.set(bytes, start)
  else for (let i = 0; i < length; i++) target[start + i] = bytes[i] as number
}
