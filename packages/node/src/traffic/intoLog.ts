import type { LogAdmin } from '@lanescope/core'
import { newestTime } from './newestTime.js'
import type { TrafficTarget } from './TrafficTarget.js'

/** Traffic straight into a log that this process writes. */
export function intoLog(log: LogAdmin): TrafficTarget {
  return {
    createTopic: (topic, partitions) => log.createTopic(topic, partitions),
    append: (records) => log.append(records),
    newestTime: (topic, notAfter) => newestTime(log, topic, notAfter),
  }
}
