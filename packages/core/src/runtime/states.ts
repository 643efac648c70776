import type { EngineState } from '../events/EngineEvent.js'

/**
 * created → starting → running → stopping → stopped
 *    ↓         ↓          ↓          ↓
 * stopped    failed     failed     failed
 */
const NEXT: { readonly [S in EngineState]: readonly EngineState[] } = {
  created: ['starting', 'stopped'],
  starting: ['running', 'failed'],
  running: ['stopping', 'failed'],
  stopping: ['stopped', 'failed'],
  stopped: [],
  failed: [],
}

export function mayFollow(from: EngineState, to: EngineState): boolean {
  return NEXT[from].includes(to)
}
