import type { RecordCoordinates } from '../../model/Record.js'

/** The clock of one partition of one source (W2). Times in ms. */
export class PartitionClock {
  /** The greatest extracted time read; −1 while unknown. Also the extractor's `partitionTime`. */
  maxTimestamp = -1
  /** The record that set `maxTimestamp`. */
  movedBy: RecordCoordinates | null = null
  idle = false
  /** Monotonic time since which the position has been at the last stable offset; undefined when it is not. */
  #caughtUpSince: number | undefined

  constructor(
    readonly source: string,
    readonly topic: string,
    readonly partition: number,
    readonly maxOutOfOrdernessMs: number,
  ) {}

  /** The promise that nothing older is expected; −1 while unknown. */
  get watermark(): number {
    return this.maxTimestamp < 0 ? -1 : Math.max(-1, this.maxTimestamp - this.maxOutOfOrdernessMs)
  }

  /** Goes on from what the last commit left (W6). */
  restore(maxTimestamp: number): void {
    this.maxTimestamp = Math.max(this.maxTimestamp, maxTimestamp)
  }

  /** @returns whether the partition was idle until this record */
  observe(coordinates: RecordCoordinates): boolean {
    if (coordinates.timestamp > this.maxTimestamp) {
      this.maxTimestamp = coordinates.timestamp
      this.movedBy = coordinates
    }
    this.#caughtUpSince = undefined
    const returned = this.idle
    this.idle = false
    return returned
  }

  /**
   * Tells the clock where the reading stands: caught up, or not (behind, paused, held back, failing, unknown lag).
   * Only an unbroken stretch of `idleAfterMs` of being caught up makes the partition idle.
   *
   * @returns whether it has become idle by this
   */
  report(caughtUp: boolean, monotonicMs: number, idleAfterMs: number): boolean {
    if (!caughtUp) {
      this.#caughtUpSince = undefined
      return false
    }
    this.#caughtUpSince ??= monotonicMs
    if (this.idle || monotonicMs - this.#caughtUpSince < idleAfterMs) return false
    this.idle = true
    return true
  }
}

/**
 * A group's source clock in `watermark` mode: the minimum over its partitions that are not idle.
 * Undefined while all are idle (then the clock stands) or while one has not spoken yet.
 */
export function minimumWatermark(partitions: readonly PartitionClock[]): number | undefined {
  let minimum: number | undefined
  for (const partition of partitions) {
    if (partition.idle) continue
    if (partition.maxTimestamp < 0) return undefined
    if (minimum === undefined || partition.watermark < minimum) minimum = partition.watermark
  }
  return minimum
}

/** A group's source clock in `stream-time` mode: the greatest timestamp read so far; undefined while none was. */
export function maximumTimestamp(partitions: readonly PartitionClock[]): number | undefined {
  let maximum = -1
  for (const partition of partitions) if (partition.maxTimestamp > maximum) maximum = partition.maxTimestamp
  return maximum < 0 ? undefined : maximum
}
