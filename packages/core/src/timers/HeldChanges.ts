import type { TimerRows } from './TimerRows.js'

/** Timers that are not as the store has them, each once. What is added and removed costs no more than a few stores. */
export class HeldChanges {
  #changed: number[] = []

  constructor(private readonly rows: TimerRows) {}

  /** Adds a timer, unless it is there. */
  add(row: number): void {
    if (this.rows.slot(row) >= 0) return
    this.rows.setSlot(row, this.#changed.length)
    this.#changed.push(row)
  }

  /** Removes a timer, if it is there. The last one takes its place. */
  remove(row: number): void {
    const slot = this.rows.slot(row)
    if (slot < 0) return
    const last = this.#changed.pop() as number
    if (last !== row) {
      this.rows.setSlot(last, slot)
      this.#changed[slot] = last
    }
    this.rows.setSlot(row, -1)
  }

  /** Gives all of them out and has none then. */
  take(): readonly number[] {
    const taken = this.#changed
    this.#changed = []
    for (const row of taken) this.rows.setSlot(row, -1)
    return taken
  }
}
