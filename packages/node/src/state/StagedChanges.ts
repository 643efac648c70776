import { compareBytes, NO_VALUE, NOT_LOOKED_UP } from '@lanescope/core'
import type { ChangeBuffer } from './ChangeBuffer.js'
import { copyOf } from './entry.js'
import { hashKey } from './KeyFilter.js'
import type { Runs } from './Runs.js'

/** What lies below the newest changes of a store. */
export interface Older {
  readonly frozen: ChangeBuffer | undefined
  readonly runs: Runs
  /** What a read that failed is to throw. */
  failed(error: unknown): Error
}

/** The changes of a commit in one piece of the log. */
interface StagedPiece {
  readonly piece: number
  /** Two numbers each: its entry, −1 − that when it is to be hidden; where it begins in the piece. */
  readonly entries: Int32Array
}

/**
 * The changes that a commit makes to one store, on their way into memory. Key by key it is found out where each belongs;
 * `show` then makes all of them count at once, and takes a few nanoseconds for each.
 */
export class StagedChanges {
  readonly #pieces: StagedPiece[] = []
  #entries: number[] = []
  /** Of the hidden entries, what `sweep` needs: the entry and its hash. */
  readonly #hidden: number[] = []
  #hash = 0
  #found = -1
  /** The least key that gets a value. */
  #least: Uint8Array | undefined

  /**
   * @param store its id once these changes count
   * @param older undefined: there is nothing below the buffer
   */
  constructor(
    readonly store: number,
    readonly buffer: ChangeBuffer,
    private readonly older: Older | undefined,
  ) {}

  async makeRoom(keys: number, pause: () => Promise<void>): Promise<void> {
    await this.buffer.makeRoom(keys, pause)
  }

  /**
   * Looks for a key, for what is asked and said of it next.
   *
   * @param place of the key, if anybody knows
   */
  find(bytes: Uint8Array, from: number, to: number, place = 0): void {
    this.#found = this.buffer.entryAt(place)
    if (this.#found >= 0) return
    this.#hash = hashKey(this.store, bytes, from, to)
    this.#found = this.buffer.find(this.#hash, bytes, from, to)
  }

  /** @returns how long the value is that the key found has by now, or `NO_VALUE` */
  lengthBefore(bytes: Uint8Array, from: number, to: number): number {
    const length = this.buffer.lengthOf(this.#found)
    if (length !== NOT_LOOKED_UP || this.older === undefined) return Math.max(NO_VALUE, length)
    const frozen = this.#lengthInFrozen(bytes, from, to)
    if (frozen !== NOT_LOOKED_UP) return frozen
    try {
      return this.older.runs.get(this.store, this.#hash, copyOf(bytes, from, to))?.length ?? NO_VALUE
    } catch (error) {
      throw this.older.failed(error)
    }
  }

  /**
   * Takes in a change of the key found.
   *
   * @param piece the number of the piece in which it begins at `start`
   */
  add(bytes: Uint8Array, from: number, to: number, isDeleted: boolean, piece: number, start: number): void {
    // Where the place was known there is no hash yet.
    if (isDeleted) this.#hash = hashKey(this.store, bytes, from, to)
    if (isDeleted && !this.#mayBeBelow(bytes, from, to)) {
      // What nothing older has needs no mark that it is deleted: timers come and go without leaving anything.
      if (this.#found < 0) return
      this.#hidden.push(this.#found, this.#hash)
      this.#entries.push(-1 - this.#found, start)
      return
    }
    if (!isDeleted) this.#least ??= copyOf(bytes, from, to)
    const entry = this.#found < 0 ? this.buffer.stage(this.#hash, piece, start) : this.#found
    this.#entries.push(entry, start)
  }

  /** What was added since the last one lies in this piece, which is there. */
  async endPiece(piece: number, pause: () => Promise<void>): Promise<void> {
    this.#pieces.push({ piece, entries: Int32Array.from(this.#entries) })
    this.#entries = []
    await this.buffer.endPiece(pause)
  }

  /** From now on the changes count. */
  show(): void {
    const { buffer } = this
    for (const { piece, entries } of this.#pieces) {
      for (let i = 0; i < entries.length; i += 2) {
        const entry = entries[i] as number
        if (entry < 0) buffer.hide(-1 - entry)
        else buffer.show(entry, piece, entries[i + 1] as number)
      }
    }
  }

  /** The least key that gets a value where it is below another one, else that. */
  leastOf(key: Uint8Array): Uint8Array {
    return this.#least !== undefined && compareBytes(this.#least, key) < 0 ? this.#least : key
  }

  /** Gives back the places of what was hidden. */
  async sweep(pause: () => Promise<void>): Promise<void> {
    const hidden = this.#hidden
    for (let i = 0; i < hidden.length; i += 2) {
      this.buffer.sweep(hidden[i] as number, hidden[i + 1] as number)
      if (i % SWEPT_AT_ONCE === 0) await pause()
    }
  }

  /** The changes come to nothing. */
  abandon(): void {
    this.buffer.abandon()
  }

  /** Whether something older than the newest changes may have the key. */
  #mayBeBelow(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.older === undefined) return false
    return this.older.runs.mayHave(this.store, this.#hash) || this.#lengthInFrozen(bytes, from, to) !== NOT_LOOKED_UP
  }

  #lengthInFrozen(bytes: Uint8Array, from: number, to: number): number {
    const frozen = this.older?.frozen
    return frozen === undefined ? NOT_LOOKED_UP : frozen.lengthOf(frozen.find(this.#hash, bytes, from, to))
  }
}

const SWEPT_AT_ONCE = 256
