import { checkDuration } from '../topology/checkDuration.js'

/**
 * Windows of activity: records of a key that follow each other within the gap, inclusive, are one session, from its
 * first record to its last, both inclusive. A late record may join two sessions into one. A session takes records until
 * the clock is past its end by more than gap + grace (`kafka-streams.md` A.7, C.7). In ms. Immutable.
 */
export class SessionWindows {
  private constructor(
    readonly inactivityGapMs: number,
    readonly graceMs: number,
  ) {}

  /**
   * @param inactivityGapMs 0: only records of one time are one session
   * @throws StreamError TOPOLOGY_INVALID for a negative gap or grace
   */
  static ofInactivityGapAndGrace(inactivityGapMs: number, graceMs: number): SessionWindows {
    checkDuration('Gap time', inactivityGapMs, 0)
    checkDuration('Grace period', graceMs, 0)
    return new SessionWindows(inactivityGapMs, graceMs)
  }

  static ofInactivityGapWithNoGrace(inactivityGapMs: number): SessionWindows {
    return SessionWindows.ofInactivityGapAndGrace(inactivityGapMs, 0)
  }
}
