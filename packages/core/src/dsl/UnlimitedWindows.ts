import { checkDuration } from '../topology/checkDuration.js'
import type { Windows } from './Windows.js'

const forEver = Number.MAX_SAFE_INTEGER

/**
 * One window per key, from a start on for ever. Records before the start are lost; that is told as a silent loss (G3).
 * It never closes, so there is no emit strategy for it. Immutable.
 */
export class UnlimitedWindows implements Windows {
  readonly sizeMs = forEver
  readonly graceMs = 0

  private constructor(readonly startMs: number) {}

  /** From time 0 on. */
  static of(): UnlimitedWindows {
    return new UnlimitedWindows(0)
  }

  /**
   * The same window from this time on, inclusive, in ms.
   *
   * @throws StreamError TOPOLOGY_INVALID for a negative start
   */
  startOn(startMs: number): UnlimitedWindows {
    checkDuration('Window start time (startMs)', startMs, 0)
    return new UnlimitedWindows(startMs)
  }

  startsFor(timestamp: number): readonly number[] {
    return timestamp < this.startMs ? [] : [this.startMs]
  }

  endOf(): number {
    return forEver
  }
}
