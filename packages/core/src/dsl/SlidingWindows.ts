import { checkDuration } from '../topology/checkDuration.js'

/**
 * One window for each set of records that lie within a time difference of each other: a window ends at each record, and
 * one starts right after it once there are later ones. Both ends are inclusive, [start, start + difference]. It takes
 * records until the clock is past its end by more than the grace (`kafka-streams.md` A.7, C.7). In ms. Immutable.
 */
export class SlidingWindows {
  private constructor(
    readonly timeDifferenceMs: number,
    readonly graceMs: number,
  ) {}

  /** @throws StreamError TOPOLOGY_INVALID for a negative difference or grace */
  static ofTimeDifferenceAndGrace(timeDifferenceMs: number, graceMs: number): SlidingWindows {
    checkDuration('Window time difference', timeDifferenceMs, 0)
    checkDuration('Window grace period', graceMs, 0)
    return new SlidingWindows(timeDifferenceMs, graceMs)
  }

  static ofTimeDifferenceWithNoGrace(timeDifferenceMs: number): SlidingWindows {
    return SlidingWindows.ofTimeDifferenceAndGrace(timeDifferenceMs, 0)
  }
}
