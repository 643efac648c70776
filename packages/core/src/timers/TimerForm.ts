import { readInt64 } from '../serde/int64.js'
import { hashBytes } from '../state/hashBytes.js'
import { endOfEscaped, escapedLength, textLength, writeEscaped } from './orderedBytes.js'
import { dueTailOffset, dueTimeOffset, isNamedAt, writeTailAt } from './timerLayout.js'

const FIRST_LENGTH = 64

/**
 * One timer in the bytes in which it is stored and compared: its *tail*, which is key and name as they end its key in
 * the due index, and beside it the time. It is filled again for each timer, so that looking one up makes no object.
 */
export class TimerForm {
  /** The tail, up to `length`; longer than it needs to be. */
  bytes: Uint8Array = new Uint8Array(FIRST_LENGTH)
  length = 0
  at = 0
  isNamed = false
  /** Of what makes a timer the same timer (T2): the tail, and the time of one without a name. */
  hash = 0

  /** Takes a timer as it is given. */
  set(keyBytes: Uint8Array, at: number, name: string | undefined): this {
    this.#room(escapedLength(keyBytes) + 2 + (name === undefined ? 0 : textLength(name)))
    const end = writeEscaped(this.bytes, 0, keyBytes)
    this.length = writeTailAt(this.bytes, end, name)
    this.at = at
    this.isNamed = name !== undefined
    this.hash = this.#hash()
    return this
  }

  /** Takes a timer from its key in the due index. */
  setStored(dueKey: Uint8Array): this {
    const length = dueKey.length - dueTailOffset
    this.#room(length)
    const { bytes } = this
    for (let i = 0; i < length; i++) bytes[i] = dueKey[dueTailOffset + i] as number
    this.length = length
    this.at = readInt64(dueKey, dueTimeOffset)
    this.isNamed = isNamedAt(bytes, endOfEscaped(bytes, 0, length))
    this.hash = this.#hash()
    return this
  }

  /** Takes a tail from other bytes. */
  setTail(at: number, from: Uint8Array, start: number, length: number): this {
    this.#room(length)
    const { bytes } = this
    for (let i = 0; i < length; i++) bytes[i] = from[start + i] as number
    this.length = length
    this.at = at
    this.isNamed = isNamedAt(bytes, endOfEscaped(bytes, 0, length))
    return this
  }

  #room(length: number): void {
    if (length > this.bytes.length) this.bytes = new Uint8Array(Math.max(length, 2 * this.bytes.length))
  }

  /** Of an unnamed timer the time is part of what it is. */
  #hash(): number {
    const { bytes, length, at } = this
    return hashBytes(bytes, length, this.isNamed ? ~length : (at % 0x1_0000_0000) ^ (at / 0x1_0000_0000))
  }
}

/** Firing order within a lane (T5): time, then key bytes, then name. The order of tails is that of keys and names. */
export function compareForms(a: TimerForm, b: TimerForm): number {
  return a.at === b.at ? compareParts(a.bytes, 0, a.length, b.bytes, 0, b.length) : a.at - b.at
}

/** Unsigned lexicographic order of parts of byte strings. */
export function compareParts(
  a: Uint8Array,
  aStart: number,
  aLength: number,
  b: Uint8Array,
  bStart: number,
  bLength: number,
): number {
  const length = Math.min(aLength, bLength)
  for (let i = 0; i < length; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number)
    if (difference !== 0) return difference
  }
  return aLength - bLength
}
