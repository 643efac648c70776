import type { WorkItem } from '../nodes/WorkItem.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { itemText } from './takeSnapshot.js'

/** Names callbacks that have been pending for long, each once. */
export class SlowCallbacks {
  readonly #named = new WeakSet<WorkItem>()

  watch(runner: TopologyRunner): void {
    const longest = runner.config['watchdog.slow-callback-ms']
    const now = runner.monotonic()
    for (const lane of runner.lanes) {
      const item = lane.current
      if (item === undefined || now - lane.pendingSince < longest || this.#named.has(item)) continue
      this.#named.add(item)
      runner.log.write(
        'warn',
        `${itemText(item)} at "${item.at.name}" on lane ${lane.index} has been pending for more than ${longest} ms.`,
        item.at.name,
        { lane: lane.index },
      )
    }
  }
}
