import { days } from '../time/durations.js'
import { checkDuration } from '../topology/checkDuration.js'
import { topologyError } from '../topology/topologyError.js'

/**
 * Which records of two streams meet: those of one key whose times lie close enough. A left record of time t meets the
 * right ones of t − before … t + after, both inclusive. Either side may be negative, so that a partner must be a while
 * later, or earlier; together they may not. All in ms. Immutable.
 */
export class JoinWindows {
  private constructor(
    readonly beforeMs: number,
    readonly afterMs: number,
    readonly graceMs: number,
    /** Whether what has no partner yet is sent on at once, and once more with its partner (`kafka-streams.md` B.7). */
    readonly eager: boolean,
  ) {}

  /**
   * Times that differ by at most `differenceMs`. What has no partner comes out of a left or outer join once the clock
   * has passed its window by `graceMs`; a buffer keeps records for before + after + grace.
   *
   * @throws StreamError TOPOLOGY_INVALID for a negative difference or grace
   */
  static ofTimeDifferenceAndGrace(differenceMs: number, graceMs: number): JoinWindows {
    return checked(new JoinWindows(differenceMs, differenceMs, graceMs, false))
  }

  static ofTimeDifferenceWithNoGrace(differenceMs: number): JoinWindows {
    return JoinWindows.ofTimeDifferenceAndGrace(differenceMs, 0)
  }

  /**
   * The form that Kafka Streams has kept from before 3.1: a left or outer join sends what has no partner at once with a
   * null, and the real row later. The buffers keep a day.
   *
   * @deprecated use `ofTimeDifferenceAndGrace`
   */
  static of(differenceMs: number): JoinWindows {
    return checked(new JoinWindows(differenceMs, differenceMs, Math.max(days(1) - 2 * differenceMs, 0), true))
  }

  /** How much earlier than a left record a right one may be. Set the larger side first: their sum may not be negative. */
  before(beforeMs: number): JoinWindows {
    return checked(new JoinWindows(beforeMs, this.afterMs, this.graceMs, this.eager))
  }

  /** How much later than a left record a right one may be. */
  after(afterMs: number): JoinWindows {
    return checked(new JoinWindows(this.beforeMs, afterMs, this.graceMs, this.eager))
  }

  /** @deprecated give the grace to `ofTimeDifferenceAndGrace` */
  grace(graceMs: number): JoinWindows {
    return checked(new JoinWindows(this.beforeMs, this.afterMs, graceMs, this.eager))
  }

  /** Before and after together. */
  get sizeMs(): number {
    return this.beforeMs + this.afterMs
  }

  /** How long a buffer must keep a record. */
  get retentionMs(): number {
    return this.sizeMs + this.graceMs
  }
}

function checked(windows: JoinWindows): JoinWindows {
  const { beforeMs, afterMs, graceMs, sizeMs } = windows
  for (const [side, ms] of [
    ['before', beforeMs],
    ['after', afterMs],
  ] as const) {
    if (!Number.isSafeInteger(ms)) {
      throw topologyError(`The ${side} side of a join window is ${ms}. Give an integer number of ms.`)
    }
  }
  if (sizeMs < 0) {
    throw topologyError(
      `Window interval (ie, beforeMs+afterMs) must not be negative. Got before=[${beforeMs}], after=[${afterMs}]: ` +
        'set the larger side first, or make the smaller one less negative.',
    )
  }
  checkDuration('Grace period', graceMs, 0)
  return windows
}
