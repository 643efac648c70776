import type { PendingTimer } from './PendingTimer.js'

/** The `storedAt` of a timer that no store has. */
export const NOT_STORED = -1

/** A timer in memory: what `TimerHeap` orders, `TimerIndex` finds and `StoredLaneTimers` writes. */
export class TimerEntry implements PendingTimer {
  /** Fired, deleted or replaced: in the heap a husk. */
  gone = false
  /** The next one in its bucket of the index. */
  next: TimerEntry | undefined = undefined
  /** Its key in the store's due index at its own time, as long as it is at hand. */
  dueKey: Uint8Array | undefined = undefined
  /** Its place among the changes that are held back; −1: it is as the store has it. */
  slot = -1

  constructor(
    readonly keyBytes: Uint8Array,
    readonly at: number,
    readonly name: string | undefined,
    readonly sequence: number,
    /** From `timerHash`. */
    readonly hash: number,
    /** The time at which the store has this timer (T2); `NOT_STORED` when it does not. */
    public storedAt: number,
  ) {}
}
