import { type ChangeView, compareBytes } from '@lanescope/core'

/*
 * An entry, wherever it lies: in a piece of the log, in a page of a run.
 *
 *   key length ∥ value length + 1, or 0 when it is deleted ∥ key ∥ value
 *
 * Lengths have seven bits a byte, least first, the last below 128.
 */

/** A change of a store: undefined deletes. */
export type Change = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** A look at one entry. It is set to one after the other, so that reading makes no objects. */
export class EntryView {
  bytes: Uint8Array = new Uint8Array(0)
  /** Where the entry begins. */
  start = 0
  keyStart = 0
  keyEnd = 0
  /** Where its value, and so the entry, ends. */
  end = 0
  isDeleted = false

  /** Looks at the entry that begins at an offset. */
  set(bytes: Uint8Array, start: number): void {
    let at = start
    let keyLength = bytes[at++] as number
    if (keyLength > 127) {
      keyLength = longLength(bytes, at - 1)
      at = endOfLength(bytes, at)
    }
    let valueLength = bytes[at++] as number
    if (valueLength > 127) {
      valueLength = longLength(bytes, at - 1)
      at = endOfLength(bytes, at)
    }
    this.bytes = bytes
    this.start = start
    this.keyStart = at
    this.keyEnd = at + keyLength
    this.isDeleted = valueLength === 0
    this.end = valueLength === 0 ? this.keyEnd : this.keyEnd + valueLength - 1
  }

  compareKey(key: Uint8Array): number {
    return compareSpans(this.bytes, this.keyStart, this.keyEnd, key, 0, key.length)
  }

  compare(other: EntryView): number {
    return compareSpans(this.bytes, this.keyStart, this.keyEnd, other.bytes, other.keyStart, other.keyEnd)
  }

  /** A copy. */
  get key(): Uint8Array {
    return copyOf(this.bytes, this.keyStart, this.keyEnd)
  }

  /** A copy. */
  get value(): Uint8Array {
    return copyOf(this.bytes, this.keyEnd, this.end)
  }
}

/** Looks for a key among entries side by side. @returns a copy of its value, null when it is deleted there */
export function findEntry(bytes: Uint8Array, from: number, to: number, key: Uint8Array): Uint8Array | null | undefined {
  const wanted = key.length
  for (let at = from; at < to; ) {
    const start = at
    let keyLength = bytes[at++] as number
    if (keyLength > 127) {
      keyLength = longLength(bytes, start)
      at = endOfLength(bytes, at)
    }
    const lengthAt = at
    let valueLength = bytes[at++] as number
    if (valueLength > 127) {
      valueLength = longLength(bytes, lengthAt)
      at = endOfLength(bytes, at)
    }
    const keyEnd = at + keyLength
    const end = valueLength === 0 ? keyEnd : keyEnd + valueLength - 1
    // Keys next to each other begin alike, so that they are told apart from behind.
    if (keyLength === wanted) {
      let i = wanted - 1
      while (i >= 0 && bytes[at + i] === key[i]) i--
      if (i < 0) return valueLength === 0 ? null : copyOf(bytes, keyEnd, end)
    }
    at = end
  }
  return undefined
}

/** How long the entry of a change is. */
export function entryLength({ keyFrom, keyTo, value, valueFrom, valueTo }: ChangeView): number {
  const valueLength = value === undefined ? 0 : valueTo - valueFrom
  const keyLength = keyTo - keyFrom
  return lengthLength(keyLength) + lengthLength(value === undefined ? 0 : valueLength + 1) + keyLength + valueLength
}

/** @returns the offset behind it */
export function writeEntry(target: Uint8Array, offset: number, change: ChangeView): number {
  const { key, keyFrom, keyTo, value, valueFrom, valueTo } = change
  let at = writeLength(target, offset, keyTo - keyFrom)
  at = writeLength(target, at, value === undefined ? 0 : valueTo - valueFrom + 1)
  at = copyInto(target, at, key, keyFrom, keyTo)
  return value === undefined ? at : copyInto(target, at, value, valueFrom, valueTo)
}

export function compareSpans(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart)
  for (let i = 0; i < length; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number)
    if (difference !== 0) return difference
  }
  return aEnd - aStart - (bEnd - bStart)
}

export function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  return compareBytes(a, b) < 0
}

/** A copy, not a view: it would keep all that lies around it in memory. */
export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start)
  if (copy.length > SHORT) copy.set(bytes.subarray(start, end))
  else for (let i = 0; i < copy.length; i++) copy[i] = bytes[start + i] as number
  return copy
}

/** Shorter arrays are copied by a loop: a call costs more. */
const SHORT = 64

function copyInto(target: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number): number {
  const length = to - from
  if (length > SHORT) target.set(bytes.subarray(from, to), at)
  else for (let i = 0; i < length; i++) target[at + i] = bytes[from + i] as number
  return at + length
}

function longLength(bytes: Uint8Array, start: number): number {
  let length = 0
  let at = start
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] as number
    length += (byte & 127) * factor
    if (byte < 128) return length
  }
}

/** @param at behind the first byte of a length of several bytes */
function endOfLength(bytes: Uint8Array, at: number): number {
  let end = at
  while ((bytes[end++] as number) > 127);
  return end
}

function writeLength(target: Uint8Array, at: number, length: number): number {
  let rest = length
  let to = at
  for (; rest > 127; rest = Math.floor(rest / 128)) target[to++] = (rest & 127) | 128
  target[to++] = rest
  return to
}

function lengthLength(length: number): number {
  let bytes = 1
  for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) bytes++
  return bytes
}
