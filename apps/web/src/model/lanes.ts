import { laneOf } from '@lanescope/core'

/** The key that the first screen tells of, as its producer and its timer write it. */
export const SHOWN_KEY = 'k0'
export const SHOWN_LANES = 8

/** Both lanes of a key whose producer writes JSON and whose timers are written as plain text. */
export function splitOf(key: string, laneCount: number) {
  const recordBytes = new TextEncoder().encode(JSON.stringify(key))
  const timerBytes = new TextEncoder().encode(key)
  return {
    recordBytes,
    timerBytes,
    recordLane: laneOf(recordBytes, laneCount),
    timerLane: laneOf(timerBytes, laneCount),
  }
}
