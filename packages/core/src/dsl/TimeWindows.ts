import { checkDuration } from '../topology/checkDuration.js'
import { topologyError } from '../topology/topologyError.js'
import type { Windows } from './Windows.js'

/**
 * Windows of one size, starting at multiples of the advance, from 0 on. `start` is inclusive, `end` exclusive.
 * A window takes records until the clock has passed its end by the grace (`kafka-streams.md` A.7). Immutable.
 */
export class TimeWindows implements Windows {
  private constructor(
    readonly sizeMs: number,
    readonly advanceMs: number,
    readonly graceMs: number,
  ) {}

  /**
   * Tumbling windows: each time belongs to exactly one.
   *
   * @throws StreamError TOPOLOGY_INVALID for a size below 1 ms or a negative grace
   */
  static ofSizeAndGrace(sizeMs: number, graceMs: number): TimeWindows {
    checkDuration('Window size (sizeMs)', sizeMs, 1)
    checkDuration('A grace period', graceMs, 0)
    return new TimeWindows(sizeMs, sizeMs, graceMs)
  }

  /** Tumbling windows that take nothing once the clock has reached their end. */
  static ofSizeWithNoGrace(sizeMs: number): TimeWindows {
    return TimeWindows.ofSizeAndGrace(sizeMs, 0)
  }

  /**
   * Hopping windows: one starts every `advanceMs`, so they overlap.
   *
   * @throws StreamError TOPOLOGY_INVALID for an advance that is not within 1 … size
   */
  advanceBy(advanceMs: number): TimeWindows {
    if (!Number.isSafeInteger(advanceMs) || advanceMs < 1 || advanceMs > this.sizeMs) {
      throw topologyError(
        'Window advancement interval should be more than zero and less than window duration which is ' +
          `${this.sizeMs} ms, but given advancement interval is: ${advanceMs} ms`,
      )
    }
    return new TimeWindows(this.sizeMs, advanceMs, this.graceMs)
  }

  /** Starts of the windows that hold this time, ascending (C.7). */
  startsFor(timestamp: number): number[] {
    const starts: number[] = []
    const earliest = Math.max(0, timestamp - this.sizeMs + this.advanceMs)
    for (let start = earliest - (earliest % this.advanceMs); start <= timestamp; start += this.advanceMs)
      starts.push(start)
    return starts
  }

  /** The exclusive end of the window that starts here, cut at 2^53−1. */
  endOf(start: number): number {
    return Math.min(start + this.sizeMs, Number.MAX_SAFE_INTEGER)
  }
}
