import type { TimerEntry } from './TimerEntry.js'

/** Timers that are not as the store has them, each once. What is added and removed costs no more than a few stores. */
export class HeldChanges {
  #entries: TimerEntry[] = []

  /** Adds a timer, unless it is there. */
  add(entry: TimerEntry): void {
    if (entry.slot >= 0) return
    entry.slot = this.#entries.length
    this.#entries.push(entry)
  }

  /** Removes a timer, if it is there. The last one takes its place. */
  remove(entry: TimerEntry): void {
    if (entry.slot < 0) return
    const last = this.#entries.pop() as TimerEntry
    if (last !== entry) {
      last.slot = entry.slot
      this.#entries[entry.slot] = last
    }
    entry.slot = -1
  }

  /** Gives all of them out and has none then. */
  take(): TimerEntry[] {
    const taken = this.#entries
    this.#entries = []
    for (const entry of taken) entry.slot = -1
    return taken
  }
}
