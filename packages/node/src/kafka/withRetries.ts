import type { Clock } from '@lanescope/core'
import { rootOf } from './kafkaErrors.js'

const PATIENCE_MS = 10_000
const ASK_AGAIN_MS = 20

/** What a cluster answers while it moves a leader or a coordinator, or has not heard of a topic that it has just made. */
export const PASSING: ReadonlySet<string> = new Set([
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_LOAD_IN_PROGRESS',
  'CONCURRENT_TRANSACTIONS',
])

/** Asks again for a while when the answer will be another one soon: kafkajs gives several of these up at once. */
export async function withRetries<T>(clock: Clock, work: () => Promise<T>, more: readonly string[] = []): Promise<T> {
  const deadline = clock.monotonic() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const type = rootOf(error).type ?? ''
      if (!(PASSING.has(type) || more.includes(type)) || clock.monotonic() >= deadline) throw error
    }
    await new Promise<void>((resolve) => clock.after(ASK_AGAIN_MS, resolve))
  }
}
