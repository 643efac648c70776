import { createTimerQueue } from '../../timers/createTimerQueue.js'
import { openTimers } from '../../timers/openTimers.js'
import type { TimerService } from '../../timers/TimerService.js'
import type { AffinityCheck } from '../guards/AffinityCheck.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { TopologyRunner } from '../TopologyRunner.js'

/**
 * In a run a processor's timers are state (T8): in a byte store of their own, which commits and aborts with the epoch
 * and is held to the serde that wrote it (T9). In the test driver they stay on the heap.
 */
export function attachStoredTimers(runner: TopologyRunner, node: NodeRuntime, service: TimerService): void {
  const serde = node.compiled.timerKey?.serde
  // Without a serde no timer can be registered either; the attempt says so.
  if (runner.options.driver || serde === undefined) return
  const affinity = node.affinity as AffinityCheck
  const { timers, migrated, stranded, previous } = openTimers(runner.options.byteStores.store(`timers/${node.name}`), {
    node: node.name,
    key: { serde },
    lanes: node.subTopology.runningLanes,
    laneOf: (key) => affinity.laneOfTimer(key),
    onSerdeChange: runner.config['timers.serde-change'],
  })
  if (previous !== undefined && migrated + stranded > 0) {
    const counts = `${migrated} timers migrated, ${stranded} stranded`
    const change = `The timer key serde of "${node.name}" changed from "${previous.id}" to "${serde.id}"`
    runner.log.write('warn', `${change}: ${counts}.`, node.name)
  }
  const backend = runner.config['timers.backend']
  service.attach((domain, lane) => createTimerQueue(backend, timers.lane(domain, lane)))
  const { clocks, clock } = runner
  runner.beforeCut.push(() =>
    timers.flush((domain) =>
      domain === 'event-time' ? clocks.eventClock(node.clockGroup, node.subTopology.index) : clock.now(),
    ),
  )
}
