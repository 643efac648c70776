import type { RecordCoordinates } from '../../model/Record.js'
import { minimumWatermark, type PartitionClock } from '../clocks/PartitionClock.js'
import type { TopologyRunner } from '../TopologyRunner.js'

/** Moves the clock groups of a topology by what its partitions have read (W2). */
export class SourceClocks {
  readonly #partitions: PartitionClock[] = []
  readonly #groupsOf = new Map<string, number[]>()
  readonly #followsAtOnce: boolean

  constructor(private readonly runner: TopologyRunner) {
    this.#followsAtOnce = runner.config['time.mode'] === 'stream-time'
    runner.clockGroups.forEach((sources, group) => {
      for (const source of sources) {
        const groups = this.#groupsOf.get(source)
        if (groups) groups.push(group)
        else this.#groupsOf.set(source, [group])
      }
    })
  }

  get partitions(): readonly PartitionClock[] {
    return this.#partitions
  }

  add(partition: PartitionClock): void {
    this.#partitions.push(partition)
  }

  /** A record of this partition was dispatched. In `stream-time` mode the clocks follow at once. */
  observe(partition: PartitionClock, coordinates: RecordCoordinates): void {
    if (partition.observe(coordinates)) {
      const behind = Math.max(0, this.#clockOf(partition.source) - coordinates.timestamp)
      this.#tellIdle(partition, 'partition-returned', behind)
    }
    if (this.#followsAtOnce) this.#advanceTo(partition, coordinates)
  }

  /** `watermark` mode: emits the watermarks; to be called every `time.watermark-interval-ms`. */
  emitWatermarks(): void {
    if (this.runner.config['time.mode'] !== 'watermark') return
    let movedBy: RecordCoordinates | null | undefined
    this.runner.clockGroups.forEach((sources, group) => {
      const members = this.#partitions.filter((partition) => sources.includes(partition.source))
      const watermark = minimumWatermark(members)
      if (watermark === undefined || !this.runner.clocks.advance(group, watermark)) return
      const holder = members.find((partition) => !partition.idle && partition.watermark === watermark)
      movedBy = holder?.movedBy ?? null
      this.#tellAdvanced(holder, watermark)
    })
    if (movedBy !== undefined) this.runner.clocksMoved(movedBy)
  }

  /**
   * How far the watermark of a group would get if a partition's got this far (F5), in ms; −1 while unknown.
   *
   * @param moves whether a partition is the one; of several, the one by which the clock would get furthest
   */
  watermarkIf(group: number, moves: (partition: PartitionClock) => boolean, watermark: number): number {
    const sources = this.runner.clockGroups[group] ?? []
    const members = this.#partitions.filter((partition) => sources.includes(partition.source))
    const reached = members.filter(moves).map((one) =>
      members.reduce((least, other) => {
        if (other === one) return Math.min(least, Math.max(watermark, other.watermark))
        return other.idle ? least : Math.min(least, other.watermark)
      }, Number.POSITIVE_INFINITY),
    )
    return Math.max(-1, ...reached)
  }

  /** Tells a partition whether its reading has caught up; only that can make it idle. */
  report(partition: PartitionClock, caughtUp: boolean): void {
    const idleAfter = this.runner.config['time.idle-after-ms']
    if (partition.report(caughtUp, this.runner.clock.monotonic(), idleAfter)) {
      this.#tellIdle(partition, 'partition-idle', 0)
    }
  }

  #advanceTo(partition: PartitionClock, coordinates: RecordCoordinates): void {
    let moved = false
    for (const group of this.#groupsOf.get(partition.source) ?? []) {
      if (this.runner.clocks.advance(group, coordinates.timestamp)) moved = true
    }
    if (!moved) return
    this.#tellAdvanced(partition, coordinates.timestamp)
    this.runner.clocksMoved(coordinates)
  }

  #clockOf(source: string): number {
    const groups = this.#groupsOf.get(source)
    return groups === undefined ? -1 : Math.max(...groups.map((group) => this.runner.clocks.sourceClock(group)))
  }

  #tellAdvanced(partition: PartitionClock | undefined, watermark: number): void {
    if (partition === undefined || !this.runner.events.listening('clock-advanced')) return
    this.runner.events.emit<'clock-advanced'>({
      type: 'clock-advanced',
      source: partition.source,
      watermark,
      maxTimestamp: partition.maxTimestamp,
      causedBy: partition.movedBy,
    })
  }

  #tellIdle(partition: PartitionClock, type: 'partition-idle' | 'partition-returned', behindMs: number): void {
    if (!this.runner.events.listening(type)) return
    this.runner.events.emit({
      type,
      source: partition.source,
      topic: partition.topic,
      partition: partition.partition,
      behindMs,
    })
  }
}
