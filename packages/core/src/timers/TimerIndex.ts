import { HashSlots } from '../state/HashSlots.js'
import type { TimerForm } from './TimerForm.js'
import { IN_INDEX, NO_ROW, type TimerRows } from './TimerRows.js'

/** A table for so many is not made smaller. */
const LEAST = 64
/** Whether a table is too large is asked after so many deletions for each of the timers that it is made for. */
const ASKED_AFTER = 4

/** Rows by identity (T2): key and name, or key and time of one without a name. */
export class TimerIndex {
  #slots = new HashSlots()
  /** For how many timers the table has room, about. */
  #room = LEAST
  /** How many it has had at most, and how many were deleted, since that was last compared with its room. */
  #most = 0
  #deleted = 0

  constructor(private readonly rows: TimerRows) {}

  get size(): number {
    return this.#slots.size
  }

  /** @returns `NO_ROW` for none */
  find(form: TimerForm): number {
    const slots = this.#slots
    let at = slots.first(form.hash)
    while (at >= 0) {
      const row = slots.reference(at)
      if (this.rows.isSame(row, form)) return row
      at = slots.next(at)
    }
    return NO_ROW
  }

  /** Adds a timer that is not there. */
  add(row: number): void {
    this.#slots.add(this.rows.hash(row), row)
    this.rows.hold(row, IN_INDEX)
    const { size } = this.#slots
    if (size <= this.#most) return
    this.#most = size
    if (size > this.#room) this.#room = size
  }

  /** Removes a timer that is there. */
  delete(row: number): void {
    const slots = this.#slots
    let at = slots.first(this.rows.hash(row))
    while (slots.reference(at) !== row) at = slots.next(at)
    slots.remove(at)
    this.rows.release(row, IN_INDEX)
    if (++this.#deleted > ASKED_AFTER * this.#room) this.#fit()
  }

  /** Gives back what a peak has taken, unless there has been another one: most come and go with each epoch. */
  #fit(): void {
    const isTooLarge = this.#room > LEAST && 8 * this.#most < this.#room
    this.#deleted = 0
    this.#most = this.#slots.size
    if (!isTooLarge) return
    const left = this.#slots.references()
    this.#room = Math.max(LEAST, left.length)
    this.#slots = new HashSlots(left.length)
    for (const row of left) this.#slots.add(this.rows.hash(row), row)
  }
}
