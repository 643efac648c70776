import { equalBytes } from '../model/bytes.js'
import type { TimerEntry } from './TimerEntry.js'

/** There are never fewer buckets. A power of two, like all their numbers. */
const LEAST_BUCKETS = 64

/**
 * A hash of what makes a timer the same timer (T2): key and name, or key and time of one without a name. FNV-1a, with
 * the bits mixed once more, because the buckets go by the low ones.
 */
export function timerHash(keyBytes: Uint8Array, at: number, name: string | undefined): number {
  let hash = name === undefined ? (at % 0x1_0000_0000) ^ (at / 0x1_0000_0000) : ~name.length
  for (let i = 0; i < keyBytes.length; i++) hash = Math.imul(hash ^ (keyBytes[i] as number), 0x01000193)
  if (name !== undefined) for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

/**
 * Timers by identity: a hash table chained through its entries. A `Map` would want a text for every look-up, which
 * costs more than all the rest of a registration.
 */
export class TimerIndex {
  #buckets: (TimerEntry | undefined)[] = empty(LEAST_BUCKETS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @param hash from `timerHash` */
  find(hash: number, keyBytes: Uint8Array, at: number, name: string | undefined): TimerEntry | undefined {
    let entry = this.#buckets[hash & (this.#buckets.length - 1)]
    while (entry !== undefined) {
      if (
        entry.hash === hash &&
        entry.name === name &&
        (name !== undefined || entry.at === at) &&
        equalBytes(entry.keyBytes, keyBytes)
      ) {
        return entry
      }
      entry = entry.next
    }
    return undefined
  }

  /** Adds a timer that is not there. */
  add(entry: TimerEntry): void {
    this.#link(entry)
    if (++this.#size > this.#buckets.length) this.#spread(this.#buckets.length * 2)
  }

  /** Removes a timer that is there. */
  delete(entry: TimerEntry): void {
    const bucket = entry.hash & (this.#buckets.length - 1)
    let before: TimerEntry | undefined
    for (let other = this.#buckets[bucket]; other !== entry; other = other?.next) before = other
    if (before === undefined) this.#buckets[bucket] = entry.next
    else before.next = entry.next
    entry.next = undefined
    this.#size--
    const { length } = this.#buckets
    if (length > LEAST_BUCKETS && this.#size < length / 8) this.#spread(length / 2)
  }

  #link(entry: TimerEntry): void {
    const bucket = entry.hash & (this.#buckets.length - 1)
    entry.next = this.#buckets[bucket]
    this.#buckets[bucket] = entry
  }

  #spread(buckets: number): void {
    const before = this.#buckets
    this.#buckets = empty(buckets)
    for (const first of before) {
      for (let entry = first; entry !== undefined; ) {
        const following: TimerEntry | undefined = entry.next
        this.#link(entry)
        entry = following
      }
    }
  }
}

function empty(buckets: number): (TimerEntry | undefined)[] {
  return new Array<TimerEntry | undefined>(buckets).fill(undefined)
}
