import type { CallbackContext } from '../../processor/contexts.js'
import type { JoinWindows } from '../JoinWindows.js'
import type { ReadOnlyUnjoined, UnjoinedStore, UnjoinedValues } from '../joins/UnjoinedStore.js'
import { firstWaiting, lastWaiting, type Side, type WaitingKey, waitingBefore } from '../joins/waitingKey.js'

type Context = Pick<CallbackContext<any, any, any>, 'store'>
type Entry = readonly [WaitingKey<any>, UnjoinedValues]

/** A record whose window has closed without a partner. */
export interface ClosedRecord {
  readonly side: Side
  readonly key: any
  readonly value: any
  readonly timestamp: number
  readonly laneBytes: Uint8Array
}

/** What a left or outer join still waits for, and when it gives up (`kafka-streams.md` B.7). */
export class Unjoined {
  constructor(
    readonly store: UnjoinedStore<any>,
    private readonly windows: JoinWindows,
  ) {}

  add(ctx: Context, key: WaitingKey<any>, value: unknown): void {
    const entries = ctx.store(this.store)
    const { side, timestamp } = key
    entries.memory.oldestMs = Math.min(entries.memory.oldestMs, timestamp)
    entries.put(key, { side, values: [...(entries.get(key)?.values ?? []), value] })
  }

  /** A partner has come: all records of that key and time have one now. */
  remove(ctx: Context, key: WaitingKey<any>): void {
    ctx.store(this.store).delete(key)
  }

  /** Whether anything has closed by this clock. Looks at the oldest of each side. */
  hasClosed(entries: ReadOnlyUnjoined<any>, clock: number): boolean {
    return sides.some((side) => {
      const oldest = firstWaiting(entries, side, 0)
      return oldest !== undefined && oldest.timestamp < this.#openFrom(side, clock)
    })
  }

  /**
   * Takes out what has closed by this clock, one after the other: in the order of the times, of one time the right side
   * first, then by key.
   */
  *takeClosed(ctx: Context, clock: number): Generator<ClosedRecord> {
    const entries = ctx.store(this.store)
    const right = waitingBefore(entries, 'right', this.#openFrom('right', clock))
    const left = waitingBefore(entries, 'left', this.#openFrom('left', clock))
    for (const [entry, { values }] of mergeByTime(right, left)) {
      // Before it is joined: should that fail and be passed over, the others still have their turn.
      entries.delete(entry)
      const { side, key, timestamp, laneBytes } = entry
      for (const value of values) yield { side, key, value, timestamp, laneBytes: laneBytes as Uint8Array }
    }
  }

  /**
   * As `takeClosed`, but only when Kafka Streams looks: it remembers a time before which nothing waits, and passes over
   * the look when that, as a record of the side that has come, would still be open. Where the two sides are not of one
   * length, or one side alone waits, what it remembers is too late, and rows come out later than they could.
   *
   * @param afterMs how long after a record of the side that has come its last partner is
   */
  takeClosedAsKafka(ctx: Context, clock: number, afterMs: number): Iterable<ClosedRecord> {
    const entries = ctx.store(this.store)
    if (entries.memory.oldestMs + afterMs + this.windows.graceMs >= clock) return []
    entries.memory.oldestMs = this.#lastVisited(entries, clock)
    return this.takeClosed(ctx, clock)
  }

  /**
   * The time of the entry at which a scan in Kafka's order stops: the one behind the second of the two that are the
   * first open of their sides, or the last of all when a side has none open. Infinite when there is nothing at all.
   */
  #lastVisited(entries: ReadOnlyUnjoined<any>, clock: number): number {
    const right = firstWaiting(entries, 'right', this.#openFrom('right', clock))
    const left = firstWaiting(entries, 'left', this.#openFrom('left', clock))
    if (right === undefined || left === undefined) {
      const ends = sides.map((side) => lastWaiting(entries, side)?.timestamp ?? Number.NEGATIVE_INFINITY)
      const end = Math.max(...ends)
      return end === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : end
    }
    const second = right.timestamp <= left.timestamp ? left : right
    if (entries.get(second)?.values.length !== 1) return second.timestamp
    const behind = [
      firstWaiting(entries, second.side, second.timestamp, second.key),
      second === left
        ? firstWaiting(entries, 'right', left.timestamp + 1)
        : firstWaiting(entries, 'left', right.timestamp),
    ].flatMap((key) => key?.timestamp ?? [])
    return behind.length > 0 ? Math.min(...behind) : second.timestamp
  }

  /** Of a side, what is older has closed: a left record's last partner comes after it, a right one's before. */
  #openFrom(side: Side, clock: number): number {
    const { beforeMs, afterMs, graceMs } = this.windows
    return clock - graceMs - (side === 'left' ? afterMs : beforeMs)
  }
}

const sides = ['right', 'left'] as const

/** Both lists in the order of their times; where those are equal, the first list's come first. */
function mergeByTime(earlier: readonly Entry[], later: readonly Entry[]): Entry[] {
  const merged: Entry[] = []
  let at = 0
  for (const entry of later) {
    for (let next = earlier[at]; next !== undefined && next[0].timestamp <= entry[0].timestamp; next = earlier[++at]) {
      merged.push(next)
    }
    merged.push(entry)
  }
  return [...merged, ...earlier.slice(at)]
}
