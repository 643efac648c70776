import { HashSlots } from '../state/HashSlots.js'
import type { TimerForm } from './TimerForm.js'
import { IN_INDEX, NO_ROW, type TimerRows } from './TimerRows.js'

/** A table of this size is not made smaller. */
const LEAST = 64

/** Rows by identity (T2): key and name, or key and time of one without a name. */
export class TimerIndex {
  #slots = new HashSlots()
  /** How many it has had at most since its table was made. */
  #most = 0

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
    if (this.#slots.size > this.#most) this.#most = this.#slots.size
  }

  /** Removes a timer that is there. */
  delete(row: number): void {
    const slots = this.#slots
    let at = slots.first(this.rows.hash(row))
    while (slots.reference(at) !== row) at = slots.next(at)
    slots.remove(at)
    this.rows.release(row, IN_INDEX)
    if (this.#most > LEAST && 8 * slots.size < this.#most) this.#shrink()
  }

  /** Gives back what a peak has taken. */
  #shrink(): void {
    const left = this.#slots.references()
    this.#most = left.length
    this.#slots = new HashSlots(left.length)
    for (const row of left) this.#slots.add(this.rows.hash(row), row)
  }
}
