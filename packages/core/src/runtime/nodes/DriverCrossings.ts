import type { CompiledBoundary } from '../../topology/CompiledTopology.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { Crossings } from './Crossings.js'
import type { WorkItem } from './WorkItem.js'

/** What has crossed boundaries in a run that works as Kafka's test driver does (D1). */
export class DriverCrossings {
  readonly #waiting = new Crossings()

  constructor(private readonly runner: TopologyRunner) {}

  put(item: WorkItem, boundary: CompiledBoundary): void {
    const topic = boundary.topic ?? `${boundary.from} ${boundary.to}`
    if (!this.#waiting.join(topic, item)) {
      const { record } = item
      this.runner.options.onCrossing?.(item, boundary)
      this.#waiting.add(topic, item, record)
    }
    this.runner.clocks.hold(item.stamp, item.entry.subTopology.index)
  }

  /** The time of the next record that `take` would take up, in ms; undefined when none waits. */
  get earliest(): number | undefined {
    return this.#waiting.earliest
  }

  /**
   * Takes up the next record that has crossed a boundary, as Kafka's driver does once all that came before is done
   * and has punctuated. Its time moves the clock, too.
   *
   * @returns whether there was one
   */
  take(): boolean {
    const { runner } = this
    const items = this.#waiting.take()
    for (const item of items) {
      const { subTopology } = item.entry
      runner.enqueue(item, subTopology, true)
      runner.clocks.release(item.stamp, subTopology.index)
    }
    runner.drain()
    const [first] = items
    if (first?.record === undefined) return false
    const { entry, record, coordinates } = first
    if (runner.clocks.advance(entry.clockGroup, record.timestamp)) runner.clocksMoved(coordinates)
    return true
  }
}
