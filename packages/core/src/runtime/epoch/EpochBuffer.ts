import type { SlowestCallback } from '../../events/EngineEvent.js'
import type { OutputRecord } from '../RecordLog.js'
import { PackedOutputs } from './PackedOutputs.js'

/** What an epoch has done, once it is cut. */
export interface FinishedEpoch {
  readonly outputs: PackedOutputs
  readonly records: number
  readonly timersFired: number
  /** Whether the timer that had ended the incarnation before was among them (E4). */
  readonly failedTimerFired: boolean
  /** Bytes of the outputs' keys, values and headers. */
  readonly bytes: number
  readonly isEmpty: boolean
  /** The callback that its cut has waited for longest (E8); absent where it waited for none. */
  readonly slowest?: SlowestCallback
  /** By how much counters move once it is committed (G3). */
  readonly counts: ReadonlyMap<string, number>
}

/** What the open epoch has done so far. */
export class EpochBuffer {
  #outputs = new PackedOutputs()
  #touched = false
  /** Source records done, and records that ticks have made. */
  records = 0
  timersFired = 0
  failedTimerFired = false
  #heldBytes = 0
  #counts = new Map<string, number>()

  output(record: OutputRecord): void {
    this.#outputs.add(record)
  }

  /** Where sinks write what they put out. */
  get outputs(): PackedOutputs {
    return this.#outputs
  }

  /** Bytes of the outputs' keys, values and headers: they are in memory until they are sent (E3). */
  get bytes(): number {
    return this.#outputs.byteLength
  }

  /** Bytes of changes that no store holds yet, as of timers until the cut (E3). */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /**
   * Something other than a record or an output has changed: a timer, a store.
   *
   * @param heldBytes what is kept of it in memory until the cut, in bytes
   */
  touch(heldBytes = 0): void {
    this.#touched = true
    this.#heldBytes += heldBytes
  }

  /** Counts something that this epoch has done, on a counter that moves when it is committed (G3). */
  count(counter: string): void {
    this.#counts.set(counter, (this.#counts.get(counter) ?? 0) + 1)
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
      failedTimerFired: this.failedTimerFired,
      bytes: this.bytes,
      isEmpty: this.isEmpty,
      counts: this.#counts,
    }
    this.#counts = new Map()
    this.#outputs = this.#outputs.next()
    this.#heldBytes = 0
    this.#touched = false
    this.records = 0
    this.timersFired = 0
    this.failedTimerFired = false
    return taken
  }
}
