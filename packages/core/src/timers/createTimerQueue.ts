import type { StoredTimerQueue } from './PendingTimerQueue.js'
import type { StoredLaneTimers, TimerHorizon } from './StoredLaneTimers.js'

/** `timers.backend` (T10): what is held in memory of timers that are stored. */
export type TimerBackend = 'heap' | 'persistent' | 'hybrid'

const horizons: Readonly<Record<TimerBackend, TimerHorizon>> = {
  heap: { aheadMs: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY },
  persistent: { aheadMs: Number.NEGATIVE_INFINITY, limit: 0 },
  hybrid: { aheadMs: 60_000, limit: 65_536 },
}

/** The queue of a domain and lane over its stored timers. Without a store (in the test driver) it is a `TimerQueue`. */
export function createTimerQueue(backend: TimerBackend, stored: StoredLaneTimers): StoredTimerQueue {
  return stored.hold(horizons[backend])
}
