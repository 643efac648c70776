import { laneOf, murmur3 } from '../lanes/murmur3.js'
import { equalBytes } from '../model/bytes.js'
import type { ByteProof } from './Finding.js'

/** Lane counts that a proof looks at, from 1. */
const greatestLaneCount = 32

/**
 * Holds the bytes that lane a key's records beside those that lane its timers (A1, A7).
 *
 * @param key the key as text, for people
 * @param recordBytes what picks the lane of the records: raw key bytes, or what a boundary's serde writes
 * @param timerBytes what picks the lane of the timers: what the timer key serde writes, behind windows the inner key's
 * @param laneCount at least 1
 */
export function byteProof(key: string, recordBytes: Uint8Array, timerBytes: Uint8Array, laneCount: number): ByteProof {
  const recordLane = laneOf(recordBytes, laneCount)
  const timerLane = laneOf(timerBytes, laneCount)
  const same = equalBytes(recordBytes, timerBytes)
  return {
    key,
    recordBytes,
    timerBytes,
    recordHash: murmur3(recordBytes),
    timerHash: murmur3(timerBytes),
    recordLane,
    timerLane,
    laneCount,
    firstDifference: same ? -1 : firstDifference(recordBytes, timerBytes),
    verdict: same ? 'same-bytes' : recordLane === timerLane ? 'agrees-by-luck' : 'split',
    agreesAt: same ? [] : lucky(recordBytes, timerBytes),
  }
}

/** Where one is the beginning of the other, the first byte that the shorter does not have. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i
  return length
}

function lucky(a: Uint8Array, b: Uint8Array): number[] {
  const counts = Array.from({ length: greatestLaneCount }, (_, at) => at + 1)
  return counts.filter((laneCount) => laneOf(a, laneCount) === laneOf(b, laneCount))
}
