import { HybridTimerQueue } from './HybridTimerQueue.js'
import type { StoredTimerQueue } from './PendingTimerQueue.js'
import { PersistentTimerQueue } from './PersistentTimerQueue.js'
import type { StoredLaneTimers } from './StoredLaneTimers.js'

/** `timers.backend` (T10): what is held in memory of timers that are stored. */
export type TimerBackend = 'heap' | 'persistent' | 'hybrid'

/** The queue of a domain and lane over its stored timers. Without a store (in the test driver) it is a `TimerQueue`. */
export function createTimerQueue(backend: TimerBackend, stored: StoredLaneTimers): StoredTimerQueue {
  switch (backend) {
    case 'heap':
      return new HybridTimerQueue(stored, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    case 'persistent':
      return new PersistentTimerQueue(stored)
    case 'hybrid':
      return new HybridTimerQueue(stored)
  }
}
