import type { OutputRecord } from '../RecordLog.js'

/** What an epoch has done, once it is cut. */
export interface FinishedEpoch {
  readonly outputs: readonly OutputRecord[]
  readonly records: number
  readonly timersFired: number
  readonly isEmpty: boolean
}

/** What the open epoch has done so far. */
export class EpochBuffer {
  #outputs: OutputRecord[] = []
  #touched = false
  /** Source records done. */
  records = 0
  timersFired = 0

  output(record: OutputRecord): void {
    this.#outputs.push(record)
  }

  /** Something other than a record or an output has changed: a timer, a store. */
  touch(): void {
    this.#touched = true
  }

  /** Nothing to commit: an idle engine commits nothing (E3). */
  get isEmpty(): boolean {
    return this.records === 0 && this.timersFired === 0 && this.#outputs.length === 0 && !this.#touched
  }

  take(): FinishedEpoch {
    const taken = {
      outputs: this.#outputs,
      records: this.records,
      timersFired: this.timersFired,
      isEmpty: this.isEmpty,
    }
    this.#outputs = []
    this.#touched = false
    this.records = 0
    this.timersFired = 0
    return taken
  }
}
